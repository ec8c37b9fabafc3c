// What the browser keeps between visits. It may be unavailable: pages work without it.
"use strict";

/** The key of the solved figures: their times, by signature. */
const SOLVED = "somacat solved";

function stored(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function store(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch { /* Nothing is kept. */ }
}
