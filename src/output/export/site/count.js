// Counts the packings of a figure of up to 64 cells with any pieces. Does not use the document.
//
// The cells are bits of two numbers. The lowest empty cell is covered next, by every placement that begins there: each
// packing is found once.
"use strict";

const PIECES = {
  V: [[0, 0, 0], [1, 0, 0], [0, 1, 0]],
  L: [[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]],
  T: [[0, 0, 0], [1, 0, 0], [2, 0, 0], [1, 1, 0]],
  Z: [[0, 0, 0], [1, 0, 0], [1, 1, 0], [2, 1, 0]],
  A: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 0, 1]],
  B: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 1]],
  P: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
};
/** The kinds of pieces of SOMA, and the number of copies of each. */
const SOMA = Object.entries(PIECES).map(([letter, cells]) => ({ letter, cells, copies: 1 }));
/** The most cells of figures to count. */
const MOST_COUNTED = 64;

const knownRotations = new Map();
/** Returns the distinct rotations of cells by their texts. */
function rotationsOf(cells) {
  const text = String(cells);
  const images = () => TRANSFORMS.filter((t) => t.rotation).map((t) => transformed(cells, t));
  if (!knownRotations.has(text)) knownRotations.set(text, new Map(images().map((image) => [String(image), image])));
  return knownRotations.get(text);
}

/** Returns the number of cells of the connected part that each cell belongs to. */
function partSizes(cells) {
  const free = new Set(cells.map(String));
  const sizes = new Map();
  for (const start of cells) {
    const part = free.delete(String(start)) ? [start] : [];
    for (const cell of part) {
      for (let side = 0; side < 6; side++) {
        const next = cell.map((v, axis) => v + (side >> 1 === axis ? side % 2 * 2 - 1 : 0));
        if (free.delete(String(next))) part.push(next);
      }
    }
    part.forEach((cell) => sizes.set(String(cell), part.length));
  }
  return sizes;
}

/** Prepares cells for `countPackings` with kinds of pieces: the placements of each kind, and for each symmetry of the
 * figure the cells' preimages and whether it is a reflection, which exchanges pieces with their mirror images. */
function preparedProblem(given, kinds = SOMA) {
  // Slices across the longest side leave the fewest open cells between the filled part and the rest. Small parts come
  // first, because most of those that cannot be filled are small.
  const extents = extentsOf(normalized(given));
  const axis = extents.indexOf(Math.max(...extents));
  const sizes = partSizes(normalized(given));
  const cells = normalized(given).sort((a, b) => sizes.get(String(a)) - sizes.get(String(b)) || a[axis] - b[axis]);
  const at = new Map(cells.map((cell, index) => [String(cell), index]));
  // For each offset, the position of the cell at that offset from each cell.
  const neighbors = new Map();
  const neighborsAt = (offset) => {
    const text = String(offset);
    if (!neighbors.has(text)) neighbors.set(text, cells.map((cell) => at.get(String(cell.map((v, along) => v + offset[along])))));
    return neighbors.get(text);
  };
  const placements = kinds.map((kind) => [...rotationsOf(kind.cells).values()].flatMap((image) => {
    const covered = image.map((to) => neighborsAt(to.map((v, along) => v - image[0][along])));
    return covered[0].map((cell) => covered.map((positions) => positions[cell]))
      .filter((indexes) => !indexes.includes(undefined)).map((indexes) => indexes.sort((a, b) => a - b));
  }));
  const mirrored = kinds.map((kind) => {
    const image = String(normalized(kind.cells.map(([x, y, z]) => [-x, y, z])));
    return kinds.findIndex(({ cells: own, copies }) => copies === kind.copies && rotationsOf(own).has(image));
  });
  const group = recognize(cells).group.map(transform).filter(({ rotation }) => rotation || !mirrored.includes(-1));
  const images = group.map((t) => {
    const moved = cells.map((cell) => applied(t, cell));
    const low = [0, 1, 2].map((along) => Math.min(...moved.map((cell) => cell[along])));
    const from = [];
    moved.forEach((cell, index) => { from[at.get(String(cell.map((v, along) => v - low[along])))] = index; });
    return { from, reflection: !t.rotation };
  });
  return { cells, letters: kinds.map(({ letter }) => letter), copies: kinds.map(({ copies }) => copies), placements, mirrored, images };
}

