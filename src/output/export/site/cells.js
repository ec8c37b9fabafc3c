// Cells: moved to the origin, from the text of a gallery's data, and where they are in words.
"use strict";

/** @typedef {number[]} Cell column, row and layer */

/** Moves cells so that the smallest coordinates are 0. Their order stays.
 * @param {Cell[]} cells
 * @returns {Cell[]} */
function toOrigin(cells) {
  const low = [0, 1, 2].map((axis) => cells.reduce((least, cell) => Math.min(least, cell[axis]), Infinity));
  return cells.map((cell) => cell.map((v, axis) => v - low[axis]));
}

/** Does the same, and sorts the cells in the program's order.
 * @param {Cell[]} cells */
const normalized = (cells) => toOrigin(cells).sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);

/** @param {Cell[]} cells */
const extentsOf = (cells) => [0, 1, 2].map((axis) => cells.reduce((most, cell) => Math.max(most, cell[axis] + 1), 0));

/** Writes cells as a line of a file.
 * @param {Cell[]} cells */
const lineOf = (cells) => `${cells.map((cell) => cell.join(",")).join(" ")}\n`;

/** Returns the cells of a shape of a gallery's data. It is a line of a file; or of boxes that are full enough, the sides
 * of the box and whether each of its places has a cell, five places a digit, x first.
 * @param {string} shape
 * @returns {Cell[]} */
function cellsOf(shape) {
  const [sides, digits] = shape.split(":");
  if (digits === undefined) return shape.split(" ").map((cell) => cell.split(",").map(Number));
  const [width, depth] = sides.split("x").map(Number);
  /** @type {Cell[]} */
  const cells = [];
  for (let at = 0; at < digits.length; at++) {
    const bits = parseInt(digits[at], 32);
    for (let bit = 0; bit < 5; bit++) {
      const place = 5 * at + bit;
      if (bits >> bit & 1) cells.push([place % width, Math.floor(place / width) % depth, Math.floor(place / (width * depth))]);
    }
  }
  return cells;
}

/** Lists numbers: `column 2`, `columns 1 and 3`, `columns 1 to 3`.
 * @param {string} name
 * @param {number[]} numbers ascending */
function numbersInWords(name, numbers) {
  const [first, last] = [numbers[0], numbers[numbers.length - 1]];
  if (numbers.length === 1) return `${name} ${first}`;
  if (numbers.length > 2 && last - first === numbers.length - 1) return `${name}s ${first} to ${last}`;
  return `${name}s ${numbers.slice(0, -1).join(", ")} and ${last}`;
}

/** Says where cells are: `layer 1, row 1, columns 2 and 3; layer 2, …`. Layers count from the top, rows from the back,
 * columns from the left, from 1 in the box of the figure.
 * @param {Cell[]} cells
 * @param {Cell[]} figure */
function whereInWords(cells, figure) {
  const low = [0, 1, 2].map((axis) => figure.reduce((least, cell) => Math.min(least, cell[axis]), Infinity));
  /** @type {Map<number, Map<number, number[]>>} */
  const layers = new Map();
  for (const [x, y, z] of cells) {
    const rows = layers.get(z - low[2]) ?? new Map();
    layers.set(z - low[2], rows.set(y - low[1], [...(rows.get(y - low[1]) ?? []), x - low[0] + 1]));
  }
  const ascending = (a, b) => a[0] - b[0];
  return [...layers].sort(ascending).map(([layer, rows]) => {
    const words = [...rows].sort(ascending).map(([row, columns]) => (
      `row ${row + 1}, ${numbersInWords("column", columns.sort((a, b) => a - b))}`));
    return `layer ${layer + 1}, ${words.join("; ")}`;
  }).join("; ");
}

/** Describes a figure layer by layer, for those who do not see it.
 * @param {Cell[]} cells */
function layersInWords(cells) {
  const height = extentsOf(normalized(cells))[2];
  return `${cells.length} ${cells.length === 1 ? "cell" : "cells"} in ${height} ${height === 1 ? "layer" : "layers"}, from the top: ${whereInWords(cells, cells)}.`;
}
