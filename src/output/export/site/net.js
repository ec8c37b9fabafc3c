// The layers of a figure that are shown, their plans, and the net of its sides with the numbers of its cells.
"use strict";

/** The names of the first and last layer along x, y and z. */
const ENDS = [["left", "right"], ["back", "front"], ["top", "bottom"]];

/** Check boxes for the layers of cells along each axis. `changed` is called after each change. */
class LayerChoice {
  constructor(box, changed) {
    this.hidden = new Set();
    this.box = box;
    box.addEventListener("change", ({ target }) => {
      this.hidden[target.checked ? "delete" : "add"](target.value);
      changed();
    });
  }

  /** Makes the boxes for other cells; all layers are shown. */
  open(cells) {
    this.hidden.clear();
    this.box.replaceChildren(...ENDS.map(([first, last], axis) => {
      const layers = [...new Set(cells.map((cell) => cell[axis]))].sort((a, b) => a - b);
      const group = Object.assign(document.createElement("fieldset"), { className: "pieces" });
      group.append(Object.assign(document.createElement("legend"), { textContent: `Layers shown, ${first} to ${last}` }));
      group.append(...layers.map((layer, at) => {
        const label = document.createElement("label");
        const name = layers.length > 1 && at === 0 ? first : at > 0 && at === layers.length - 1 ? last : at + 1;
        label.append(Object.assign(document.createElement("input"), { type: "checkbox", checked: true, value: `${axis} ${layer}` }), ` ${name}`);
        return label;
      }));
      return group;
    }));
  }

  /** Returns true if the cell lies in no hidden layer. */
  has(cell) {
    return cell.every((value, axis) => !this.hidden.has(`${axis} ${value}`));
  }

  /** Returns bodies without the cells of hidden layers. */
  of(bodies) {
    return bodies.map((body) => ({ ...body, cells: body.cells.filter((cell) => this.has(cell)) })).filter(({ cells }) => cells.length);
  }
}

/** The squares of the largest plans. */
const MOST_SQUARES = 4000;

/** Draws the layers of cells as plans, from the top, with the front edge marked: squares in the colors of bodies. */
function plansOf(cells, bodies) {
  const low = [0, 1, 2].map((axis) => cells.reduce((least, cell) => Math.min(least, cell[axis]), Infinity));
  const extents = extentsOf(cells).map((extent, axis) => extent - low[axis]);
  const box = Object.assign(document.createElement("div"), { className: "layers plans" });
  // The layers are in words elsewhere.
  box.setAttribute("aria-hidden", "true");
  if (extents[0] * extents[1] * extents[2] > MOST_SQUARES) {
    box.textContent = "The figure lies in too large a box for plans.";
    return box;
  }
  const own = new Set(cells.map(String));
  const bodyAt = new Map(bodies.flatMap((body) => body.cells.map((cell) => [String(cell), body])));
  const square = (cell) => {
    const span = document.createElement("span");
    const place = String(cell.map((v, axis) => v + low[axis]));
    const body = bodyAt.get(place);
    if (body) {
      const color = body.color || pieceColor(body.piece);
      span.style.background = color;
      span.style.color = isLight(rgb(color)) ? "#141414" : "#fff";
      span.textContent = body.key.trim();
    }
    span.className = body ? "full" : own.has(place) ? "free" : "";
    return span;
  };
  box.append(...layerGrids(extents, square, "minmax(0, 1.5rem)"));
  return box;
}

/** The sides of a net: the column and row of its place, and the axes and directions to the right, down and inwards. */
const NET = [
  { name: "top", place: [1, 0], axes: [[0, 1], [1, 1], [2, 1]] },
  { name: "left", place: [0, 1], axes: [[1, 1], [2, 1], [0, 1]] },
  { name: "front", place: [1, 1], axes: [[0, 1], [2, 1], [1, -1]] },
  { name: "right", place: [2, 1], axes: [[1, -1], [2, 1], [0, -1]] },
  { name: "back", place: [3, 1], axes: [[0, -1], [2, 1], [1, 1]] },
  { name: "bottom", place: [1, 2], axes: [[0, 1], [1, -1], [2, -1]] },
];

/** Returns an SVG net of the six sides of cells: the number of each cell that is seen from there, in the color of its piece
 * of `bodies`. The number is the position in `cells`, as in a trace. Cells that `isShown` rejects are left out. */
function netOf(cells, bodies, isShown) {
  const low = [0, 1, 2].map((axis) => cells.reduce((least, cell) => Math.min(least, cell[axis]), Infinity));
  const size = [0, 1, 2].map((axis) => cells.reduce((most, cell) => Math.max(most, cell[axis]), -Infinity) - low[axis] + 1);
  const numbers = new Map(cells.map((cell, number) => [String(cell), number]));
  const colors = new Map(bodies.flatMap((body) => body.cells.map((cell) => [String(cell), body.color || pieceColor(body.piece)])));
  const start = [[0, size[1], size[1] + size[0], 2 * size[1] + size[0]], [0, size[1], size[1] + size[2]]];
  const squares = NET.flatMap(({ name, place, axes }) => {
    const [across, down, depth] = axes.map(([axis]) => size[axis]);
    const cellAt = (at) => {
      const cell = [0, 0, 0];
      axes.forEach(([axis, direction], n) => { cell[axis] = low[axis] + (direction > 0 ? at[n] : size[axis] - 1 - at[n]); });
      return cell;
    };
    return Array.from({ length: across * down }, (_, n) => {
      const [column, row] = [n % across, Math.floor(n / across)];
      const seen = Array.from({ length: depth }, (_, z) => cellAt([column, row, z])).find((cell) => numbers.has(String(cell)) && isShown(cell));
      if (!seen) return "";
      const fill = colors.get(String(seen)) ?? "#ffffff";
      const [x, y] = [start[0][place[0]] + column, start[1][place[1]] + row];
      return `<rect x="${x}" y="${y}" width="1" height="1" fill="${fill}" stroke="#141414" stroke-width=".04"><title>${name}</title></rect>`
        + `<text x="${x + 0.5}" y="${y + 0.66}" font-size=".45" text-anchor="middle" fill="${isLight(rgb(fill)) ? "#141414" : "#fff"}">${numbers.get(String(seen))}</text>`;
    });
  });
  const [width, height] = [2 * (size[0] + size[1]), 2 * size[1] + size[2]];
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="Net of the six sides with the numbers of the cells" viewBox="-.05 -.05 ${width + 0.1} ${height + 0.1}" width="${width * 32}" font-family="system-ui, sans-serif">${squares.join("")}</svg>`;
}
