// Holds the scripts of the figures' pages against the program: every figure of a catalog and many others, in all 48
// positions, must get the signature and the order that the program gives them, and the counts of the puzzle.
//
//   node recognize.mjs SOMACAT GALLERY     in the folder of the catalog
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { address, browser, open, troubles } from "./lib.mjs";

const [program, gallery] = process.argv.slice(2);
const { recognize, cellsOf, transformed, TRANSFORMS } = new Function(
  `${readFileSync(join(gallery, "canonical.js"), "utf8")}\nreturn { recognize, cellsOf, transformed, TRANSFORMS };`)();

const told = (args, input) => execFileSync(program, args, { input, encoding: "utf8", maxBuffer: 2 ** 27 });
const rows = (args, input) => told(args, input).trim().split("\n").map((line) => JSON.parse(line));
const fixed = rows(["query", "--jsonl"]);
assert(fixed.length > 40);
let compared = 0;

/** Compares a figure in all positions with what the program says; in those that rotations lead to, if mirror images are
 * two figures. */
function compare(cells, { signature, order }) {
  const rotationsOnly = signature.startsWith("r");
  for (const t of TRANSFORMS.filter(({ rotation }) => rotation || !rotationsOnly)) {
    const image = transformed(cells, t);
    const found = recognize(image, rotationsOnly);
    const { group } = rotationsOnly ? recognize(image) : found;
    assert.equal(found.signature, signature, `${signature} by T${t.number}`);
    assert.equal(group.length, order, signature);
    assert.equal(String(transformed(image, TRANSFORMS[found.toCanonical - 1])), String(transformed(cellsOf(signature), TRANSFORMS[0])));
    compared += 1;
  }
}
for (const row of fixed) compare(cellsOf(row.signature), row);

// Figures of every kind of spelling: small, in parts, spread out, far beyond 2^53 cells of a box. The numbers come from
// a linear congruence, so that every run compares the same ones.
let seed = 20;
const random = (below) => {
  seed = (seed * 16807) % 2147483647;
  return seed % below;
};
const figures = Array.from({ length: 200 }, (_, n) => {
  const side = [2, 3, 4, 7, 20, 200_000_000][n % 6];
  const [cells, number] = [new Map(), 1 + random(7)];
  while (cells.size < number) {
    const cell = [random(side), random(side), random(side)];
    cells.set(String(cell), cell);
  }
  return [...cells.values()];
});
const lines = figures.map((cells, at) => `f${at}: ${cells.map((cell) => cell.join(",")).join(" ")}`);
// A figure has a row for each choice of pieces. Where one hand of A and B is missing, mirror images are two figures.
const partial = rows(["count", "--jsonl", "--partial", "--format", "cells", "-"], lines.join("\n"));
assert.equal(new Set(partial.map(({ name }) => name)).size, figures.length);
assert(partial.some(({ signature }) => signature.startsWith("r")));
for (const row of partial) compare(figures[Number(row.name.slice(1))], row);

// Counts of the page: of the catalog, and of random connected figures, some of them with symmetry.
const grown = Array.from({ length: 500 }, (_, n) => {
  const halfTurn = n % 3 === 0;
  const cells = new Map([["0,0,0", [0, 0, 0]]]);
  while (cells.size < 27) {
    const from = [...cells.values()][random(cells.size)];
    const to = from.map((v, axis) => v + (random(3) === axis ? random(2) * 2 - 1 : 0));
    if (to.some((v, axis) => Math.abs(v) > [2, 1, 1][axis])) continue;
    const both = [to, halfTurn ? [-to[0], -to[1], to[2]] : to];
    if (new Set([...cells.keys(), ...both.map(String)]).size <= 27) both.forEach((cell) => cells.set(String(cell), cell));
  }
  return [...cells.values()];
});
const counted = [
  ...fixed.filter(({ cells, set }) => cells === 27 && set === "SOMA"),
  ...rows(["count", "--jsonl", "--format", "cells", "-"], grown.map((cells) => cells.map((cell) => cell.join(",")).join(" ")).join("\n")),
].filter(({ verdict }) => verdict === "counted" || verdict === "unsolvable");
assert(counted.length > 500 && counted.filter(({ raw }) => raw > 0).length > 100 && counted.some(({ raw, order }) => raw > 0 && order > 1));
// In Chromium, by a worker of a page.
const reader = await open(address(gallery, "figures/s1-3x3x3-zzzzz3.html"));
await reader.evaluate(() => { window.counts = (problems) => new Promise((done) => { countInBackground(problems, done); }); });
const whole = await reader.evaluate(async (lists) => {
  const start = performance.now();
  const results = await window.counts(lists.map((cells) => preparedProblem(cells)));
  return { spent: performance.now() - start, rows: results.map(({ raw, unique }) => [raw, unique]) };
}, counted.map(({ signature }) => cellsOf(signature)));
whole.rows.forEach((row, at) => assert.deepEqual(row, [counted[at].raw, counted[at].unique], counted[at].signature));
assert.equal(whole.rows.length, counted.length);
// All figures of class S4, without a worker for each.
const listed = told(["enumerate", "symmetric", "--class", "S4", "--exact", "--cells", "27", "--format", "cells", "--quiet"]);
const ofClass = rows(["count", "--jsonl", "--format", "cells", "-"], listed);
const found = await reader.evaluate((signatures) => signatures.map((signature) => {
  const { raw, unique } = countPackings(preparedProblem(cellsOf(signature)));
  return [signature, raw, unique];
}), ofClass.map(({ signature }) => signature));
assert.deepEqual(found, ofClass.map(({ signature, raw, unique }) => [signature, raw, unique]));
assert.equal(found.length, 8943);
await browser.close();
assert.deepEqual(troubles, []);
console.log(`ok counts: ${counted.length} figures in ${Math.round(whole.spent)} ms, ${found.length} of class S4`);
console.log(`ok recognizer: ${compared} positions of ${fixed.length + figures.length} figures`);
