// Parses a figure from text: SOMA text, a height map, a list of cells, or a signature. Does not use the document.
"use strict";

const MOST_CELLS = 1024;

/** Parses the first figure of a text as `{ cells, name, more }`: `more` is true if others follow. Throws an error that describes the problem. */
function readFigure(text) {
  const lines = text.split(/\r\n|[\n\r]/).map((line) => line.trim());
  const content = lines.filter((line) => line && !/^[;#]/.test(line));
  if (!content.length) throw new Error("Nothing is drawn yet.");
  const signature = /^[rs]\d+-\d+x\S+$/.exec(content[0]);
  let figure;
  if (signature) figure = { name: "", cells: cellsOf(content[0]) ?? fail("This signature spells no figure that can be drawn.") };
  else if (content.some((line) => /^\/|\*/.test(line))) figure = somaText(lines);
  else if (/-?\d+,-?\d+,-?\d+/.test(content[0])) figure = { ...cellList(content[0]), more: content.length > 1 };
  else figure = heightMap(lines);
  if (!figure.cells.length) throw new Error("The figure has no cell.");
  if (figure.cells.length > MOST_CELLS) throw new Error(`The figure has more than ${MOST_CELLS} cells.`);
  if (new Set(figure.cells.map(String)).size < figure.cells.length) throw new Error("A cell is listed twice.");
  const low = [0, 1, 2].map((axis) => Math.min(...figure.cells.map((cell) => cell[axis])));
  const moved = (cell) => cell.map((v, axis) => v - low[axis]);
  const placed = (figure.placed ?? []).map((piece) => ({ ...piece, cells: piece.cells.map(moved) }));
  return { ...figure, placed, cells: normalized(figure.cells) };
}

function fail(message) {
  throw new Error(message);
}

/** Parses rows of marks with layers between slashes: x along a row, y from line to line, z from layer to layer. */
function somaText(lines) {
  const isHeader = (line) => /^\/\s*SOMA/i.test(line);
  // With asterisks for free cells, rows need no slash at the beginning.
  const isRow = (line) => line.startsWith("/") || (line.includes("*") && !line.startsWith(";"));
  const rows = [];
  let name = "", at = 0;
  for (; at < lines.length; at++) {
    const line = lines[at];
    if (isHeader(line)) {
      if (rows.length) break;
      name = line.slice(1).trim();
    } else if (isRow(line)) {
      rows.push(line.replace(/^\/|\/$/g, "").split("/"));
    } else if (rows.length && !line.startsWith(";")) {
      break;
    }
  }
  const more = lines.slice(at).some((line) => isRow(line) && !isHeader(line));
  const marks = rows.flat().join("");
  const wrong = /[^0-9A-Za-z.$*+#?@\- ]/.exec(marks);
  if (wrong) fail(`“${wrong[0]}” is not a mark of SOMA text.`);
  // 0 is a cell only if the text has two of them and a mark above 7 (8, 9 or $).
  const zeroFilled = /[89$]/.test(marks) && marks.replace(/[^0]/g, "").length === 2;
  const isCell = (mark) => !/[.\- ]/.test(mark) && (mark !== "0" || zeroFilled);
  const cells = rows.flatMap((layers, y) => layers.flatMap((row, z) => (
    Array.from(row).flatMap((mark, x) => (isCell(mark) ? [[x, y, z]] : [])))));
  const markOf = ([x, y, z]) => Array.from(rows[y][z])[x];
  return { name, cells, placed: piecesInPlace(cells, markOf), more };
}

/** The marks of pieces in SOMA text, each with its letter: the digits, and the letters themselves. */
const LETTERS = "VLTZABPDIQS", DIGITS = "1234567089$";
const letterOf = (mark) => [LETTERS[DIGITS.indexOf(mark)], mark.toUpperCase()].find((letter) => letter && LETTERS.includes(letter));

/** Returns the pieces in place as `{ mark, letter, cells }`: there are some if each mark names a piece, but for one mark
 * of free cells. */
function piecesInPlace(cells, markOf) {
  const marks = [...new Set(cells.map(markOf))];
  const own = marks.filter((mark) => !"*#oOxX+?@".includes(mark));
  if (own.length + 1 !== marks.length || !own.every(letterOf)) return [];
  return own.map((mark) => ({ mark, letter: letterOf(mark), cells: cells.filter((cell) => markOf(cell) === mark) }));
}

/** Parses `name: x,y,z x,y,z …`. */
function cellList(line) {
  const [, name, list] = /^(?:(.*):\s*)?(.*)$/.exec(line);
  const cells = list.split(/\s+/).map((triple) => {
    const cell = triple.split(",").map(Number);
    if (cell.length !== 3 || !cell.every(Number.isSafeInteger)) fail(`“${triple}” is not a cell.`);
    return cell;
  });
  return { name: name || "", cells };
}

/** Parses a height map: each sign is the number of cubes on a square. Rows are on one line or on several. */
function heightMap(lines) {
  const start = lines.findIndex((line) => line && !/^[;#]/.test(line));
  const end = lines.indexOf("", start);
  const rows = [];
  let name = "";
  for (const line of lines.slice(start, end < 0 ? undefined : end)) {
    if (/^[;#]/.test(line)) continue;
    const [, before, towers] = /^(?:(.*):)?(.*)$/.exec(line);
    if (before) name = before.trim();
    rows.push(...towers.trim().split(/[\s/|,]+/).filter(Boolean));
  }
  // Words are not heights, although letters are heights from 10 on.
  const even = rows.length > 1 && rows.every((row) => row.length === rows[0].length);
  const word = rows.find((row) => (even ? !/\d/.test(rows.join("")) : /[a-z]/i.test(row)));
  if (word !== undefined) fail(`“${word}” is not a row of a height map.`);
  const heights = rows.map((row) => Array.from(row).map((mark) => {
    const height = ".-".includes(mark) ? 0 : parseInt(mark, 36);
    return Number.isNaN(height) ? fail(`“${mark}” is not a height.`) : height;
  }));
  const most = Math.max(0, ...heights.flat());
  const cells = heights.flatMap((row, y) => row.flatMap((height, x) => (
    Array.from({ length: height }, (_, z) => [x, y, most - 1 - z]))));
  return { name, cells, more: end >= 0 && lines.slice(end).some((line) => line && !/^[;#]/.test(line)) };
}

/** Formats cells as SOMA text, without a header. `marks` has the mark of each cell, 1 if not given. */
function somaOf(cells, marks = new Map(cells.map((cell) => [String(cell), "1"]))) {
  const [width, depth, layers] = extentsOf(cells);
  return Array.from({ length: depth }, (_, y) => Array.from({ length: layers }, (_, z) => (
    `/${Array.from({ length: width }, (_, x) => marks.get(String([x, y, z])) ?? ".").join("")}`)).join("")).join("\n");
}
