// The 48 symmetries, canonical forms and signatures, with the program's definitions, so that a page can recognize
// a figure. Does not use the document.
"use strict";

const SIGNS = "0123456789abcdefghjkmnpqrstvwxyz";

/** T1 … T48 in Nungester's numbering: for each axis of the image, its source axis and whether it is negated. */
const TRANSFORMS = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]].flatMap((axes, pattern) => (
  [0, 1, 2, 3, 4, 5, 6, 7].map((signs) => {
    const negated = [4, 2, 1].map((bit) => (signs & bit) !== 0);
    const odd = negated.filter(Boolean).length % 2 === 1;
    return { number: pattern * 8 + signs + 1, axes, negated, rotation: [1, 2, 5].includes(pattern) === odd };
  })));

const transform = (number) => TRANSFORMS[number - 1];
const applied = ({ axes, negated }, cell) => axes.map((axis, at) => (negated[at] ? -cell[axis] : cell[axis]));

/** Returns the transform `a` followed by `b`. */
function then(a, b) {
  const axes = b.axes.map((axis) => a.axes[axis]);
  const negated = b.axes.map((axis, at) => b.negated[at] !== a.negated[axis]);
  return TRANSFORMS.find((t) => axes.every((axis, at) => t.axes[at] === axis && t.negated[at] === negated[at]));
}

const inverse = (t) => TRANSFORMS.find((other) => then(t, other).number === 1);

/** Moves cells so that the smallest coordinates are 0, and sorts them in the program's order. */
function normalized(cells) {
  const low = [0, 1, 2].map((axis) => cells.reduce((least, cell) => Math.min(least, cell[axis]), Infinity));
  return cells.map((cell) => cell.map((v, axis) => v - low[axis])).sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
}

const transformed = (cells, t) => normalized(cells.map((cell) => applied(t, cell)));
const extentsOf = (cells) => [0, 1, 2].map((axis) => cells.reduce((most, cell) => Math.max(most, cell[axis] + 1), 0));

/** Compares lists of numbers lexicographically. */
function compareLists(a, b) {
  for (let at = 0; at < Math.min(a.length, b.length); at++) if (a[at] !== b[at]) return a[at] < b[at] ? -1 : 1;
  return a.length - b.length;
}

/** Ranks the six directed axes by extent and numbers of cells in the layers: `ranks[axis][negated]`. */
function directedRanks(cells, extents) {
  const directed = [0, 1, 2].flatMap((axis) => {
    const layers = new Map();
    for (const cell of cells) layers.set(cell[axis], (layers.get(cell[axis]) || 0) + 1);
    const counts = [...layers].sort((a, b) => a[0] - b[0]).map(([, count]) => count);
    return [0, 1].map((negated) => ({ axis, negated, order: [extents[axis], ...(negated ? [...counts].reverse() : counts)] }));
  });
  const ranks = [[0, 0], [0, 0], [0, 0]];
  for (const one of directed) {
    ranks[one.axis][one.negated] = directed.filter((other) => compareLists(other.order, one.order) < 0).length;
  }
  return ranks;
}

/** Returns the numbers x + X·(y + Y·z) of an image's cells, the highest first. */
function occupancy(cells, extents, t, integer) {
  const sizes = t.axes.map((axis) => extents[axis]);
  const numbers = cells.map((cell) => {
    const [x, y, z] = t.axes.map((axis, at) => integer(t.negated[at] ? extents[axis] - 1 - cell[axis] : cell[axis]));
    return x + integer(sizes[0]) * (y + integer(sizes[1]) * z);
  });
  return numbers.sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));
}

