// Recognizes a figure that is drawn or pasted, looks it up in the gallery's catalog, and counts its packings. The program
// itself reads, recognizes and counts, in a worker.
"use strict";

const byId = (id) => document.getElementById(id);
const LARGEST = 12;
const SIZES = ["width", "depth", "height"];
/** The cells of the seven pieces, and their sizes. */
const SOMA_CELLS = 27;
const PIECE_SIZES = { V: 3, L: 4, T: 4, Z: 4, A: 4, B: 4, P: 4 };
/** The nodes of the search for a packing with two sets: some seconds. */
const SEARCH_NODES = 50_000_000;
const known = new Map(FIGURES.map((figure) => [figure.signature, figure]));
let cells = [];
/** The pieces that the text shows in place: letters with cells. */
let placed = [];
/** What marks the cells of the text, if anything: colors, or cells that may stay empty. */
let marked = null;
/** The number of the last change. What was asked before is of no use any more. */
let change = 0;
const scene = new Scene(byId("stage"));
const started = compileProgram(PROGRAM).then((module) => new Programs(module, 1, () => null));

function element(tag, text) {
  const made = document.createElement(tag);
  if (text) made.textContent = text;
  return made;
}

/** Shows the grids of the layers for drawing. */
function showGrids() {
  const sizes = SIZES.map((id) => Math.min(LARGEST, Math.max(1, Math.round(Number(byId(id).value)) || 1)));
  const filled = new Set(cells.map(String));
  const fits = cells.every((cell) => cell.every((v, axis) => v < sizes[axis]));
  byId("too-large").hidden = fits;
  byId("layers").hidden = !fits;
  const square = (cell) => {
    const button = element("button");
    button.type = "button";
    button.dataset.cell = String(cell);
    button.setAttribute("aria-pressed", String(filled.has(String(cell))));
    button.setAttribute("aria-label", squareName(cell));
    return button;
  };
  byId("layers").replaceChildren(...(fits ? layerGrids(sizes, square, "1fr") : []));
  squaresReplaced();
}
const squaresReplaced = rove(byId("layers"));

const isFilled = (square) => square.getAttribute("aria-pressed") === "true";

/** Fills the cell of a square, or empties it. */
function fill(square, filled) {
  if (isFilled(square) === filled) return;
  const cell = square.dataset.cell.split(",").map(Number);
  cells = filled ? [...cells, cell] : cells.filter((known) => String(known) !== String(cell));
  square.setAttribute("aria-pressed", String(filled));
  placed = [];
  marked = null;
  byId("text").value = cells.length ? somaOf(normalized(cells)) : "";
  byId("more").hidden = true;
  change += 1;
  showPieces([]);
}

/** Recognizes what is drawn. Not before the end of a stroke: longer answers would move the squares under the finger. */
const answerDrawn = () => latest(async () => answer(cells.length ? (await read(lineOf(cells))).figures[0] : null));

/** Formats cells as SOMA text with marks. */
function somaOf(all, marks = new Map(all.map((cell) => [String(cell), "1"]))) {
  const [width, depth, height] = extentsOf(all);
  return Array.from({ length: depth }, (_, y) => Array.from({ length: height }, (_, z) => (
    `/${Array.from({ length: width }, (_, x) => marks.get(String([x, y, z])) ?? ".").join("")}`)).join("")).join("\n");
}

/** Sends a request to the program. */
const ask = async (request) => (await started).ask(request);

/** Lets the program read figures, to be counted with a set. Ends what it does. Figures of any size are read without a
 * remark unless there is a set. */
async function read(text, set = null) {
  const programs = await started;
  await programs.toAll({ call: "choose", set: set ?? "", gaps: set === null }, { fresh: true });
  return programs.toAll({ call: "read", name: "text" }, { bytes: new TextEncoder().encode(text) });
}

/** Does something unless there was a change in the meantime, whose doing ended it. */
async function latest(act) {
  const own = change;
  try {
    await act();
  } catch (error) {
    if (own === change) byId("solutions").textContent = error.message;
  }
}

/** Waits for an answer of the program. Ends what was begun before a change. */
async function still(promise) {
  const own = change;
  const answer = await promise;
  if (own !== change) throw new Error("There was a change.");
  return answer;
}

/** Returns a message of the program about the text. There are no options here. */
function aboutText(message) {
  const own = message.replace(/^text:(\d+): /, "line $1: ").replace(/; if figures follow later, name the format$/, "");
  return own[0].toUpperCase() + own.slice(1);
}

