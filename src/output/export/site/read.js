// Parses a figure from text: SOMA text, a height map, cells, layers, JSON, or a signature. Does not use the document.
//
// A text that may be meant in two ways is refused, and so is a figure with a line that is not understood: no line of a
// figure is dropped. Lines that belong to other figures, or to prose around them, are returned as unread.
"use strict";

const MOST_CELLS = 1024;
/** The cells of SOMA, SOMA+ and two sets. Of two readings, the only one of such a size is meant. */
const USUAL_SIZES = [27, 40, 54];

/** Parses the first figure of a text as `{ name, cells, placed, unread }`: `unread` are the numbers of the lines with
 * other text than the figure and comments. Throws an error that names the line and the problem. */
function readFigure(text) {
  const lines = withoutComments(text.replace(/[\ufeff\x1a]/g, "").split(/\r\n|[\n\r]/));
  const content = lines.filter((line) => line.text);
  if (!content.length) throw new Error("Nothing is drawn yet.");
  const figure = reader(lines, content);
  if (!figure.cells.length) throw new Error("The figure has no cell.");
  if (figure.cells.length > MOST_CELLS) throw new Error(`The figure has more than ${MOST_CELLS} cells.`);
  if (new Set(figure.cells.map(String)).size < figure.cells.length) throw new Error("A cell is listed twice.");
  const low = [0, 1, 2].map((axis) => Math.min(...figure.cells.map((cell) => cell[axis])));
  const moved = (cell) => cell.map((v, axis) => v - low[axis]);
  const placed = (figure.placed ?? []).map((piece) => ({ ...piece, cells: piece.cells.map(moved) }));
  const unread = content.filter((line) => !figure.read.includes(line)).map(({ number }) => number);
  return { name: figure.name ?? "", placed, cells: normalized(figure.cells), unread };
}

function fail({ number, text }, message) {
  throw new Error(`Line ${number}: “${text.length > 40 ? `${text.slice(0, 40)}…` : text}” ${message}`);
}

function notARow(line) {
  const separated = /\S[\\:／¦;,]\S|^[\\:／¦]/.test(line.text);
  fail(line, separated ? "is not a row; write “/” between layers." : "is not a row of a figure; begin it with “;” to make it a comment.");
}

/** Refuses a row of dashes above others, unless dashes mark other empty squares too: it may be a line between layers. */
function refuseRule(rows, all) {
  const rule = rows.find(({ marks }, at) => at < rows.length - 1 && /^--+$/.test(marks));
  if (rule && !all.some(({ marks }) => marks.includes("-") && !/^-+$/.test(marks))) fail(rule.line, "may be a row of empty squares or a line between layers; write “.” for an empty square.");
}

