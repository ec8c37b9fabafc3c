// Recognizes a figure that is drawn or pasted, looks it up in the gallery's catalog, and counts its packings.
"use strict";

const byId = (id) => document.getElementById(id);
const LARGEST = 12;
const SIZES = ["width", "depth", "height"];
const known = new Map(FIGURES.map((figure) => [figure.signature, figure]));
let cells = [];
/** The pieces that the text shows in place. */
let placed = [];
/** The worker that counts the figure, if any. */
let counter = null;
const scene = new Scene(byId("stage"));

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

const isFilled = (square) => square.getAttribute("aria-pressed") === "true";

/** Fills the cell of a square, or empties it. */
function fill(square, filled) {
  if (isFilled(square) === filled) return;
  const cell = square.dataset.cell.split(",").map(Number);
  cells = filled ? [...cells, cell] : cells.filter((known) => String(known) !== String(cell));
  square.setAttribute("aria-pressed", String(filled));
  placed = [];
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
    ({ cells, placed } = figure);
    const { length, 0: first } = figure.unread;
    byId("more").hidden = !length;
    byId("more").textContent = `One figure is read. ${plural(length, "other line")} of the text ${length === 1 ? "is" : "are"} not, beginning with line ${first}.`;
  } catch (error) {
    const named = figuresNamed(text);
    cells = named.length === 1 ? cellsShown(named[0]) : [];
    placed = [];
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
const cellsShown = ({ signature, position }) => transformed(cellsOf(signature), transform(position));

function linkTo({ signature, page, names }) {
  const link = element("a", names[0] ?? signature);
  link.href = `figures/${page}.html`;
  return link;
}

/** Returns links to the figures that a name fits. */
function choice(named) {
  const links = named.slice(0, 12).flatMap((figure, at) => [at ? ", " : "", linkTo(figure)]);
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

/** Returns the drawn figure in the gallery, and how the drawing lies compared with it. */
function lookUp(recognized) {
  for (const form of [recognized, recognize(cells, true)]) {
    const figure = known.get(form.signature);
    if (figure) return { figure, how: relation(form, figure.position) };
  }
  return null;
}

const plural = (n, one) => `${String(n).replace(/\B(?=(\d{3})+$)/g, ",")} ${one}${n === 1 ? "" : "s"}`;

/** Shows pieces within the figure, or the figure alone. */
function showPieces(pieces) {
  const all = normalized(cells);
  scene.show(all, pieces.length ? pieces : [plainBody(all)], { ghost: pieces.length > 0 });
  if (!scene.ready) byId("picture").innerHTML = all.length ? pictureWithin(all, pieces.length ? pieces : [plainBody(all)], "The figure") : "";
}

/** Returns why a figure is not counted here, or why it cannot be built without counting. */
function obstacle() {
  const number = cells.length, sets = number / SOMA_CELLS;
  if (sets > 1 && sets !== 2) return `Not counted here: ${plural(number, "cell")} are more than the ${SOMA_CELLS} of the seven pieces, and not the ${2 * SOMA_CELLS} of two sets. The program counts with other pieces: somacat count --set PIECES FILE.`;
  if (sets < 1 && number % 4 !== 0 && number % 4 !== 3) return `Cannot be built: no choice of the seven pieces has ${plural(number, "cell")}. V has 3 and each other piece 4.`;
  const difference = parityOf(normalized(cells));
  if (sets < 1 || difference <= 5 * sets) return "";
  const more = (number + difference) / 2;
  return `Cannot be built: checkered, it has ${more} cells of one color and ${number - more} of the other; ${sets === 1 ? "the seven pieces" : "two sets"} cover at most ${16 * sets} of one color.`;
}

/** Returns why the pieces in place are not obeyed here. */
function misplaced() {
  if (cells.length !== SOMA_CELLS) return `Not counted here: only figures of ${SOMA_CELLS} cells are counted with pieces in place. The program counts others: somacat count FILE.`;
  const twice = placed.find(({ letter }, at) => placed.findIndex((other) => other.letter === letter) < at);
  if (twice) return `Not counted: the seven pieces have one piece ${twice.letter}.`;
  const wrong = placed.find(({ letter, cells: own }) => !PIECES[letter] || !rotationsOf(PIECES[letter]).has(String(normalized(own))));
  return wrong ? `Not counted: the cells marked ${wrong.mark} are not ${PIECES[wrong.letter] ? `the piece ${wrong.letter}` : "a piece of SOMA"}.` : "";
}

/** Returns the problem of the cells that the pieces in place leave free. */
function remainder() {
  const own = new Set(placed.flatMap((piece) => piece.cells).map(String));
  const free = normalized(cells).filter((cell) => !own.has(String(cell)));
  const low = [0, 1, 2].map((axis) => Math.min(...free.map((cell) => cell[axis])));
  const problem = preparedProblem(free, SOMA.filter(({ letter }) => !placed.some((piece) => piece.letter === letter)));
  return { ...problem, cells: problem.cells.map((cell) => cell.map((v, axis) => v + low[axis])) };
}

/** Adds the pieces in place to a packing of the other cells. */
function withPlaced({ cells: free, first }) {
  const all = [...free, ...placed.flatMap((piece) => piece.cells)];
  const at = new Map(all.map((cell, index) => [String(cell), index]));
  const before = placed.map(({ letter, cells: own }) => ({ letter, copy: 1, cells: own.map((cell) => at.get(String(cell))) }));
  return { cells: all, first: [...before, ...first] };
}

const placedBodies = () => placed.map(({ letter, cells: own }) => ({ key: pieceKey(letter, 1), piece: letter, copy: 1, cells: own }));

/** Formats counts: `37 solutions up to rotation and reflection (74 raw packings)`. */
const counted = ({ raw, unique }) => `${plural(unique, "solution")} up to rotation and reflection (${plural(raw, "raw packing")})`;

/** The check boxes of the pieces for smaller figures. */
const ticks = Object.keys(PIECES).map((value) => {
  const box = Object.assign(element("input"), { type: "checkbox", checked: true, value });
  const label = element("label");
  label.append(box, value);
  byId("use").append(label);
  return box;
});

/** Returns in words what was found with these choices of pieces. */
function conclusion(sets, problems, results, found) {
  const choices = plural(problems.length, "choice");
  if (placed.length) {
    const inPlace = placed.map(({ letter }) => letter).join(" ");
    return found.length ? `Can be built with ${inPlace} in place: ${plural(found[0].raw, "raw packing")}.` : `Cannot be built with ${inPlace} in place: every possibility was tried.`;
  }
  if (sets === 1) return found.length ? `Can be built: ${counted(found[0])}.` : "Cannot be built: every possibility was tried.";
  if (sets === 2) {
    if (found.length) return "Can be built with two sets.";
    if (results[0].complete) return "Cannot be built with two sets: every possibility was tried.";
    return "No packing with two sets was found in two seconds. The program can search longer: somacat count --set 2xSOMA FILE.";
  }
  if (!problems.length) return `No choice of these pieces has ${plural(cells.length, "cell")}.`;
  if (!found.length) return `Cannot be built: every possibility was tried with each of ${choices} of pieces.`;
  return `Can be built with ${found.length} of ${choices} of pieces.`;
}

/** Shows whether the figure can be built, and in how many ways. */
function showSolutions() {
  counter?.terminate();
  counter = null;
  const text = byId("solutions");
  byId("help-to-build").hidden = byId("solution").hidden = byId("choices").hidden = byId("use").hidden = true;
  text.textContent = cells.length ? (placed.length && misplaced()) || obstacle() || "Counting …" : "";
  if (text.textContent !== "Counting …") return;
  const sets = cells.length / SOMA_CELLS, whole = sets >= 1;
  byId("use").hidden = whole;
  const problems = placed.length ? [remainder()] : whole
    ? [preparedProblem(cells, SOMA.map((kind) => ({ ...kind, copies: sets })))]
    : partialProblems(cells, ticks.flatMap(({ checked, value }) => (checked ? value : [])));
  counter = countInBackground(problems, (results) => {
    const found = results.flatMap((result, at) => (result.raw ? [{ ...result, ...problems[at] }] : []));
    text.textContent = conclusion(sets, problems, results, found);
    if (!found.length) return;
    byId("choices").hidden = whole;
    if (!whole) byId("choices").replaceChildren(...found.map((one) => element("li", `${one.choice.join(" ")}: ${counted(one)}`)));
    offerSolution(placed.length ? withPlaced(found[0]) : found[0]);
    // With two sets there are too many packings to count here: one is enough.
  }, sets === 2 ? { milliseconds: 2000, enough: 1 } : {});
}

/** Offers the pieces of a packing, one by one or at once. */
function offerSolution({ cells: all, first }) {
  const pieces = first.map(({ letter, copy, cells: own }) => (
    { key: pieceKey(letter, copy), piece: letter, copy, cells: own.map((at) => all[at]) }));
  // As in the program's SOMA text, a second copy has the number of its piece.
  const mark = ({ piece, copy }) => (copy > 1 ? String(Object.keys(PIECES).indexOf(piece) + 1) : piece);
  let count = placed.length;
  const show = (wanted) => {
    count = wanted;
    showPieces(pieces.slice(0, count));
    const shown = new Map(pieces.flatMap((one, at) => one.cells.map((cell) => [String(cell), at < count ? mark(one) : "*"])));
    byId("solution").textContent = somaOf(all, shown);
    byId("solution").hidden = false;
    byId("hint").disabled = count === pieces.length;
  };
  byId("hint").disabled = false;
  byId("hint").onclick = () => show(count + 1);
  byId("solve").onclick = () => show(pieces.length);
  byId("help-to-build").hidden = false;
}

function answer(trouble = []) {
  const verdict = byId("verdict");
  byId("facts").replaceChildren();
  showPieces(placedBodies());
  showSolutions();
  if (!cells.length) {
    verdict.replaceChildren(...(byId("text").value.trim() ? trouble : ["Nothing is drawn yet."]));
    history.replaceState(null, "", "#");
    return;
  }
  const figure = recognize(cells);
  // A link to the page shares the figure.
  history.replaceState(null, "", `#${figure.signature}`);
  const match = lookUp(figure);
  const [name, description, allen, words] = CLASSES[classOf(figure.group, CLASSES)];
  if (match) {
    verdict.replaceChildren("Known as ", linkTo(match.figure), `, ${match.how}.`);
  } else {
    verdict.textContent = "Not in this catalog.";
  }
  const parity = parityOf(normalized(cells));
  const facts = [
    ["Cells", String(cells.length)],
    ["Signature", figure.signature],
    ["Symmetry", `${words[0].toUpperCase()}${words.slice(1)}. ${name}${allen ? `, Bob Allen’s letter ${allen}` : ""}: ${description}; ${figure.group.length} ${figure.group.length === 1 ? "symmetry" : "symmetries"}`],
    ["Parity", `|black − white| = ${parity}`],
  ];
  if (match && match.figure.names.length > 1) {
    const { names, images } = match.figure;
    const of = (n) => images.find(([which]) => which === n)?.[1];
    const told = names.map((name, n) => (of(n) === undefined ? name : `${name} (mirror image of ${names[of(n)]})`));
    facts.splice(1, 0, ["Names", told.join(", ")]);
  }
  byId("facts").append(...facts.flatMap(([term, text]) => [element("dt", term), element("dd", text)]));
}

// A pointer fills all squares that it is dragged over, or empties them. A key changes one.
let painting = null, drawn = false;
const squareAt = (target) => target?.closest?.("[data-cell]");
byId("layers").addEventListener("pointerdown", (event) => {
  const square = squareAt(event.target);
  if (!square || !event.isPrimary || event.button) return;
  // A finger would otherwise keep to the square where it began.
  event.target.releasePointerCapture(event.pointerId);
  painting = !isFilled(square);
  drawn = true;
  fill(square, painting);
});
byId("layers").addEventListener("pointermove", (event) => {
  const square = painting === null ? null : squareAt(document.elementFromPoint(event.clientX, event.clientY));
  if (square) fill(square, painting);
});
for (const end of ["pointerup", "pointercancel"]) {
  window.addEventListener(end, () => {
    painting = null;
    setTimeout(() => { drawn = false; });
  });
}
byId("layers").addEventListener("click", ({ target, detail }) => {
  const square = squareAt(target);
  // Keys click without a detail.
  if (square && (detail === 0 || !drawn)) fill(square, !isFilled(square));
});
byId("text").addEventListener("input", readText);
byId("use").addEventListener("change", () => { showPieces([]); showSolutions(); });
for (const id of SIZES) byId(id).addEventListener("change", showGrids);
byId("clear").addEventListener("click", () => {
  byId("text").value = "";
  readText();
});
for (const id of ["view", "drawing", "answer"]) byId(id).hidden = false;
byId("stage").hidden = !scene.ready;
byId("picture").hidden = scene.ready;
controlView(scene);
// Reads a signature from the address.
function recall() {
  const given = decodeURIComponent(location.hash.slice(1));
  const spelled = given && cellsOf(given);
  if (spelled) {
    const shown = known.get(given);
    const lying = shown ? cellsShown(shown) : transformed(spelled, transform(1));
    // A figure with large extents is shown only as its signature.
    byId("text").value = extentsOf(lying).every((extent) => extent <= 40) ? somaOf(lying) : given;
  }
  readText();
}
window.addEventListener("hashchange", recall);
recall();
