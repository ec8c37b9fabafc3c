// What the browser keeps between visits. It may be unavailable: pages work without it.
"use strict";

/** The key of the solved figures: their times, by signature. */
const SOLVED = "somacat solved";

/** The key of the visitor's own solutions: the letter of the piece of each cell, in the program's order, by signature. */
const BUILT = "somacat built";

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
