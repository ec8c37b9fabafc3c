// Counts the packings of any figure of up to 27 cells with the seven pieces of SOMA, or with a choice of them. Does not
// use the document.
//
// The cells are bits of a number. The lowest empty cell is covered next, by every placement that begins there: each
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
const SOMA_CELLS = 27;

/** Prepares at most 27 cells for `countPackings`: the placements by their lowest cell and piece, and for each symmetry of the
 * figure the cells' preimages and whether it is a reflection, which exchanges A and B. */
function preparedProblem(given) {
  // Slices across the longest side leave the fewest open cells between the filled part and the rest.
  const extents = extentsOf(given);
  const axis = extents.indexOf(Math.max(...extents));
  const cells = normalized(given).sort((a, b) => a[axis] - b[axis]);
  const at = new Map(cells.map((cell, index) => [String(cell), index]));
  const pieces = Object.keys(PIECES);
  const placements = cells.map(() => pieces.map(() => []));
  for (const [piece, shape] of Object.values(PIECES).entries()) {
    const turned = new Map(TRANSFORMS.filter((t) => t.rotation).map((t) => {
      const image = transformed(shape, t);
      return [String(image), image];
    }));
    const masks = new Set();
    for (const image of turned.values()) {
      for (const [x, y, z] of cells) {
        const [first] = image;
        const indexes = image.map((cell) => at.get(String([x + cell[0] - first[0], y + cell[1] - first[1], z + cell[2] - first[2]])));
        if (indexes.every((index) => index !== undefined)) masks.add(indexes.reduce((mask, index) => mask | 1 << index, 0));
      }
    }
    for (const mask of masks) placements[31 - Math.clz32(mask & -mask)][piece].push(mask);
  }
  const images = recognize(cells).group.map((number) => {
    const moved = cells.map((cell) => applied(transform(number), cell));
    const low = [0, 1, 2].map((along) => Math.min(...moved.map((cell) => cell[along])));
    const from = [];
    moved.forEach((cell, index) => { from[at.get(String(cell.map((v, along) => v - low[along])))] = index; });
    return { from, reflection: !transform(number).rotation };
  });
  return { cells, pieces, placements, images };
}

/** Returns a problem for each choice of pieces that fills as many cells, those with the first pieces first. */
function partialProblems(cells, allowed = Object.keys(PIECES)) {
  const whole = preparedProblem(cells);
  const choices = (left, from) => (left === 0 ? [[]] : whole.pieces.slice(from).flatMap((letter, at) => (
    !allowed.includes(letter) || PIECES[letter].length > left ? [] : choices(left - PIECES[letter].length, from + at + 1).map((rest) => [letter, ...rest]))));
  return choices(cells.length, 0).map((choice) => ({
    ...whole,
    choice,
    placements: whole.placements.map((of) => of.map((masks, piece) => (choice.includes(whole.pieces[piece]) ? masks : []))),
    // Mirror images of packings with one of A and B need the other.
    images: whole.images.filter(({ reflection }) => !reflection || choice.includes("A") === choice.includes("B")),
  }));
}

/** Counts packings: all (raw), and up to rotation and reflection (unique). Also returns the first one as the piece of
 * each cell. Complete in itself, so that a worker can run its text. */
function countPackings({ cells, pieces, placements, images }) {
  const full = 2 ** cells.length - 1;
  const [a, b] = [pieces.indexOf("A"), pieces.indexOf("B")];
  const exchanged = pieces.map((_, piece) => (piece === a ? b : piece === b ? a : piece));
  const owner = new Uint8Array(cells.length);
  let raw = 0, unique = 0, first = null;
  // Of the images of a packing, only the smallest counts as unique.
  const isSmallest = () => images.every(({ from, reflection }) => {
    for (let index = 0; index < owner.length; index++) {
      const piece = owner[from[index]];
      const image = reflection ? exchanged[piece] : piece;
      if (image !== owner[index]) return image > owner[index];
    }
    return true;
  });
  const cover = (filled, used) => {
    if (filled === full) {
      raw += 1;
      first ??= Array.from(owner, (piece) => pieces[piece]);
      if (isSmallest()) unique += 1;
      return;
    }
    const lowest = 31 - Math.clz32(~filled & -~filled);
    for (let piece = 0; piece < pieces.length; piece++) {
      if (used >> piece & 1) continue;
      for (const mask of placements[lowest][piece]) {
        if (filled & mask) continue;
        for (let left = mask; left; left &= left - 1) owner[31 - Math.clz32(left & -left)] = piece;
        cover(filled | mask, used | 1 << piece);
      }
    }
  };
  cover(0, 0);
  return { raw, unique, first };
}

/** Runs `countPackings` for each problem in a worker, or here where the browser starts none for a local file. Returns
 * the worker. */
function countInBackground(problems, show) {
  try {
    const script = `"use strict";\n${countPackings}\nonmessage = ({ data }) => { postMessage(data.map(countPackings)); close(); };`;
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const worker = new Worker(address);
    worker.onmessage = ({ data }) => {
      URL.revokeObjectURL(address);
      show(data);
    };
    worker.postMessage(problems);
    return worker;
  } catch {
    show(problems.map(countPackings));
    return null;
  }
}
