// Tracks of steps: a packing that is built piece by piece, or the trace of a search. A step at
// depth d undoes everything at depth d and deeper, and then places its piece.
"use strict";

class Track {
  /** `placed` has the pieces in place before the first step. */
  constructor({ name = "", set = "", cells, steps, placed = [], complete = null, packings = null }, isTrace) {
    Object.assign(this, { name, set, cells, steps, complete, packings, isTrace, before: placed });
    // The parent of each step, which makes the state after any step quick to find.
    this.parents = new Int32Array(steps.length);
    const latest = [];
    steps.forEach((step, at) => {
      this.parents[at] = step.depth === 0 ? -1 : latest[step.depth - 1];
      latest[step.depth] = at;
      latest.length = step.depth + 1;
    });
  }

  get length() {
    return this.steps.length;
  }

  /** Returns the pieces in place after `count` steps, in the order of placement. */
  placed(count) {
    const chain = [];
    for (let at = count - 1; at >= 0; at = this.parents[at]) chain.push(at);
    const pieces = this.before.concat(chain.reverse().map((at) => this.steps[at]));
    return numberedBodies(pieces.map(({ piece, cells }) => ({ piece, cells: cells.map((cell) => this.cells[cell]) })));
  }

  /** Returns all pieces that are ever placed, with copies listed separately. */
  pieces() {
    const most = new Map();
    const counts = [];
    const before = this.before.length;
    const all = this.before.map(({ piece }, depth) => ({ piece, depth: depth - before })).concat(this.steps);
    for (const { depth, piece } of all) {
      for (const gone of counts.splice(before + depth)) most.get(gone).now -= 1;
      counts.push(piece);
      const known = most.get(piece) || { now: 0, most: 0 };
      known.now += 1;
      known.most = Math.max(known.most, known.now);
      most.set(piece, known);
    }
    return [...most].flatMap(([piece, { most: copies }]) => (
      Array.from({ length: copies }, (_, n) => ({ key: pieceKey(piece, n + 1), piece, copy: n + 1 }))));
  }

  /** Describes step `count`. */
  told(count) {
    if (count === 0 && this.before.length) return `Before the first placement: ${this.before.length} in place.`;
    if (count === 0) return this.isTrace ? "Before the first placement." : `Nothing is in place yet; ${this.length} pieces to go.`;
    const step = this.steps[count - 1];
    if (!this.isTrace) {
      const rest = this.length - count;
      const where = whereInWords(step.cells.map((cell) => this.cells[cell]), this.cells);
      return `${step.piece}: ${where}. ${rest ? `${rest} ${rest === 1 ? "piece" : "pieces"} to go.` : "Complete."}`;
    }
    const before = count > 1 ? this.steps[count - 2].depth + 1 : 0;
    const undone = before - step.depth;
    const words = [];
    if (undone > 0) words.push(`${undone} ${undone === 1 ? "piece" : "pieces"} taken back`);
    words.push(`${step.piece} placed`);
    words.push(`${this.before.length + step.depth + 1} in place`);
    if (step.solved) words.push("a packing");
    const number = step.n === count ? "" : ` (placement ${step.n} of the search)`;
    return `Step ${count}${number}: ${words.join(", ")}.`;
  }
}

/** Descriptions of building orders by the sign in a solution. */
const ORDERS = {
  "=": "Every piece is lowered from above, and what is in place stands after each (loose pieces, friction 0.5).",
  "!": "Every piece is lowered from above, but no such order keeps what is in place from falling (loose pieces, friction 0.5).",
  ":": "Every piece is lowered from above; the stability of what is in place was not determined.",
  ";": "Pieces interlock: not every one can be lowered from above.",
};

/** Converts a solution to a track. The text has letters in building order, the sign for the properties of that
 * order, and for each cell the number of its piece as an offset from 0. */
function solutionTrack(text, { name = "", set = "", cells }) {
  const signs = Array.from(text);
  const numbers = signs.splice(-cells.length).map((owner) => owner.codePointAt(0) - 48);
  const sign = signs.pop();
  const steps = signs.map((piece, depth) => ({
    n: depth + 1, depth, piece, cells: numbers.flatMap((owner, cell) => (owner === depth ? [cell] : [])),
  }));
  const track = new Track({ name, set, cells, steps }, false);
  track.order = ORDERS[sign];
  return track;
}

/** Parses a trace of `somacat solve --trace`. Throws an error that describes the problem. */
function readTrace(text) {
  const parse = (json) => {
    try {
      return JSON.parse(json);
    } catch {
      return null;
    }
  };
  // A file of several traces has one a line. Only the first is shown.
  const trace = parse(text) ?? parse(text.split("\n", 1)[0]);
  const whole = (n) => Number.isInteger(n) && n >= 0;
  const fail = (what) => {
    throw new Error(`This file is not a trace: ${what}.`);
  };
  if (trace === null || typeof trace !== "object") fail("it holds no JSON object");
  const { cells, steps, placed = [] } = trace;
  const isCell = (cell) => Array.isArray(cell) && cell.length === 3 && cell.every(Number.isInteger);
  if (!Array.isArray(cells) || !cells.length || !cells.every(isCell)) fail("“cells” is not a list of cells");
  if (!Array.isArray(steps)) fail("“steps” is not a list");
  if (!Array.isArray(placed)) fail("“placed” is not a list");
  const known = (cell) => whole(cell) && cell < cells.length;
  const check = (step, where) => {
    if (step === null || typeof step !== "object") fail(`${where} is not an object`);
    if (typeof step.piece !== "string" || !step.piece) fail(`${where} names no piece`);
    if (!Array.isArray(step.cells) || !step.cells.length || !step.cells.every(known)) fail(`${where} has cells the figure lacks`);
  };
  placed.forEach((piece, at) => check(piece, `piece ${at + 1} in place`));
  let depth = -1;
  steps.forEach((step, at) => {
    const where = `step ${at + 1}`;
    check(step, where);
    if (!whole(step.depth) || step.depth > depth + 1) fail(`${where} has the depth ${step.depth} after ${depth}`);
    depth = step.depth;
  });
  return new Track(trace, true);
}

/** Formats the placed pieces as SOMA text: letters (small ones for further copies), * for free cells. */
function layers(cells, placed) {
  const axes = [0, 1, 2];
  const low = axes.map((axis) => cells.reduce((m, c) => Math.min(m, c[axis]), Infinity));
  const size = axes.map((axis) => cells.reduce((m, c) => Math.max(m, c[axis]), -Infinity) - low[axis] + 1);
  if (size[0] * size[1] * size[2] > 5000) return "The figure lies in too large a box for SOMA text.";
  const marks = new Map(cells.map((cell) => [String(cell), "*"]));
  for (const { piece, copy, cells: its } of placed) {
    for (const cell of its) marks.set(String(cell), copy > 1 ? piece.toLowerCase() : piece);
  }
  const lines = [];
  for (let y = 0; y < size[1]; y++) {
    let line = "";
    for (let z = 0; z < size[2]; z++) {
      line += "/";
      for (let x = 0; x < size[0]; x++) line += marks.get(String([x + low[0], y + low[1], z + low[2]])) || ".";
    }
    lines.push(line);
  }
  return lines.join("\n");
}