/** Counts packings: all (raw), and for pieces without copies up to rotation and reflection (unique). Also returns the
 * pieces of the first one with the positions of their cells, and whether the count is complete: it stops after some
 * milliseconds, or at `enough` packings. Complete in itself, so that a worker can run its text. */
function countPackings({ cells, letters, copies, placements, mirrored, images }, { milliseconds = Infinity, enough = Infinity } = {}) {
  const kinds = letters.length;
  const mask = (indexes, number) => indexes.reduce((bits, cell) => (cell >> 5 === number ? bits | 1 << cell : bits), 0);
  const full = [0, 1].map((number) => mask([...cells.keys()], number));
  // The masks of the placements that begin at a cell, kind by kind: those of a kind begin at `starts`.
  const begin = cells.map(() => placements.map(() => []));
  placements.forEach((all, kind) => all.forEach((indexes) => begin[indexes[0]][kind].push(indexes)));
  const lists = begin.flat();
  const starts = new Int32Array(lists.length + 1);
  lists.forEach((list, at) => { starts[at + 1] = starts[at] + list.length; });
  const flat = lists.flat();
  const word = (number) => Int32Array.from(flat, (indexes) => mask(indexes, number));
  const [lows, highs] = [word(0), word(1)];
  const left = Int32Array.from(copies);
  const kindOf = Uint8Array.from(lists.flatMap((list, at) => list.map(() => at % kinds)));
  const chosen = new Int32Array(cells.length);
  const owner = new Uint8Array(cells.length);
  const single = copies.every((number) => number === 1);
  let raw = 0, unique = 0, first = null, complete = true, steps = 0;
  const end = performance.now() + milliseconds;
  // Of the images of a packing, only the smallest counts as unique.
  const isSmallest = () => images.every(({ from, reflection }) => {
    for (let index = 0; index < owner.length; index++) {
      const piece = owner[from[index]];
      const image = reflection ? mirrored[piece] : piece;
      if (image !== owner[index]) return image > owner[index];
    }
    return true;
  });
  const piecesInPlace = (depth) => letters.flatMap((letter, kind) => (
    [...chosen.subarray(0, depth)].filter((at) => kindOf[at] === kind).map((at, n) => ({ letter, copy: n + 1, cells: flat[at] }))));
  const found = (depth) => {
    raw += 1;
    for (let at = 0; at < depth; at++) for (const cell of flat[chosen[at]]) owner[cell] = kindOf[chosen[at]];
    first ??= piecesInPlace(depth);
    if (single && isSmallest()) unique += 1;
    if (raw >= enough) complete = false;
  };
  const cover = (low, high, depth) => {
    const [freeLow, freeHigh] = [full[0] & ~low, full[1] & ~high];
    if (!freeLow && !freeHigh) return found(depth);
    steps += 1;
    if (steps % 4096 === 0 && performance.now() > end) complete = false;
    const lowest = freeLow ? 31 - Math.clz32(freeLow & -freeLow) : 63 - Math.clz32(freeHigh & -freeHigh);
    for (let kind = 0; kind < kinds; kind++) {
      if (!left[kind]) continue;
      const list = lowest * kinds + kind;
      for (let at = starts[list]; at < starts[list + 1]; at++) {
        if (low & lows[at] | high & highs[at]) continue;
        left[kind] -= 1;
        chosen[depth] = at;
        cover(low | lows[at], high | highs[at], depth + 1);
        left[kind] += 1;
        if (!complete) return;
      }
    }
  };
  cover(0, 0, 0);
  return { raw, unique, first, complete };
}

/** Runs `countPackings` for each problem in a worker, or here where the browser starts none for a local file. Returns
 * the worker. */
function countInBackground(problems, show, limits) {
  try {
    const script = `"use strict";\n${countPackings}\nonmessage = ({ data: [problems, limits] }) => { postMessage(problems.map((problem) => countPackings(problem, limits))); close(); };`;
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const worker = new Worker(address);
    worker.onmessage = ({ data }) => {
      URL.revokeObjectURL(address);
      show(data);
    };
    worker.postMessage([problems, limits]);
    return worker;
  } catch {
    show(problems.map((problem) => countPackings(problem, limits)));
    return null;
  }
}