/** Reads a figure as text, or the name of one. Returns it, or else what is wrong. */
async function readFigure(text) {
  const own = change;
  try {
    // A whole name such as Oh-27.1 may also be a height map.
    if (figuresCalled(text).length) throw new Error("a name");
    const { figures, messages } = await still(read(text));
    if (!figures.length) throw new Error(messages[0]);
    const more = figures.length > 1 ? `The first of ${figures.length} figures is shown.` : messages.map(aboutText).join(" ");
    byId("more").textContent = more;
    byId("more").hidden = !more;
    return { figure: figures[0] };
  } catch (error) {
    if (own !== change) throw error;
    const { message } = error;
    const named = figuresNamed(text);
    if (named.length === 1) return { figure: (await still(read(lineOf(cellsShown(named[0]))))).figures[0] };
    if (named.length > 1) return { trouble: choice(named) };
    return { trouble: [aboutText(message), isNameLike(text) ? ". No name in this catalog fits it either." : "."] };
  }
}

function readText() {
  change += 1;
  const text = byId("text").value;
  byId("more").hidden = true;
  latest(async () => {
    const { figure = null, trouble = [] } = text.trim() ? await readFigure(text) : {};
    cells = figure?.cells ?? [];
    placed = (figure?.placed ?? []).map(([letter, own]) => ({ letter, cells: own }));
    marked = figure?.marked ?? null;
    extentsOf(cells).forEach((extent, axis) => {
      const input = byId(SIZES[axis]);
      input.value = Math.max(Number(input.value) || 1, Math.min(LARGEST, extent));
    });
    showGrids();
    await answer(figure, trouble);
  });
}

/** Returns the cells of a figure of the gallery, as it is shown there. */
const cellsShown = ({ shape }) => normalized(cellsOf(shape));

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

/** Returns the drawn figure in the gallery, and how the drawing lies compared with it. */
async function lookUp({ signature, turned }) {
  const figure = known.get(signature) ?? known.get(turned);
  if (!figure) return null;
  const shown = cellsShown(figure);
  const sorted = (all) => String(normalized(all));
  if (sorted(shown) === sorted(cells)) return { figure, how: "" };
  const { figures: [other] } = await still(read(lineOf(shown)));
  return { figure, how: other.turned === turned ? ", turned" : ", mirrored" };
}

const plural = (n, one) => `${String(n).replace(/\B(?=(\d{3})+$)/g, ",")} ${one}${String(n) === "1" ? "" : "s"}`;

/** Shows pieces within the figure, or the figure alone. */
function showPieces(pieces, plain = [plainBody(normalized(cells))]) {
  const all = normalized(cells);
  scene.show(all, pieces.length ? pieces : plain, { ghost: pieces.length > 0 });
  byId("stage-told").textContent = all.length ? layersInWords(all) : "";
  if (!scene.ready) byId("picture").innerHTML = all.length ? pictureWithin(all, pieces.length ? pieces : plain, "The figure") : "";
}

/** Returns why a figure is not counted here. */
function obstacle() {
  const number = cells.length, sets = number / SOMA_CELLS;
  if (marked) return `Not counted here: the text has ${marked}. The program counts it: somacat count FILE.`;
  if (placed.length && sets !== 1) return `Not counted here: only figures of ${SOMA_CELLS} cells are counted with pieces in place. The program counts others: somacat count FILE.`;
  if (sets > 1 && sets !== 2) return `Not counted here: ${plural(number, "cell")} are more than the ${SOMA_CELLS} of the seven pieces, and not the ${2 * SOMA_CELLS} of two sets. The program counts with other pieces: somacat count --set PIECES FILE.`;
  if (sets < 1 && number % 4 !== 0 && number % 4 !== 3) return `Cannot be built: no choice of the seven pieces has ${plural(number, "cell")}. V has 3 and each other piece 4.`;
  return "";
}

/** Returns the choices of these pieces that have as many cells as the figure, as the program takes them. */
function choices(letters, left = cells.length) {
  if (left === 0) return [""];
  return letters.flatMap((letter, at) => (PIECE_SIZES[letter] > left ? [] : choices(letters.slice(at + 1), left - PIECE_SIZES[letter]).map((rest) => `${letter} ${rest}`.trim())));
}

const placedBodies = () => placed.map(({ letter, cells: own }) => ({ key: pieceKey(letter, 1), piece: letter, copy: 1, cells: own }));

/** Formats counts: `37 solutions up to rotation and reflection (74 raw packings)`. */
const counted = ({ raw, unique }) => `${plural(unique, "solution")} up to rotation and reflection (${plural(raw, "raw packing")})`;