const SEPARATOR = /[/|]/;
const MARKS = /^[\p{L}\dⒶ-ⓩ.$*+#?@-]+$/u;
/** The marks of pieces, of empty squares and of free cells. */
const USUAL_MARKS = /^[\d.$*+#?@\-oOxXVLTZABPDIQSvltzabpdiqs]+$/;

/** Returns trimmed lines with their numbers and indents. `#` begins a comment unless the line is a row with this mark;
 * such a comment is kept as an empty line, because it ends a figure of SOMA text. */
function withoutComments(all) {
  const lines = [];
  for (const [at, raw] of all.entries()) {
    const text = raw.trim(), above = lines.at(-1)?.text ?? "";
    const marks = text.replace(/[\s/|\\:／¦,;]/g, "");
    const isRow = USUAL_MARKS.test(marks)
      && (SEPARATOR.test(text) || text.match(/#/g)?.length > 1 || /^#\S+$/.test(text) || /^[#.0-]{2,}$/.test(marks) || (text === "#" && above));
    if (text.startsWith(";")) continue;
    const comment = text.startsWith("#") && !isRow;
    lines.push({ number: at + 1, text: comment ? "" : text, comment, indent: raw.search(/\S/) });
  }
  return lines;
}

/** Reads the figure in the format of its lines. */
function reader(all, content) {
  const [first] = content;
  const lines = all.filter(({ comment }) => !comment);
  if (/^[rs]\d+-\d+x\S+$/.test(first.text)) {
    return { cells: cellsOf(first.text) ?? fail(first, "spells no figure that can be drawn."), read: [first] };
  }
  const json = /^(?:\[\s*(?:[[{]|$)|\{)/.test(first.text) && jsonFigure(content);
  if (json) return json;
  if (content.every(({ text }) => /^v\s+[\d+-]/.test(text))) return points(content);
  if (content.some(({ text }) => HEADER.test(text) || SEPARATOR.test(text)) || spacedGroups(first.text)?.length > 1) return somaText(all);
  // `a: 333,333,333` may be a cell or a height map.
  const list = /^(?:.*:\s*)?[+-]?\d+,[+-]?\d+,[+-]?\d+(\s+[^#\s].*)?(?:\s#.*)?$/.exec(first.text);
  if (list?.[1]) return cellList(first);
  if (list && first.text.includes(":")) return onlyReading([() => cellList(first), () => heightMap(lines)], first);
  if (areNumbered(content)) fail(first, "and the lines below may be heights, or cells with the number of their piece; write cells as x,y,z.");
  return onlyReading([() => points(content), () => layers(lines), () => heightMap(lines)], first);
}

/** Returns `true` if each line is a cell that touches another one, with its piece in front of it or behind it. */
function areNumbered(content) {
  const rows = content.map(({ text }) => text.split(/[\s,;]+/).filter(Boolean));
  return [[1, 4], [0, 3]].some((range) => {
    const cells = rows.map((row) => row.slice(...range).map(Number));
    const touches = (cell) => cells.some((other) => cell.reduce((sum, v, axis) => sum + Math.abs(v - other[axis]), 0) === 1);
    const heights = rows.flat().reduce((sum, height) => sum + Number(height), 0);
    return rows.every((row) => row.length === 4) && !USUAL_SIZES.includes(heights) && new Set(cells.map(String)).size === cells.length && cells.every(touches);
  });
}

/** Returns the only reading without a fault, or the only one of a usual size. */
function onlyReading(readings, line) {
  const errors = [], found = [];
  for (const read of readings) {
    try {
      const figure = read();
      if (figure.cells.length) found.push(figure);
    } catch (error) {
      errors.push(error);
    }
  }
  const usual = found.filter(({ cells }) => USUAL_SIZES.includes(cells.length));
  const [only] = found.length === 1 ? found : usual.length === 1 ? usual : [];
  if (only && !only.perhaps) return only;
  if (found.length) fail(line, `and the lines below may be ${found.map(({ kind }) => kind).join(" or ")}. Write cells as (x,y,z), or “/” between layers.`);
  // The fault of the reading that comes furthest is the most likely one.
  const lineOf = ({ message }) => Number(/^Line (\d+)/.exec(message)?.[1] ?? 0);
  throw errors.reduce((a, b) => (lineOf(b) >= lineOf(a) ? b : a), new Error("The figure has no cell."));
}

const HEADER = /^(?:[/|\\:／¦]\s*SOMA|SOMA-?[A-Z]*\d[\w-]*(?:\s|$))/i;

/** Returns `true` for prose: a word of three letters that are not all pieces or all equal. */
const isProse = (text) => text.split(/[^\p{L}]+/u).some((word) => word.length >= 3 && !/^(?:[vltzabpdiqs]+|(.)\1*)$/i.test(word));

/** Parses rows of marks with layers between slashes: x along a row, y from line to line, z from layer to layer. */
function somaText(lines) {
  const rows = [], read = [];
  let header = null, rule = null, at = 0;
  for (; at < lines.length; at++) {
    const line = lines[at], { text } = line;
    if (!text && rows.length) break;
    if (!text) continue;
    if (HEADER.test(text)) {
      if (rows.length) break;
      if (header) fail(header, "is a header without a figure: no row follows it.");
      if (/^.\s*SOMA[^\s/|]*[/|]/i.test(text)) fail(line, "has a header and a row; write the row below the header.");
      header = line;
      read.push(line);
      continue;
    }
    const row = rowOf(text, header !== null || rows.length > 0, rows[0]?.groups);
    if (row) {
      if (rule) fail(rule, "is not a row, but stands between rows.");
      if (rows.length && row.spaced !== rows[0].spaced) fail(line, "mixes rows with “/” and rows with blanks.");
      const widths = ({ groups }) => groups.map((group) => Array.from(group).length).join("/");
      if (rows.length && widths(row) !== widths(rows[0])) fail(line, "has another width than the first row; write “.” for an empty square, and each layer in every row.");
      rows.push({ ...row, line, marks: row.groups.join("") });
      read.push(line);
    } else if (rows.length && /^[-=_]+$/.test(text)) {
      rule = line;
      read.push(line);
    } else if (!/^[/|]/.test(text) && isProse(text)) {
      if (rows.length) break;
      if (header) read.push(line);
    } else {
      notARow(line);
    }
  }
  if (!rows.length) fail(header ?? lines.find((line) => line.text), header ? "is a header without a figure: no row follows it." : "is not a row.");
  if (rows.length === 1 && !header && !rows[0].slash && !(rows[0].spaced && rows[0].groups.length > 1)) fail(read[0], "is a single row; it needs “/” in front to be a figure.");
  const lengths = rows[0].groups.map((group) => Array.from(group).length);
  if (rows.length === 1 && lengths.some((length) => length !== lengths[0])) fail(rows[0].line, "has layers of different widths; write “.” for an empty square.");
  refuseRule(rows, rows);
  const figure = { name: header?.text.slice(1).trim(), read, ...markedCells(rows.map(({ groups }) => groups)) };
  const next = lines.slice(at).find((line) => line.text);
  if (next && !lines[at].text && !USUAL_SIZES.includes(figure.cells.length) && !HEADER.test(next.text) && rowOf(next.text, true, rows[0].groups)) {
    fail(next, "follows a blank line or comment; remove that, or write a header such as “/SOMA” if another figure begins here.");
  }
  // A row that lost a sign is told before it is taken for other text.
  if (next && !lines[at].text && !HEADER.test(next.text) && !rowOf(next.text, true, rows[0].groups) && isNearRow(next.text, rows[0].marks.length)) notARow(next);
  return figure;
}

/** Returns `true` if a line below a figure is like a row: it has only marks, and separators between, or three digits of
 * pieces, or as many marks as the figure's rows have. A date is none. */
function isNearRow(text, marks) {
  const isDate = /^\(?\d{1,4}([-./])\d{1,2}\1\d{1,4}\)?$/.test(text);
  const own = text.replace(/[\s/|\\:／∕⁄＼｜¦]/g, ""), { length } = Array.from(own);
  const numbers = length > 2 && /\d/.test(own) && /^[0-7.]+$/.test(own);
  return !isDate && USUAL_MARKS.test(own) && (SEPARATOR.test(text) || numbers || (/[\d.]/.test(own) && length === marks));
}

/** Splits a row into its layers. Returns null if it is none; words with slashes are rows only within a figure. */
function rowOf(text, inside, firstRow) {
  const body = text.replace(/\s+[(;<].*$/, ""), slash = /^[/|]/.test(body);
  if (!SEPARATOR.test(body)) {
    const groups = spacedGroups(body);
    return groups && { groups, spaced: true, slash };
  }
  const inner = body.replace(/^[/|]\s*|\s*[/|]$/g, "");
  // With a blank on one side only, two rows may be side by side.
  if (/\s[/|]\S|\S[/|]\s/.test(inner)) return null;
  const groups = inner.split(/\s*[/|]\s*/);
  if (!groups.every((group) => MARKS.test(group))) return null;
  const usual = groups.every((group) => USUAL_MARKS.test(group));
  const even = groups.every((group) => group.length === groups[0].length);
  const fits = firstRow?.length === groups.length && groups.every((group, at) => group.length === firstRow[at].length);
  const isRow = slash ? inside || even || usual || !isProse(body) : firstRow ? fits || usual : inside ? usual || even : usual && even && groups.length > 1;
  return isRow ? { groups, spaced: false, slash } : null;
}

/** Splits `2 2 2   . . 2`: marks with blanks between, and wider gaps between layers. Next to blanks a tab is a wide gap. */
function spacedGroups(text) {
  const wide = text.replaceAll("\t", text.includes(" ") ? " ".repeat(8) : " ");
  const words = [...wide.matchAll(/\S+/g)];
  if (words.length < 3 || !words.every(([word]) => word.length === 1 && USUAL_MARKS.test(word))) return null;
  const gaps = words.slice(1).map((word, at) => word.index - words[at].index);
  const least = Math.min(...gaps);
  const groups = [words[0][0]];
  gaps.forEach((gap, at) => {
    if (gap > least) groups.push("");
    groups.push(groups.pop() + words[at + 1][0]);
  });
  return groups;
}

/** Returns the cells of rows of layers, and the pieces in place. */
function markedCells(rows) {
  const squares = rows.flatMap((groups, y) => groups.flatMap((group, z) => Array.from(group, (mark, x) => ({ mark, cell: [x, y, z] }))));
  const own = squares.filter(({ mark }) => !".-0".includes(mark)), zeros = squares.filter(({ mark }) => mark === "0");
  // 0 is the duo of SOMA+ next to other pieces of it, else empty.
  const filled = own.some(({ mark }) => "89$".includes(mark)) && (zeros.length === 2 || zeros.length + own.length === 40);
  const cells = squares.filter(({ mark }) => !".-".includes(mark) && (mark !== "0" || filled)).map(({ cell }) => cell);
  return { cells, placed: piecesInPlace(cells, ([x, y, z]) => Array.from(rows[y][z])[x]) };
}

/** The marks of pieces in SOMA text, each with its letter: the digits, and the letters themselves in any alphabet. */
const LETTERS = "VLTZABPDIQS", DIGITS = "1234567089$";
const letterOf = (mark) => [LETTERS[DIGITS.indexOf(mark)], mark.normalize("NFKC").toUpperCase()].find((letter) => letter && LETTERS.includes(letter));

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
  const [, name, list] = /^(?:(.*):)?\s*(.*)$/.exec(line.text.replace(/(?:^|\s)#.*$/, ""));
  const cells = list.split(/\s+/).filter(Boolean).map((triple) => {
    const cell = triple.split(",").map(Number);
    if (cell.length !== 3 || !/^[\d,+-]+$/.test(triple) || !cell.every(Number.isSafeInteger)) fail({ ...line, text: triple }, "is not a cell.");
    return cell;
  });
  return { name: name?.trim(), cells, read: [line], kind: "cells" };
}

/** Parses the cells of one figure, mostly one a line: `0,0,0`, `(0, 0, 0)`, `0.0 0.0 0.0`, `v 0 0 0`. */
function points(content) {
  const named = /^(?:o\s+(.*)|(.*):)$/.exec(content[0].text);
  const list = content.slice(named ? 1 : 0).filter(({ text }) => !/^[[\](){}<>\s]+$/.test(text));
  const certain = list.some(({ text }) => /^v\s|[[\](){}<>]|\d\.0/.test(text));
  const cells = list.flatMap((line) => {
    if (/(?:^|[,;([{<])\s*[,;]/.test(line.text)) fail(line, "lacks a value between two separators.");
    const numbers = line.text.replace(/^v\s|\s#.*$/g, "").split(/[\s,;()[\]{}<>]+/).filter(Boolean);
    if (!numbers.length || numbers.length % 3 || !numbers.every((one) => /^[+-]?(?:0|[1-9]\d*)(?:\.0+)?$/.test(one))) fail(line, "is not a cell; a cell is written x,y,z.");
    if (numbers.length > 3 && !certain) fail(line, "has more than one cell; write one a line.");
    return Array.from({ length: numbers.length / 3 }, (_, at) => numbers.slice(3 * at, 3 * at + 3).map(Number));
  });
  const twice = cells.findIndex((cell, at) => cells.findIndex((other) => String(other) === String(cell)) < at);
  if (twice >= 0) throw new Error(`The cell ${cells[twice]} is listed twice.`);
  // A few lines of three numbers may be heights too; without commas they are, unless the cells begin at 0 or 1 and touch.
  const perhaps = !certain && cells.length < 12;
  const near = cells.length > 1 && cells.flat().some((v) => v === 0 || v === 1);
  const touches = (cell) => cells.some((other) => cell.reduce((sum, v, axis) => sum + Math.abs(v - other[axis]), 0) === 1);
  if (perhaps && !list[0]?.text.includes(",") && !(near && cells.every(touches))) throw new Error("The figure has no cell.");
  return { name: named?.[1] ?? named?.[2], cells, perhaps, read: content, kind: "cells" };
}

/** Parses a height map: each sign is the number of cubes on a square. Rows are on one line or on several. */
function heightMap(lines) {
  const start = lines.findIndex((line) => line.text);
  const end = lines.findIndex((line, at) => at > start && !line.text);
  const rows = [], read = [];
  let name, whole = false;
  for (const line of lines.slice(start, end < 0 ? undefined : end)) {
    const [, content, comment] = /^(.*?)(\s[#;].*)?$/.exec(line.text);
    const [, before, towers] = /^(?:(.*):)?(.*)$/.exec(content);
    if (before !== undefined && !/\p{L}/u.test(before)) fail(line, "has no name before its colon; write “/” between layers.");
    if (before !== undefined && read.length) break;
    if (whole) fail(line, "follows a line of rows; write “/” between layers, or a blank line between figures.");
    if (/^\s;[\d\s;]*\d/.test(comment)) fail(line, "has a comment that may be heights; separate heights by “;” without a blank in front.");
    name = before?.trim();
    read.push(line);
    const separator = /[,;\t]/.exec(towers.trim())?.[0];
    if (separator && towers.split(separator).some((value) => !value.trim())) fail(line, "lacks a value between two separators; write 0 for an empty square.");
    const words = towers.split(/[\s,;]+/).filter(Boolean);
    const isWide = words.some((word) => word.length > 1);
    if (separator && isWide && words.every((word) => /^\d+$/.test(word) && Number(word) <= 35)) fail(line, "may be rows or heights above 9; write heights from 10 on as letters, a for 10, or rows with blanks between.");
    whole = words.length > 1 && (isWide || before !== undefined);
    if (rows.length && /^--+$/.test(rows.at(-1))) fail(read.at(-2), "may be a row of empty squares or the end of a figure; write “0” for an empty square.");
    const added = whole ? words : words.length ? [words.join("")] : [];
    for (const row of added) {
      if (!/^[\da-z.-]+$/i.test(row)) notARow(line);
      if (rows.length && row.length !== rows[0].length) fail(line, "has rows of different lengths; write 0 for an empty square.");
      rows.push(row);
    }
  }
  // Words are not heights, although letters are heights from 10 on.
  if (!rows.some((row) => /\d/.test(row)) || (rows.length === 1 && /[a-z]/i.test(rows[0]))) notARow(lines[start]);
  // Rows of 0, 1, x and o may be layers, those of 0 and 1 if others follow below a blank line.
  const all = rows.join(""), more = end >= 0 && lines.slice(end).some((line) => line.text);
  const perhaps = /^[01.xo-]+$/i.test(all) && (more || /[xo]/i.test(all));
  const heights = rows.map((row) => Array.from(row, (mark) => (".-".includes(mark) ? 0 : parseInt(mark, 36))));
  const most = Math.max(0, ...heights.flat());
  const cells = heights.flatMap((row, y) => row.flatMap((height, x) => (
    Array.from({ length: height }, (_, z) => [x, y, most - 1 - z]))));
  return { name, cells, perhaps, read, kind: "heights" };
}

/** Parses layers as blocks of rows with blank lines between. Digits and letters may be heights: only 0, 1, dots and
 * signs are certainly layers. */
function layers(lines) {
  const content = lines.filter((line) => line.text);
  const named = /^(.*):$/.exec(content[0].text)?.[1];
  const blocks = [[]];
  for (const line of lines.slice(named === undefined ? 0 : lines.indexOf(content[0]) + 1)) {
    const words = line.text.split(/[\s,;]+/).filter(Boolean);
    if (!words.length && blocks.at(-1).length) blocks.push([]);
    if (!words.length) continue;
    if (!words.every((word) => USUAL_MARKS.test(word) && (words.length === 1 || word.length === 1))) notARow(line);
    if (line.indent !== content.at(-1).indent) fail(line, "is indented differently; write “.” for an empty square.");
    blocks.at(-1).push({ line, marks: words.join("") });
  }
  if (!blocks.at(-1).length) blocks.pop();
  const squares = blocks.flat(), all = squares.map(({ marks }) => marks).join("");
  // Dashes that are a layer of their own are a line between layers, too.
  for (const block of blocks.every(({ length }) => length === 1) ? [squares] : blocks) refuseRule(block, squares);
  // In the format of yass, blanks between `o` are empty squares.
  if (all.includes("o") && !all.includes(".") && content.some(({ text }) => /o\s+o/.test(text))) fail(content[0], "has blanks between its marks; remove them, or write “.” for an empty square.");
  if (/^#\d+$/.test(content[0].text)) fail(content[0], "may be a row or a comment; begin it with “;” to make it a comment.");
  const isHeights = /^[\da-z.-]+$/i.test(all) && /\d/.test(all);
  if (!blocks.length || (blocks.length === 1 && isHeights) || (content.length === 1 && /^\p{L}+$/u.test(all))) notARow(content[0]);
  if (blocks.some((block) => block.length !== blocks[0].length || block.some(({ marks }) => marks.length !== blocks[0][0].marks.length))) {
    fail(content[0], "and the lines below are not layers of one size; write “.” for an empty square.");
  }
  const figure = markedCells(blocks[0].map((_, y) => blocks.map((block) => block[y].marks)));
  const perhaps = !/^[01.\-*#@?+xXoO]+$|[*#@?+]|^[.0-]*(\p{L})(?:\1|[.0-])*$/u.test(all);
  if (perhaps && !USUAL_SIZES.includes(figure.cells.length)) notARow(content[0]);
  return { name: named, ...figure, perhaps, read: content, kind: "layers" };
}

/** Parses JSON: a list of cells, or an object with `cells`. Returns null for other text. */
function jsonFigure(content) {
  let value, read = content;
  try {
    value = JSON.parse(content.map(({ text }) => text).join("\n"));
  } catch {
    try {
      read = content.slice(0, 1);
      value = JSON.parse(read[0].text);
    } catch {
      return null;
    }
  }
  const isCell = (one) => Array.isArray(one) && one.length === 3 && one.every(Number.isSafeInteger);
  const list = Array.isArray(value) ? value : value?.cells;
  if (!Array.isArray(list) || !list.every(isCell)) fail(content[0], "is JSON, of which this page reads only {\"cells\": [[x,y,z], …]} and lists of cells.");
  if (list === value && !USUAL_SIZES.includes(list.length) && list.flat().every((v) => v >= 0)) {
    fail(content[0], "may be cells or heights; write {\"cells\": [[x,y,z], …]}.");
  }
  const pieces = value.pieces?.flatMap?.((piece) => (typeof piece?.piece === "string" && piece.cells) || [null]);
  if (pieces?.every(isCell) && String(pieces.map(String).sort()) !== String(list.map(String).sort())) {
    fail(content[0], "has pieces that fill other cells than “cells”; remove one of them.");
  }
  if (list.length && typeof value.signature === "string" && recognize(list, value.signature.startsWith("r")).signature !== value.signature) {
    fail(content[0], "has the signature of another figure than its cells; remove one of them.");
  }
  return { name: value.name, cells: list, read };
}

/** Formats cells as SOMA text, without a header. `marks` has the mark of each cell, 1 if not given. */
function somaOf(cells, marks = new Map(cells.map((cell) => [String(cell), "1"]))) {
  const [width, depth, layers] = extentsOf(cells);
  return Array.from({ length: depth }, (_, y) => Array.from({ length: layers }, (_, z) => (
    `/${Array.from({ length: width }, (_, x) => marks.get(String([x, y, z])) ?? ".").join("")}`)).join("")).join("\n");
}
