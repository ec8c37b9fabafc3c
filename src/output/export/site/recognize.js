// Recognizes a figure that is drawn or pasted, looks it up in the gallery's catalog, and counts its packings.
"use strict";

const byId = (id) => document.getElementById(id);
const LARGEST = 12;
const SIZES = ["width", "depth", "height"];
const rows = new Map(GALLERY.figures.map((row) => [row[0], row]));
let cells = [];
/** The worker that counts the figure, if any. */
let counter = null;

function element(tag, text) {
  const made = document.createElement(tag);
  if (text) made.textContent = text;
  return made;
}

/** Shows the grids of the layers for drawing. */
function showGrids() {
  const [width, depth, height] = SIZES.map((id) => Math.min(LARGEST, Math.max(1, Math.round(Number(byId(id).value)) || 1)));
  const filled = new Set(cells.map(String));
  const fits = cells.every(([x, y, z]) => x < width && y < depth && z < height);
  byId("too-large").hidden = fits;
  byId("layers").hidden = !fits;
  byId("layers").replaceChildren(...(fits ? Array.from({ length: height }, (_, z) => {
    const layer = element("div");
    layer.className = "layer";
    layer.setAttribute("role", "group");
    const label = height === 1 ? "Layer" : `Layer ${z + 1}${z === 0 ? ", top" : z === height - 1 ? ", bottom" : ""}`;
    layer.setAttribute("aria-label", label);
    layer.append(element("p", label));
    const grid = element("div");
    grid.className = "squares";
    grid.style.gridTemplateColumns = `repeat(${width}, 1fr)`;
    for (let y = 0; y < depth; y++) {
      for (let x = 0; x < width; x++) {
        const square = element("button");
        square.type = "button";
        square.dataset.cell = [x, y, z];
        square.setAttribute("aria-pressed", String(filled.has(String([x, y, z]))));
        square.setAttribute("aria-label", `layer ${z + 1}, row ${y + 1}, column ${x + 1}`);
        grid.append(square);
      }
    }
    layer.append(grid);
    return layer;
  }) : []));
}

function toggle(square) {
  const cell = square.dataset.cell.split(",").map(Number);
  const others = cells.filter((known) => String(known) !== String(cell));
  cells = others.length < cells.length ? others : [...cells, cell];
  square.setAttribute("aria-pressed", String(others.length < cells.length));
  byId("text").value = cells.length ? somaOf(normalized(cells)) : "";
  byId("more").hidden = true;
  answer();
}

function readText() {
  const text = byId("text").value;
  let trouble = [];
  byId("more").hidden = true;
  try {
    const figure = readFigure(text);
    ({ cells } = figure);
    byId("more").hidden = !figure.more;
  } catch (error) {
    const named = rowsNamed(text);
    cells = named.length === 1 ? cellsOfRow(named[0]) : [];
    trouble = named.length > 1 ? choice(named) : [error.message, isNameLike(text) ? " No name in this catalog fits it either." : ""];
  }
  if (cells.length) {
    const extents = extentsOf(cells);
    SIZES.forEach((id, axis) => {
      byId(id).value = Math.max(Number(byId(id).value) || 1, Math.min(LARGEST, extents[axis]));
    });
  }
  answer(trouble);
  showGrids();
}

/** Returns the cells of a figure of the gallery, as it is shown there. */
const cellsOfRow = ([signature, , , , , , , position]) => transformed(cellsOf(signature), transform(position));

function linkTo([signature, page, names]) {
  const link = element("a", names[0] ?? signature);
  link.href = `figures/${page || signature}.html`;
  return link;
}

/** Returns links to the figures that a name fits. */
function choice(named) {
  const links = named.slice(0, 12).flatMap((row, at) => [at ? ", " : "", linkTo(row)]);
  const more = named.length > 12 ? ` and ${named.length - 12} more` : "";
  return [`${named.length} figures have such a name: `, ...links, `${more}.`];
}

/** Returns the relation of the drawn figure to the gallery's: unchanged, turned, or mirrored. */
function relation({ toCanonical, group }, position) {
  const way = then(transform(toCanonical), transform(position));
  const ways = group.map((number) => then(transform(number), way));
  if (ways.some((t) => t.number === 1)) return "as it is shown there";
  return ways.some((t) => t.rotation) ? "turned" : "mirrored";
}

function known(figure) {
  for (const form of [figure, recognize(cells, true)]) {
    const row = rows.get(form.signature);
    if (row) return { row, how: relation(form, row[7]) };
  }
  return null;
}

const plural = (n, one) => `${String(n).replace(/\B(?=(\d{3})+$)/g, ",")} ${one}${n === 1 ? "" : "s"}`;

