// Pictures of cells from the upper corner that shows the most cells: x to the right, y to the reader, z down.
"use strict";

/** Turns of a cell about the upright axis that bring one upper corner after the other to the right and front. */
const VIEWS = [([x, y, z]) => [x, y, z], ([x, y, z]) => [y, -x, z], ([x, y, z]) => [-y, x, z], ([x, y, z]) => [-x, -y, z]];

/** Returns the number of cells that are seen at least in part from the right, in front and above. */
function visibleNumber(cells) {
  // A cell covers six triangles. On each line of sight, x + y - z is largest for the nearest cell.
  const nearest = new Map();
  cells.forEach(([x, y, z], index) => {
    for (let n = 0; n < 6; n++) {
      const sight = `${x - y - Math.floor(n / 3)} ${x + y + 2 * z + n % 3}`;
      if (!(nearest.get(sight)?.depth >= x + y - z)) nearest.set(sight, { depth: x + y - z, index });
    }
  });
  return new Set(Array.from(nearest.values(), ({ index }) => index)).size;
}

/** Returns the position in `VIEWS` of the one that shows the most cells, the first of equal ones. */
function bestView(cells) {
  const numbers = VIEWS.map((view) => visibleNumber(cells.map(view)));
  return numbers.indexOf(Math.max(...numbers));
}

/** The visible sides of a cell: its normal, its corners, and the directions of a letter on it. */
const SIDES = [
  { name: "top", normal: [0, 0, -1], corners: [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], letter: "0.866 0.5 -0.866 0.5" },
  { name: "left", normal: [0, 1, 0], corners: [[0, 1, 0], [1, 1, 0], [1, 1, 1], [0, 1, 1]], letter: "0.866 0.5 0 1" },
  { name: "right", normal: [1, 0, 0], corners: [[1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 0, 1]], letter: "0.866 -0.5 0 1" },
];
/** @param {number[]} cell */
const projected = ([x, y, z]) => [(x - y) * 0.866, (x + y) * 0.5 + z];

/** Returns the lowest and highest coordinates of the picture of cells. */
function pictureBounds(cells) {
  const corners = cells.flatMap(([x, y, z]) => [0, 1, 2, 3, 4, 5, 6, 7].map(
    (n) => projected([x + (n & 1), y + (n >> 1 & 1), z + (n >> 2)])));
  const extreme = (choose, start) => [0, 1].map((axis) => corners.reduce((m, c) => choose(m, c[axis]), start));
  return [extreme(Math.min, Infinity), extreme(Math.max, -Infinity)];
}

/** Returns the visible faces of bodies, the nearest last, each with its side, body and projected corners. One sees
 * through a body without a color. */
function visibleFaces(bodies) {
  const bodyAt = new Map(bodies.flatMap((body) => body.cells.map((cell) => [String(cell), body])));
  const cells = bodies.flatMap((body) => body.cells);
  const nearLast = (a, b) => (a[0] + a[1] - a[2]) - (b[0] + b[1] - b[2]);
  return [...cells].sort(nearLast).flatMap((cell) => {
    const body = bodyAt.get(String(cell));
    return SIDES.flatMap((side) => {
      const next = bodyAt.get(String(cell.map((v, axis) => v + side.normal[axis])));
      if (next && (next.color || !body.color)) return [];
      return [{ side, body, points: side.corners.map((corner) => projected(cell.map((v, axis) => v + corner[axis]))) }];
    });
  });
}

/** Draws cells on a canvas, in the colors of the page. `largest` is the most pixels of an edge. `colors`, of each cell, are
 * those of pieces.
 * @param {HTMLCanvasElement} canvas
 * @param {number[][]} cells
 * @param {object} options
 * @param {number} [options.largest]
 * @param {string[]} [options.colors] */
function drawPicture(canvas, cells, { largest = 30, colors = [] } = {}) {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name).trim();
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  const width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  if (!cells.length) return;
  const seen = cells.map(VIEWS[bestView(cells)]);
  const context = canvas.getContext("2d");
  if (!context) return;
  const [low, high] = pictureBounds(seen);
  const free = 0.84;
  const scale = Math.min(width * free / (high[0] - low[0]), height * free / (high[1] - low[1]), largest);
  const shift = [width - scale * (low[0] + high[0]), height - scale * (low[1] + high[1])].map((v) => v / 2);
  context.scale(ratio, ratio);
  context.lineJoin = "round";
  context.strokeStyle = color("--edge");
  const bodies = [...new Set(seen.map((_, at) => colors[at] ?? ""))].map((of) => (
    { color: of || "plain", cells: seen.filter((_, at) => (colors[at] ?? "") === of) }));
  const faces = visibleFaces(bodies).map(({ side, body, points }) => {
    const path = new Path2D();
    for (const [x, y] of points) path.lineTo(x * scale + shift[0], y * scale + shift[1]);
    path.closePath();
    return { path, fill: body.color === "plain" ? color(`--${side.name}`) : shaded(body.color, side) };
  });
  // What is seen of these lines beside the faces is the outline.
  context.lineWidth = Math.min(3, scale / 7);
  for (const { path } of faces) context.stroke(path);
  context.lineWidth = Math.min(1, scale / 18);
  for (const { path, fill } of faces) {
    context.fillStyle = fill;
    context.fill(path);
    context.stroke(path);
  }
}

/** Returns a color as light falls on a side.
 * @param {string} color
 * @param {object} side
 * @param {string} side.name */
const shaded = (color, side) => color.replace(/[0-9a-f]{2}/gi, (part) => {
  const value = parseInt(part, 16);
  const shade = { top: value + (255 - value) * 0.28, left: value, right: value * 0.78 }[side.name];
  return Math.round(shade).toString(16).padStart(2, "0");
});

/** Red, green and blue of a color, from 0 to 1. */
const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
/** True if dark letters are readable on the color.
 * @param {number[]} color red, green and blue */
const isLight = ([r, g, b]) => 0.3 * r + 0.59 * g + 0.11 * b > 0.45;

/** Escapes a text for markup: the letters of pieces may be any. */
const markup = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** Returns an SVG picture of bodies, each with cells, a color and a letter as `key`. A body without a color is drawn as
 * edges only. */
function pictureOf(bodies, label, unit = 40) {
  const [low, high] = pictureBounds(bodies.flatMap(({ cells }) => cells));
  const size = [0, 1].map((axis) => high[axis] - low[axis] + 0.2);
  const faces = visibleFaces(bodies).map(({ side, body, points }) => {
    const path = `M${points.map((point) => point.map((v) => v.toFixed(3)).join(" ")).join("L")}Z`;
    if (!body.color) return `<path d="${path}" fill="none" stroke="#8a8a90"/>`;
    const fill = shaded(body.color, side);
    const [x, y] = [0, 1].map((axis) => (points[0][axis] + points[2][axis]) / 2);
    const letter = body.key?.trim() ? `<text transform="matrix(${side.letter} ${x.toFixed(3)} ${y.toFixed(3)})" fill="${isLight(rgb(fill)) ? "#141414" : "#fff"}" stroke="none">${markup(body.key)}</text>` : "";
    return `<path d="${path}" fill="${fill}"/>${letter}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${markup(label)}" viewBox="${low[0] - 0.1} ${low[1] - 0.1} ${size[0]} ${size[1]}" width="${Math.round(size[0] * unit)}" height="${Math.round(size[1] * unit)}" stroke="#141414" stroke-width=".03" stroke-linejoin="round" font-family="system-ui, sans-serif" font-weight="600" font-size=".5" text-anchor="middle" dominant-baseline="central">${faces.join("")}</svg>`;
}