/** Spells a canonical form. */
function spelled(letter, extents, numbers, integer) {
  const volume = extents.reduce((product, extent) => product * integer(extent), integer(1));
  let text = `${letter}1-${extents.join("x")}`;
  if (volume <= integer(8 * numbers.length)) {
    const signs = new Array(Math.ceil(Number(volume) / 5)).fill(0);
    for (const number of numbers) signs[Math.floor(Number(number) / 5)] |= 1 << Number(number) % 5;
    return `${text}-${signs.map((sign) => SIGNS[sign]).join("")}`;
  }
  text += ".";
  let next = integer(0);
  for (const number of numbers) {
    let gap = number - next;
    next = number + integer(1);
    while (gap > integer(15)) {
      const low = Number(gap % integer(16));
      text += SIGNS[low + 16];
      gap = (gap - integer(low)) / integer(16);
    }
    text += SIGNS[Number(gap)];
  }
  return text;
}

/** Recognizes a figure up to all 48 transforms, or up to rotations. Returns its signature, the numbers of the
 * transforms in its group, and the lowest-numbered transform to its canonical form. */
function recognize(given, rotationsOnly = false) {
  const cells = normalized(given);
  const extents = extentsOf(cells);
  const integer = extents[0] * extents[1] * extents[2] < 2 ** 50 ? Number : BigInt;
  const ranks = directedRanks(cells, extents);
  const key = (t) => t.axes.map((axis, at) => ranks[axis][Number(t.negated[at])]);
  const allowed = TRANSFORMS.filter((t) => t.rotation || !rotationsOnly);
  const least = allowed.map(key).reduce((a, b) => (compareLists(a, b) <= 0 ? a : b));
  let best = null, winners = [];
  for (const t of allowed.filter((one) => compareLists(key(one), least) === 0)) {
    const numbers = occupancy(cells, extents, t, integer);
    const order = best ? compareLists(numbers, best) : -1;
    if (order < 0) [best, winners] = [numbers, [t]];
    else if (order === 0) winners.push(t);
  }
  const back = inverse(winners[0]);
  return {
    signature: spelled(rotationsOnly ? "r" : "s", winners[0].axes.map((axis) => extents[axis]), best.reverse(), integer),
    group: winners.map((t) => then(t, back).number).sort((a, b) => a - b),
    toCanonical: winners[0].number,
  };
}

/** Returns the cells of a signature, or null if it is invalid. */
function cellsOf(signature) {
  const match = /^[rs]1-(\d+)x(\d+)x(\d+)([-.])([0-9a-z]+)$/.exec(signature);
  if (!match) return null;
  const integer = match.slice(1, 4).reduce((product, extent) => product * extent, 1) < 2 ** 50 ? Number : BigInt;
  const [x, y, z] = match.slice(1, 4).map((extent) => integer(extent));
  const [zero, one] = [integer(0), integer(1)];
  const numbers = [];
  let [next, gap, scale] = [zero, zero, one];
  for (const [at, sign] of Array.from(match[5]).entries()) {
    const value = SIGNS.indexOf(sign);
    if (value < 0) return null;
    if (match[4] === "-") {
      for (let bit = 0; bit < 5; bit++) if (value >> bit & 1) numbers.push(integer(5 * at + bit));
    } else {
      gap += integer(value & 15) * scale;
      scale *= integer(16);
      if (value < 16) {
        numbers.push(next + gap);
        next += gap + one;
        [gap, scale] = [zero, one];
      }
    }
  }
  if (!numbers.length || numbers.at(-1) >= x * y * z) return null;
  return numbers.map((n) => {
    const along = n % x, rows = (n - along) / x;
    return [along, rows % y, (rows - rows % y) / y].map(Number);
  });
}

/** Returns the kind of a transform, as its position in the table of classes: identity, planar reflection, face
 * half turn, inversion, diagonal reflection, quarter turn, edge half turn, 4-fold roto-reflection, third turn,
 * 6-fold roto-reflection. */
function kindOf({ axes, negated, rotation }) {
  const stays = axes.every((axis, at) => axis === at);
  const trace = axes.reduce((sum, axis, at) => sum + (axis === at ? (negated[at] ? -1 : 1) : 0), 0);
  if (rotation) return { 3: 0, 1: 5, 0: 8 }[trace] ?? (stays ? 2 : 6);
  return { "-3": 3, "-1": 7, 0: 9 }[trace] ?? (stays ? 1 : 4);
}