/** The check boxes of the pieces for smaller figures. */
const ticks = Object.keys(PIECE_SIZES).map((value) => {
  const box = Object.assign(element("input"), { type: "checkbox", checked: true, value });
  const label = element("label");
  label.append(box, value);
  byId("use").append(label);
  return box;
});

/** Shows whether the figure can be built, and in how many ways. */
async function showSolutions() {
  const text = byId("solutions");
  byId("help-to-build").hidden = byId("solution").hidden = byId("choices").hidden = byId("use-box").hidden = byId("why-line").hidden = byId("why-told").hidden = true;
  text.textContent = obstacle() || "Counting …";
  if (text.textContent !== "Counting …") return;
  const sets = cells.length / SOMA_CELLS;
  byId("use-box").hidden = sets >= 1;
  if (sets === 2) await showWithTwoSets();
  else if (sets === 1) await showWithOneSet();
  else await showWithChoices();
}

/** Lets the program count the figure with a set. */
async function count(set, nodes = null) {
  // The pieces in place are in the text.
  await still(read(placed.length ? byId("text").value : lineOf(cells), set));
  const [counted] = await still(ask({ call: "count", file: 0, figures: [0], nodes }));
  return counted;
}

/** Returns a packing with the set that was counted last, or null. */
async function packing() {
  const { packings: [found = null], complete } = await still(ask({ call: "packings", file: 0, figure: 0, most: 1, nodes: SEARCH_NODES }));
  return { found, complete };
}

async function showWithOneSet() {
  const result = await count("");
  const text = byId("solutions");
  const inPlace = placed.length ? ` with ${placed.map(({ letter }) => letter).join(" ")} in place` : "";
  if (result.verdict === "failed") text.textContent = `Not counted: ${result.why}.`;
  else if (result.verdict === "unsolvable") {
    text.textContent = `Cannot be built${inPlace}: ${result.why || result.reason}.`;
    byId("why-line").hidden = false;
  }
  else {
    text.textContent = `Can be built${inPlace}: ${inPlace ? plural(result.raw, "raw packing") : counted(result)}.`;
    offerSolution((await packing()).found);
  }
}

/** Tells why the figure that was counted last cannot be built, and shows it on the picture. */
async function showWhy() {
  const told = byId("why-told");
  told.textContent = "Searching for a reason …";
  told.hidden = false;
  const reason = await still(ask({ call: "why", file: 0, figure: 0, nodes: SEARCH_NODES }));
  told.textContent = reason?.words ?? "No reason was found within the limit of the search.";
  byId("why-line").hidden = true;
  if (reason) showPieces([], whyBodies(normalized(cells), reason));
}

/** With two sets there are too many packings to count here: one is enough. */
async function showWithTwoSets() {
  const text = byId("solutions");
  const { verdict, why } = await count("2xSOMA", 1);
  if (verdict === "unsolvable") {
    text.textContent = `Cannot be built with two sets: ${why}.`;
    byId("why-line").hidden = false;
    return;
  }
  const { found, complete } = await packing();
  if (found) {
    text.textContent = "Can be built with two sets.";
    offerSolution(found);
  } else if (complete) text.textContent = "Cannot be built with two sets: every possibility was tried.";
  else text.textContent = "No packing with two sets was found. The program can search longer: somacat count --set 2xSOMA FILE.";
}

async function showWithChoices() {
  const text = byId("solutions");
  const all = choices(ticks.flatMap(({ checked, value }) => (checked ? value : [])));
  const found = [];
  for (const set of all) {
    const result = await count(set);
    if (result.verdict === "counted") found.push({ set, ...result });
  }
  if (!all.length) text.textContent = `No choice of these pieces has ${plural(cells.length, "cell")}.`;
  else if (!found.length) text.textContent = `Cannot be built: every possibility was tried with each of ${plural(all.length, "choice")} of pieces.`;
  else {
    text.textContent = `Can be built with ${found.length} of ${plural(all.length, "choice")} of pieces.`;
    byId("choices").replaceChildren(...found.map((one) => element("li", `${one.set}: ${counted(one)}`)));
    byId("choices").hidden = false;
    await count(found[0].set, 1);
    offerSolution((await packing()).found);
  }
}