/** Shows whether the figure can be built, and in how many ways. */
function showSolutions() {
  counter?.terminate();
  counter = null;
  const text = byId("solutions");
  byId("help-to-build").hidden = true;
  byId("solution").hidden = true;
  text.textContent = "";
  if (!cells.length) return;
  if (cells.length !== SOMA_CELLS) {
    text.textContent = `Not counted: it has ${plural(cells.length, "cell")}, and the seven pieces fill ${SOMA_CELLS}.`;
    return;
  }
  const difference = parityOf(normalized(cells));
  if (difference > 5) {
    const more = (SOMA_CELLS + difference) / 2;
    text.textContent = `Cannot be built: checkered, it has ${more} cells of one color and ${SOMA_CELLS - more} of the other; the seven pieces cover at most 16 of one color.`;
    return;
  }
  text.textContent = "Counting …";
  const problem = preparedProblem(cells);
  counter = countInBackground(problem, ({ raw, unique, first }) => {
    text.textContent = raw
      ? `Can be built: ${plural(unique, "solution")} up to rotation and reflection (${plural(raw, "raw packing")}).`
      : "Cannot be built: every possibility was tried.";
    if (!raw) return;
    const shown = new Set();
    const show = () => {
      const marked = first.map((piece, index) => [problem.cells[index], shown.has(piece) ? piece : "*"]);
      byId("solution").textContent = somaOf(problem.cells, new Map(marked.map(([cell, mark]) => [String(cell), mark])));
      byId("solution").hidden = false;
      byId("hint").disabled = shown.size === problem.pieces.length;
    };
    byId("hint").disabled = false;
    byId("hint").onclick = () => { shown.add(problem.pieces.find((piece) => !shown.has(piece))); show(); };
    byId("solve").onclick = () => { problem.pieces.forEach((piece) => shown.add(piece)); show(); };
    byId("help-to-build").hidden = false;
  });
}

function answer(trouble = []) {
  const verdict = byId("verdict");
  byId("facts").replaceChildren();
  showSolutions();
  if (!cells.length) {
    verdict.replaceChildren(...(byId("text").value.trim() ? trouble : ["Nothing is drawn yet."]));
    drawPicture(byId("drawn"), []);
    history.replaceState(null, "", "#");
    return;
  }
  drawPicture(byId("drawn"), normalized(cells));
  const figure = recognize(cells);
  // A link to the page shares the figure.
  history.replaceState(null, "", `#${figure.signature}`);
  const match = known(figure);
  const [name, description, allen] = CLASSES[classOf(figure.group, CLASSES)];
  if (match) {
    verdict.replaceChildren("Known as ", linkTo(match.row), `, ${match.how}.`);
  } else {
    verdict.textContent = "Not in this catalog.";
  }
  const parity = parityOf(normalized(cells));
  const facts = [
    ["Cells", String(cells.length)],
    ["Signature", figure.signature],
    ["Symmetry", `${name}${allen ? `, Bob Allen’s letter ${allen}` : ""}: ${description}; ${figure.group.length} ${figure.group.length === 1 ? "symmetry" : "symmetries"}`],
    ["Parity", `|black − white| = ${parity}`],
  ];
  if (match && match.row[2].length > 1) {
    const [, , names, , , , , , , images] = match.row;
    const of = (n) => images.find(([which]) => which === n)?.[1];
    const told = names.map((name, n) => (of(n) === undefined ? name : `${name} (mirror image of ${names[of(n)]})`));
    facts.splice(1, 0, ["Names", told.join(", ")]);
  }
  byId("facts").append(...facts.flatMap(([term, text]) => [element("dt", term), element("dd", text)]));
}

byId("layers").addEventListener("click", ({ target }) => { if (target.dataset.cell) toggle(target); });
byId("text").addEventListener("input", readText);
for (const id of SIZES) byId(id).addEventListener("change", showGrids);
byId("clear").addEventListener("click", () => {
  byId("text").value = "";
  readText();
});
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawPicture(byId("drawn"), normalized(cells)));
for (const id of ["drawing", "answer"]) byId(id).hidden = false;
// Reads a signature from the address.
function recall() {
  const given = decodeURIComponent(location.hash.slice(1));
  const spelled = given && cellsOf(given);
  if (spelled) {
    const row = rows.get(given);
    const lying = row ? cellsOfRow(row) : transformed(spelled, transform(1));
    // A figure with large extents is shown only as its signature.
    byId("text").value = extentsOf(lying).every((extent) => extent <= 40) ? somaOf(lying) : given;
  }
  readText();
}
window.addEventListener("hashchange", recall);
recall();
