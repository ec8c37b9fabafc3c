// Holds the reader of the page `recognize.html` against spellings of figures: each is read as the figure that was
// meant, or refused with its line. What the page reads, the program reads as the same figure, or refuses.
//
//   node read.mjs SOMACAT SITE     with the scripts of a gallery in the folder SITE
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [program, site] = process.argv.slice(2);
const scripts = ["canonical.js", "read.js"].map((name) => readFileSync(join(site, name), "utf8"));
const { recognize, readFigure } = new Function(`${scripts.join("\n")}\nreturn { recognize, readFigure };`)();
const signatureOf = (cells) => recognize(cells).signature;

/** The figures by their layers, top to bottom: `1` is a cell. */
const FIGURES = [
  "111 111 111/111 111 111/111 111 111",
  "11111 1...1 11111/11111 11111 11111",
  "111 111 ... .../111 111 111 .../111 111 111 111",
  "111111111/111111111/111111111",
  "111 1.. .../111 1.. 1../111 111 111",
  "111 .1./111 .1.",
  "111111 111111 111111/111111 111111 111111/111111 111111 111111",
  "1111 1..1 1..1 1111/1111 1..1 1..1 1111",
].map((text) => text.split("/").map((layer) => layer.split(" ").map((row) => Array.from(row, (mark) => mark === "1"))));
const cellsOfLayers = (layers) => layers.flatMap((layer, z) => layer.flatMap((row, y) => row.flatMap((cell, x) => (cell ? [[x, y, z]] : []))));
const marked = (row, mark, empty) => row.map((cell) => (cell ? mark : empty)).join("");

/** Rows of SOMA text with these signs before, between and behind the layers. */
const soma = (layers, mark, empty, [before, between, behind]) => layers[0].map((_, y) => (
  `${before}${layers.map((layer) => marked(layer[y], mark, empty)).join(between)}${behind}\n`)).join("");

/** Heights, if the figure has no overhang. */
function heightsOf(layers) {
  const tower = (x, y) => layers.map((layer) => layer[y][x]);
  const isHeap = (cells) => !cells.some((cell, z) => cell && cells.slice(z).includes(false));
  const rows = layers[0].map((row, y) => row.map((_, x) => tower(x, y)));
  return rows.flat().every(isHeap) ? rows.map((row) => row.map((cells) => cells.filter(Boolean).length)) : null;
}

/** Returns the spellings of a figure. */
function spellings(layers) {
  const cells = cellsOfLayers(layers), all = [];
  const headers = ["/SOMA a", "/SOMA-a", "|SOMA a", "SOMA104", "\\SOMA a", "/SOMA a\n;a comment", "/SOMA a\nThe first of them", "; a file\n\n/SOMA a\n"];
  const plain = ["/", "/", ""];
  const signs = [plain, ["", "/", ""], ["", " / ", ""], ["|", "|", "|"], ["/ ", " / ", " /"], ["/", "/", " (back)"], ["/", "/", "\t"],
    ["\\", "\\", ""], [":", ":", ""], ["／", "／", ""], ["", "\\", ""], ["", ",", ""], ["", ";", ""], ["", "¦", ""]];
  for (const header of headers) for (const mark of "1*xV#") for (const empty of ".-") all.push(`${header}\n${soma(layers, mark, empty, plain)}`);
  for (const mark of "1*xVoO#X+?@7p") {
    // Sevens without slashes are heights.
    for (const sign of signs.filter(([, between]) => mark !== "7" || !",;".includes(between))) for (const header of ["", "/SOMA a\n"]) all.push(header + soma(layers, mark, ".", sign));
    for (const gap of ["   ", "\t"]) {
      const rows = layers[0].map((_, y) => layers.map((layer) => Array.from(marked(layer[y], mark, ".")).join(" ")).join(gap));
      all.push(rows.join("\n"), `/SOMA a\n${rows.join("\n")}`);
    }
    for (const empty of mark === "7" ? "" : ".-0 ") for (const between of ["", " ", ",", "\t"]) {
      all.push(layers.map((layer) => layer.map((row) => Array.from(marked(row, mark, empty)).join(between)).join("\n")).join("\n\n"));
    }
  }
  for (const between of [",", ", ", " ", "\t", ";", "; "]) {
    for (const [before, behind] of [["", ""], ["(", ")"], ["[", "],"], ["v ", ""]]) all.push(cells.map((cell) => before + cell.join(between) + behind).join("\n"));
  }
  all.push(cells.map((cell) => cell.map((v) => `${v}.0`).join(" ")).join("\n"), cells.map((cell) => cell.map((v) => `${v}.5`).join(" ")).join("\n"));
  all.push(cells.map((cell) => cell.join(",")).join(" "), `a: ${cells.map((cell) => cell.join(",")).join(" ")}`);
  all.push(JSON.stringify(cells), JSON.stringify({ name: "a", cells }), `${JSON.stringify({ cells }, null, 1)}\n`);
  const heights = heightsOf(layers);
  if (heights) {
    for (const between of ["", " ", ",", ";", "\t", ", "]) for (const above of ["", "# a map\n; of towers\n", "a:\n"]) all.push(above + heights.map((row) => row.join(between)).join("\n"));
    for (const between of [" ", ";", ",", "\t", " ; "]) all.push(heights.map((row) => row.join("")).join(between), `a: ${heights.map((row) => row.join("")).join(between)}`);
  }
  return all.flatMap((text) => [text, `\ufeff${text.replaceAll("\n", "\r\n")}\r\n\x1a`]);
}