/** Offers the pieces of a packing, one by one or at once. Those in place come first. */
function offerSolution({ pieces: all }) {
  const texts = new Set(placed.map(({ cells: own }) => own.map(String).sort().join(" ")));
  const isPlaced = ([, own]) => texts.has(own.map(String).sort().join(" "));
  const ordered = [...all.filter(isPlaced), ...all.filter((one) => !isPlaced(one))];
  const pieces = numberedBodies(ordered.map(([piece, own]) => ({ piece, cells: own })));
  // As in the program's SOMA text, a second copy has the number of its piece.
  const mark = ({ piece, copy }) => (copy > 1 ? String(Object.keys(PIECE_SIZES).indexOf(piece) + 1) : piece);
  let shown = placed.length;
  const show = (wanted) => {
    shown = wanted;
    showPieces(pieces.slice(0, shown));
    const marks = new Map(pieces.flatMap((one, at) => one.cells.map((cell) => [String(cell), at < shown ? mark(one) : "*"])));
    byId("solution").textContent = somaOf(normalized(cells), marks);
    byId("solution").hidden = false;
    byId("hint").disabled = shown === pieces.length;
  };
  byId("hint").disabled = false;
  byId("hint").onclick = () => show(shown + 1);
  byId("solve").onclick = () => show(pieces.length);
  byId("help-to-build").hidden = false;
}

/** Shows what is known of a figure that the program has read. */
async function answer(figure, trouble = []) {
  const verdict = byId("verdict");
  byId("facts").replaceChildren();
  byId("help-to-build").hidden = byId("solution").hidden = byId("choices").hidden = byId("use-box").hidden = byId("why-line").hidden = byId("why-told").hidden = true;
  byId("solutions").textContent = "";
  showPieces(placedBodies());
  if (!figure) {
    verdict.replaceChildren(...(byId("text").value.trim() ? trouble : ["Nothing is drawn yet."]));
    history.replaceState(null, "", "#");
    return;
  }
  // A link to the page shares the figure.
  history.replaceState(null, "", `#${figure.signature}`);
  const symmetry = await still(ask({ call: "symmetry", file: 0, figure: 0 }));
  const match = await still(lookUp(figure));
  if (match) {
    // A word takes an article: the cube, but SOMA-building-2.
    const article = /^[a-z]+$/.test(match.figure.names[0] ?? "") ? "the " : "";
    verdict.replaceChildren(`This is ${article}`, linkTo(match.figure), `${match.how}.`);
  } else {
    verdict.textContent = "Not in this catalog.";
  }
  const { words, allen, description } = symmetry;
  const facts = [
    ["Cells", String(cells.length)],
    ["Signature", figure.signature],
    ["Symmetry", `${words[0].toUpperCase()}${words.slice(1)}. ${figure.class}${allen ? `, Bob Allen’s letter ${allen}` : ""}: ${description}; ${figure.order} ${figure.order === 1 ? "symmetry" : "symmetries"}`],
    ["Parity", `|black − white| = ${figure.parity}`],
  ];
  if (match && match.figure.names.length > 1) {
    const { names, images } = match.figure;
    const of = (n) => images.find(([which]) => which === n)?.[1];
    const told = names.map((name, n) => (of(n) === undefined ? name : `${name} (mirror image of ${names[of(n)]})`));
    facts.splice(1, 0, ["Names", told.join(", ")]);
  }
  byId("facts").append(...facts.flatMap(([term, text]) => [element("dt", term), element("dd", text)]));
  await showSolutions();
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
    if (painting !== null) answerDrawn();
    painting = null;
    setTimeout(() => { drawn = false; });
  });
}
byId("layers").addEventListener("click", ({ target, detail }) => {
  const square = squareAt(target);
  // Keys click without a detail.
  if (!square || (detail !== 0 && drawn)) return;
  fill(square, !isFilled(square));
  answerDrawn();
});
byId("text").addEventListener("input", readText);
byId("why").addEventListener("click", () => latest(showWhy));
byId("use").addEventListener("change", () => { change += 1; showPieces([]); latest(showSolutions); });
for (const id of SIZES) byId(id).addEventListener("change", showGrids);
byId("clear").addEventListener("click", () => {
  byId("text").value = "";
  readText();
});
for (const id of ["view", "drawing", "answer"]) byId(id).hidden = false;
byId("stage").hidden = !scene.ready;
byId("picture").hidden = scene.ready;
controlView(scene);
/** Reads a signature or a name from the address. */
async function recall() {
  const given = decodeURIComponent(location.hash.slice(1));
  const named = given ? known.get(given) ?? (figuresNamed(given).length === 1 ? figuresNamed(given)[0] : null) : null;
  let text = given;
  if (named) text = lineOf(cellsShown(named));
  // What can be drawn is shown as SOMA text.
  const all = given ? await read(text).then(({ figures: [figure] }) => figure.cells, () => null) : null;
  byId("text").value = all?.length && extentsOf(all).every((extent) => extent <= 40) ? somaOf(all) : given;
  readText();
}
window.addEventListener("hashchange", recall);
started.catch((error) => { byId("solutions").textContent = error.message; });
recall();
