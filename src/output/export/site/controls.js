// Tabs, menus, grids of squares, and groups of buttons that take one step of the Tab key.
"use strict";

/** Lets arrow keys move between tabs and choose them. `chosen` is called with the id of the panel.
 * @param {HTMLElement} list
 * @param {(panel: string) => void} chosen */
function makeTabs(list, chosen) {
  const tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[role=tab]")]);
  const choose = (tab) => {
    for (const one of tabs) {
      one.setAttribute("aria-selected", String(one === tab));
      one.tabIndex = one === tab ? 0 : -1;
      const panel = document.getElementById(one.getAttribute("aria-controls") ?? "");
      if (panel) panel.hidden = one !== tab;
    }
    chosen(tab.getAttribute("aria-controls") ?? "");
  };
  for (const tab of tabs) tab.addEventListener("click", () => choose(tab));
  list.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const tab = tabs[(tabs.indexOf(/** @type {any} */ (document.activeElement)) + step + tabs.length) % tabs.length];
    tab.focus();
    choose(tab);
    event.preventDefault();
  });
  return { choose: (panel) => choose(tabs.find((tab) => tab.getAttribute("aria-controls") === panel) ?? tabs[0]) };
}

/** Makes squares of several grids, or the buttons of a row, one step of the Tab key: arrow keys lead from one to the
 * next, also to the next grid; Page Up and Page Down lead to the same place of another grid, Home and End to the first
 * and the last. Each has `dataset.cell`: its column, row and grid. Returns a function to call after the squares are
 * replaced.
 * @param {HTMLElement} box */
function rove(box) {
  const all = () => /** @type {HTMLElement[]} */ ([...box.querySelectorAll("[data-cell]")]);
  const at = (one) => (one.dataset.cell ?? "").split(",").map(Number);
  const enter = (one) => {
    if (!one) return;
    for (const other of all()) other.tabIndex = other === one ? 0 : -1;
  };
  box.addEventListener("focusin", ({ target }) => {
    const one = /** @type {HTMLElement} */ (target);
    if (one.dataset.cell !== undefined) enter(one);
  });
  box.addEventListener("keydown", (event) => {
    const from = /** @type {HTMLElement} */ (event.target);
    if (from.dataset.cell === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = nextSquare(all().map(at), at(from), event.key);
    if (to === null) return;
    event.preventDefault();
    if (to >= 0) all()[to].focus();
  });
  const start = () => enter(all()[0]);
  start();
  return start;
}

/** Returns the position of the square that a key leads to, -1 if there is none, and null for other keys. The grids are
 * one above the other.
 * @param {number[][]} squares
 * @param {number[]} from
 * @param {string} key */
function nextSquare(squares, [x, y, z], key) {
  const best = (distance) => {
    let [least, found] = [Infinity, -1];
    squares.forEach((square, index) => {
      const far = distance(square);
      if (far !== null && far < least) [least, found] = [far, index];
    });
    return found;
  };
  const upright = (sign) => best(([column, row, layer]) => {
    const way = sign * ((layer - z) * 1000 + row - y);
    return way > 0 ? way * 1000 + Math.abs(column - x) : null;
  });
  // Grids lie next to each other too: the end of a row leads to the next grid.
  const level = (sign) => best(([column, row, layer]) => {
    const way = sign * ((layer - z) * 1000 + column - x);
    return way > 0 && (layer !== z || row === y) ? way * 1000 + Math.abs(row - y) : null;
  });
  switch (key) {
    case "ArrowLeft": return level(-1);
    case "ArrowRight": return level(1);
    case "ArrowUp": return upright(-1);
    case "ArrowDown": return upright(1);
    case "PageUp": return best(([column, row, layer]) => (layer < z ? (z - layer) * 1000 + Math.abs(row - y) + Math.abs(column - x) : null));
    case "PageDown": return best(([column, row, layer]) => (layer > z ? (layer - z) * 1000 + Math.abs(row - y) + Math.abs(column - x) : null));
    case "Home": return best(([column, row, layer]) => layer * 1e6 + row * 1000 + column);
    case "End": return best(([column, row, layer]) => -(layer * 1e6 + row * 1000 + column));
    default: return null;
  }
}

/** Closes a menu by a click elsewhere and by Escape.
 * @param {HTMLDetailsElement} menu */
function closeMenu(menu) {
  document.addEventListener("click", ({ target }) => { if (!menu.contains(/** @type {Node} */ (target))) menu.open = false; });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    event.stopPropagation();
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
}

/** Returns the name of a square for those who do not see it.
 * @param {number[]} cell */
const squareName = ([x, y, z]) => `layer ${z + 1}, row ${y + 1}, column ${x + 1}`;

/** Returns a grid for each layer, with a square for each place of the box.
 * @param {number[]} sizes
 * @param {(cell: number[]) => HTMLElement} square
 * @param {string} size the width of a column */
function layerGrids([width, depth, height], square, size) {
  return Array.from({ length: height }, (_, z) => {
    const layer = document.createElement("div");
    layer.className = "layer";
    layer.setAttribute("role", "group");
    const name = height === 1 ? "Layer" : `Layer ${z + 1}${z === 0 ? ", top" : z === height - 1 ? ", bottom" : ""}`;
    layer.setAttribute("aria-label", name);
    layer.innerHTML = `<p aria-hidden="true">${name}</p>`;
    const grid = document.createElement("div");
    grid.className = "squares";
    grid.style.gridTemplateColumns = `repeat(${width}, ${size})`;
    for (let y = 0; y < depth; y++) for (let x = 0; x < width; x++) grid.append(square([x, y, z]));
    layer.append(grid);
    return layer;
  });
}
