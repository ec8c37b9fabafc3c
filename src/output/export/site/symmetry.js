// Axes and mirrors of a figure, as the program lists them: in words and as shapes. Does not use the document.
"use strict";

/** @typedef {object} Axis
 * @property {number[]} direction
 * @property {number} turns the order of its rotations
 * @property {number} roto the order of its roto-reflections */
/** @typedef {object} Mirror
 * @property {number[]} normal
 * @property {boolean} diagonal */
/** @typedef {object} Elements
 * @property {Axis[]} axes
 * @property {Mirror[]} mirrors
 * @property {boolean} inversion */

const AXIS_COLORS = { 2: "#0072b2", 3: "#009e73", 4: "#d55e00" };
const AXIS_TURNS = { 2: "half", 3: "third", 4: "quarter" };
const axisColor = ({ turns }) => AXIS_COLORS[turns] ?? "#8a4f75";
const AXIS_NAMES = { "#0072b2": "blue", "#009e73": "green", "#d55e00": "red" };

/** Describes the elements in a sentence.
 * @param {Elements} elements */
function elementsInWords({ axes, mirrors, inversion }) {
  const number = (n, one, many) => `${n} ${n === 1 ? one : many}`;
  const words = [2, 3, 4].flatMap((turns) => {
    const n = axes.filter((axis) => axis.turns === turns).length;
    return n ? [`${number(n, "axis", "axes")} of ${AXIS_TURNS[turns]} turns (${AXIS_NAMES[AXIS_COLORS[turns]]})`] : [];
  });
  for (const order of [4, 6]) {
    const n = axes.filter((axis) => axis.roto === order).length;
    if (n) words.push(`${number(n, "axis", "axes")} of ${order}-fold roto-reflection`);
  }
  const diagonal = mirrors.filter((mirror) => mirror.diagonal).length;
  const planar = mirrors.length - diagonal;
  if (planar) words.push(`${number(planar, "mirror", "mirrors")} parallel to faces (light blue)`);
  if (diagonal) words.push(`${number(diagonal, "diagonal mirror", "diagonal mirrors")} (yellow)`);
  if (inversion) words.push("a center of inversion");
  return words.length ? `${words.join(", ")}.` : "This figure has no symmetry.";
}

/** Returns lines and areas that show the elements about the center of gravity. Half the extents of the box limit
 * their reach. Coordinates are those of cells.
 * @param {Elements} elements
 * @param {number[]} extents */
function elementShapes({ axes, mirrors }, extents) {
  const half = extents.map((extent) => extent / 2 + 0.55);
  const plus = (a, b) => a.map((v, at) => v + b[at]);
  const times = (a, factor) => a.map((v) => v * factor);
  const lines = axes.map((axis) => {
    const reach = Math.min(...axis.direction.flatMap((v, at) => (v ? [half[at]] : []))) + 0.75;
    const end = times(axis.direction, reach);
    return { color: axisColor(axis), points: [end, times(end, -1)] };
  });
  const areas = mirrors.map(({ normal, diagonal }) => {
    const along = [0, 1, 2].map((at) => times([0, 1, 2].map((other) => Number(at === other)), half[at]));
    const inPlane = [0, 1, 2].filter((at) => normal[at] === 0).map((at) => along[at]);
    if (diagonal) {
      const [a, b] = [0, 1, 2].filter((at) => normal[at] !== 0);
      const reach = Math.max(half[a], half[b]);
      const across = [0, 0, 0];
      [across[a], across[b]] = [normal[b] * reach, -normal[a] * reach];
      inPlane.push(across);
    }
    const [u, v] = inPlane;
    const corner = (s, t) => plus(times(u, s), times(v, t));
    return { color: diagonal ? "#f0e442" : "#56b4e9", points: [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)] };
  });
  return { lines, areas };
}