/** Reads a text as the page does: the signature, or the reason of the refusal. */
function read(text) {
  try {
    const { cells, unread } = readFigure(text);
    return { signature: signatureOf(cells), unread };
  } catch (error) {
    return { refused: error.message };
  }
}

const wrong = [];
const told = { right: 0, refused: 0 };
for (const layers of FIGURES) {
  const meant = signatureOf(cellsOfLayers(layers));
  for (const text of spellings(layers)) {
    const { signature, unread, refused } = read(text);
    if (refused) assert.match(refused, /^(Line \d+: “.*” \S.*\.$|The cell .* is listed twice\.$)/s, text);
    else if (signature !== meant || unread.length) wrong.push(JSON.stringify(text));
    told[refused ? "refused" : "right"] += 1;
    if (process.env.SHOW && refused) console.log(JSON.stringify(text), refused);
  }
}
assert.deepEqual(wrong, []);
assert(told.right > 2 * told.refused, JSON.stringify(told));

// Texts that were read as another figure, or lost lines. Each is read as the program reads it, with these lines unread.
const CUBE = "/111/111/111\n/111/111/111\n/111/111/111\n";
const READ = [
  ["/SOMA bathtub\n*****/*****\n*...*/*****\n*****/*****\n"], ["1**/***/***\n11*/***/***\n***/***/***\n"], ["67;77\n"], ["3;3;3\n3;3;3\n3;3;3\n"],
  ["772/752/552\n762/451/411\n466/436/333\nPPL/PAL/AAL\nPBL/ZAV/ZVV\nZBB/ZTB/TTT\n"], ["333,333,333\n"], ["3 3 3\n3 3 3\n3 3 3\n"],
  ["2 2 2   . . 2\n2 . .   . . .\n"], ["/SOMA a\n1##/###/###\n##1/###/###\n#1#/###/###\n"], ["; a comment\n345 333 123\n# another\n"],
  ["67 77\n\n333 333 333\n", 3], [`${CUBE}\nSOMA2 b\n\\111\\111\n`, 5, 6], [`${CUBE}\n1999-12-31\n`, 5], ["Some words.\n/11/1.\n", 1], ["a: 67 77\nb: 66 77\n", 2],
];
for (const [text, ...lines] of READ) {
  const { stdout } = spawnSync(program, ["count", "--jsonl", "--partial", "--nodes", "1", "-"], { input: text, encoding: "utf8" });
  const { signature, unread } = read(text);
  const known = JSON.parse(stdout.split("\n")[0]).signature;
  assert(signature === known || known.replace(/^r/, "s") === signature, text);
  assert.deepEqual(unread, lines, text);
}
// The line of the refusal.
const REFUSED = [
  [2, "/SOMA a\n\\111\\111\n\\111\\111\n"], [2, "/111/111\n/11/111\n"], [2, "/111/111\n/111\n"], [2, "/111/111\n~~~/~~~\n"], [1, "111/111\n"],
  [4, "/SOMA a\n/111/111\n\n/111/111\n"], [1, "/SOMA a\n/SOMA b\n/11\n"], [2, "/11\n---\n/11\n"], [2, "/SOMA a\n111/ 111/ 111\n"], [1, "1 2/1 1\n"],
  [1, "10,12\n"], [1, "3,,3\n"], [1, "67 77 ; 77\n"], [1, "333 33\n"], [2, "67 77\n66 77\n"], [1, "1,2,3\n"], [1, "0,0,0\n1,0,0\n"], [1, "half: 0,0,0 1,0,x\n"],
  [1, "11\n11\n\n11\n1.\n"], [1, "772\n762\n466\n\n752\n451\n436\n\n552\n411\n333\n"], [1, "[[0,0,0],[1,0,0]]"], [1, "{\"heights\": [[6,7]]}"], [1, "hello world"],
  [1, "/11/111\n"], [2, "/###/#..\n|---|---|\n/##./...\n"], [3, "###\n#..\n---\n##.\n...\n"], [3, "##.\n\n---\n\n##.\n"], [2, "11\n--\n11\n"], [1, "(1,,1,1)\n"],
  [1, "1,0,0,0\n1,1,0,0\n2,0,1,0\n2,1,1,0\n"], [1, "0 0 0 1\n1 0 0 1\n0 1 0 2\n1 1 0 2\n"],
  [1, "{\"cells\": [[0,0,0],[1,0,0]], \"signature\": \"s1-1x1x1-1\"}"], [1, "SOMA-TOWER-1"],
  [5, `${CUBE}\n\\111\\111\\111\n`], [5, `${CUBE}\n111:111:111\n`], [5, `${CUBE}\n11 111 11\n`], [1, "{\"cells\": [[0,0,0]], \"pieces\": [{\"piece\": \"V\", \"cells\": [[1,0,0]]}]}"],
];
for (const [line, text] of REFUSED) assert.match(read(text).refused ?? "read", new RegExp(`^Line ${line}: `), text);
// The pieces in place are those of the marks.
assert.deepEqual(readFigure("1**/***/***\n11*/***/***\n***/***/***\n").placed, [{ mark: "1", letter: "V", cells: [[0, 0, 0], [0, 1, 0], [1, 1, 0]] }]);
console.log(`ok reader: ${told.right} spellings read, ${told.refused} refused`);
