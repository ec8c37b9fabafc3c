// A figure's page: the 3D view, hints and solutions, the checkerboard, axes and mirrors, and recorded searches.
// Creates every control, so that a page without scripts has no dead ones.
"use strict";

const byId = (id) => document.getElementById(id);
const data = byId("data");
/** The recorded searches, a piece set that builds the figure, and why another does not, if there are such. */
const { cells: shape, searches: recorded = [], puzzle: offered = null, why = null } = JSON.parse(data.textContent);
const given = normalized(cellsOf(shape));
const signature = byId("signature").textContent;
const solutionsFile = data.dataset.solutions;
const heading = document.querySelector("h1").textContent;
const plainPicture = byId("picture").innerHTML;
/** Returns a picture as a file: the text of an element in HTML, such as `&nbsp;`, is not XML. */
const svgFile = (id) => new XMLSerializer().serializeToString(byId(id).querySelector("svg"));
const plainFile = svgFile("picture");

// The page shows the figure from the corner that shows the most cells. All that has rows and columns is turned to the
// visitor: picture, plans, squares of the puzzle, words. Cells keep the program's order, so that positions in lists hold.
const turned = VIEWS[bestView(given)];
const cells = toOrigin(given.map(turned));

byId("view").insertAdjacentHTML("beforeend", `
<div class="in-sight">
<canvas id="stage" tabindex="0" role="img" aria-label="3D view" aria-describedby="help layers-told" hidden></canvas>
<p class="told" id="told" role="status"></p>
<div class="tabs" role="tablist" id="tabs" aria-label="The figure" hidden>
<button type="button" role="tab" id="tab-play" aria-controls="play-panel">Play</button>
<button type="button" role="tab" id="tab-explore" aria-controls="explore-panel">Explore</button>
</div>
</div>
<p class="note" id="missing" hidden>This browser shows no WebGL, so there is no 3D view; pictures and plans show every step.</p>
<section id="play-panel" role="tabpanel" aria-labelledby="tab-play" hidden><div id="puzzle"></div></section>
<section id="explore-panel" aria-label="Explore">
<div id="player" hidden>
<div class="controls" role="group" aria-label="Steps">
<button type="button" id="back-step">Take back</button>
<input type="range" id="slider" min="0" aria-label="Step"><output id="at" for="slider"></output>
<button type="button" id="next-step">Next piece</button>
</div>
<div class="controls" id="numbers" role="group" aria-label="Which solution"><button type="button" id="previous-solution" aria-label="Previous solution">◀</button>
<span id="of"></span>
<button type="button" id="next-solution" aria-label="Next solution">▶</button></div>
<p class="note" id="order"></p>
</div>
<div class="controls actions">
<button type="button" class="filled" id="build" hidden>Build it</button>
<button type="button" class="quiet" id="solve" hidden>Show a solution</button>
<button type="button" class="filled" id="tell-why" hidden>Why can this not be built?</button>
<span class="menus" id="menus"></span>
</div>
<details id="tools"><summary>More ways to look at it</summary>
<div class="controls" id="step-tools" hidden>
<label id="track-label">Show <select id="track"></select></label>
<button type="button" id="play" aria-pressed="false">Watch</button>
<label>Speed <select id="speed"><option value="1">1 a second</option><option value="4">4 a second</option><option value="20">20 a second</option><option value="60">60 a second</option></select></label>
<label id="solution-label">Solution <input type="number" class="line" id="solution" min="1" inputmode="numeric"></label>
<form id="go" class="controls"><label>Go to step <input type="number" class="line" id="line" min="0" inputmode="numeric"></label> <button>Go</button></form>
</div>
<label class="switch"><input type="checkbox" id="checker"> Checkerboard</label>
<div id="layer-choice"></div>
<fieldset class="pieces" id="pieces" hidden><legend>Pieces shown</legend></fieldset>
<div class="controls turns" id="turns" role="group" aria-label="View">
<button type="button" data-turn="left" aria-label="Turn left" title="Turn left">◀</button>
<button type="button" data-turn="right" aria-label="Turn right" title="Turn right">▶</button>
<button type="button" data-turn="up" aria-label="Turn up" title="Turn up">▲</button>
<button type="button" data-turn="down" aria-label="Turn down" title="Turn down">▼</button>
<button type="button" data-turn="in" aria-label="Zoom in" title="Zoom in">+</button>
<button type="button" data-turn="out" aria-label="Zoom out" title="Zoom out">−</button>
<button type="button" data-turn="home" aria-label="Reset the view" title="Reset the view">⟲</button>
</div>
<label id="explode-label" class="controls">Pull apart <input type="range" id="explode" min="0" max="100" value="0"></label>
<details id="cells-box"><summary>The net of the cells</summary>
<p class="note">The net has the six sides of what is shown, with the number of each cell in a recorded search. Of a box it can be printed and folded.</p>
<div id="net"></div><button type="button" id="save-net">SVG of the net</button></details>
<div class="trace"><p><b>Watch a search</b></p><p class="note">Choose a file that <code>somacat solve --trace</code> wrote; it stays on this computer.</p>
<label>File <input type="file" id="trace" accept=".json,.jsonl,application/json"></label></div>
</details>
</section>
<p class="note" id="help">Drag, or use the arrow keys, to turn. Once the view is touched, the wheel, two fingers, + and − zoom; 0 resets it; N and P place and take back a piece.</p>
<p class="hidden-text" id="layers-told">${layersInWords(cells)}</p>
<p class="trouble bad" id="trouble" role="alert"></p>`);

byId("view").querySelector(".in-sight").prepend(byId("picture"));
const stage = byId("stage");
const scene = new Scene(stage);
scene.face(cells);
const extents = extentsOf(cells);
// Recorded searches have the figure's cells.
const searches = recorded.map((track) => new Track({ ...track, cells }, true));
/** The lists of solutions, one for each piece set, once loaded. */
let solutions = [];
/** The current track, and for a solution its list and number. */
let shown = { track: null, list: null, number: 0 };
let count = 0;
let playing = 0;
/** The pieces in place while the puzzle is open, the last one marked if it is dragged. */
let inPuzzle = null;
let dragging = false;
let puzzle = null;
/** The layers that are shown. */
const layerChoice = new LayerChoice(byId("layer-choice"), () => show());
const story = why ? new WhyStory(why, byId("why"), [cells, given], () => show()) : null;

// The program, which is loaded on demand.

/** Loads a script of the gallery. */
const loadScript = (address) => new Promise((done, failed) => {
  const script = document.createElement("script");
  script.src = address;
  script.onload = done;
  script.onerror = () => failed(new Error(`${address} could not be loaded.`));
  document.head.append(script);
});

let started = null;
/** Starts the program, with the pieces of the puzzle and the figure. */
function startedPrograms() {
  started ??= (async () => {
    await loadScript("../somacat.js");
    const programs = new Programs(await compileProgram(PROGRAM), 1, () => null);
    const bytes = (text) => new TextEncoder().encode(text);
    const own = offered?.lines && { bytes: bytes(offered.lines) };
    if (offered) await programs.toAll({ call: "choose", set: own ? "pieces.txt" : offered.set, gaps: false }, own || {});
    await programs.toAll({ call: "read", name: "figure" }, { bytes: bytes(lineOf(given)) });
    return programs;
  })();
  return started;
}
/** Asks the program about the figure. */
const ask = async (request) => (await startedPrograms()).ask({ file: 0, figure: 0, ...request });

// The display.

/** Returns the figure without pieces: as the story of why it cannot be built shows it, checkered, or in one color. */
function plainBodies() {
  if (story?.step) return story.bodies();
  return byId("checker").checked ? checkeredBodies(given, cells) : [plainBody(cells)];
}

/** Shows bodies in the picture too, for paper and for browsers without WebGL. */
function drawBodies(all, bodies) {
  byId("picture").innerHTML = pictureWithin(all, bodies.filter(({ key }) => !scene.hidden.has(key)), heading);
}

const plainPlans = byId("plans").innerHTML.trim();
/** Draws the layers as plans. The plain figure keeps the plans of the page, if there are any. */
function drawPlans(all, bodies, plain) {
  if (plain && plainPlans) byId("plans").innerHTML = plainPlans;
  else byId("plans").replaceChildren(plansOf(all, bodies.filter(({ key }) => !scene.hidden.has(key))));
}

function show() {
  const { track } = shown;
  const special = byId("checker").checked || Boolean(story?.step);
  const empty = !inPuzzle && (!track || (count === 0 && !track.isTrace && !track.before.length));
  const all = inPuzzle ? cells : track?.cells ?? cells;
  const plain = layerChoice.of(plainBodies());
  const bodies = inPuzzle ?? (empty ? [] : layerChoice.of(track.placed(count)));
  if (special || empty) scene.show(cells, plain, { ghost: false });
  else scene.show(all, bodies, { hot: inPuzzle ? dragging : (count > 0 && count < track.length) || track.isTrace });
  if (special) drawBodies(cells, plain);
  else if (empty) byId("picture").innerHTML = plainPicture;
  else drawBodies(all, bodies);
  if (special) drawPlans(cells, plain, false);
  else drawPlans(all, empty ? [plainBody(cells)] : bodies, empty);
  if (track && byId("cells-box").open && byId("tools").open) {
    byId("net").innerHTML = netOf(track.cells, bodies.filter(({ key }) => !scene.hidden.has(key)), (cell) => layerChoice.has(cell));
  }
  scene.redraw();
}

function goTo(wanted) {
  const { track } = shown;
  if (!track) return;
  count = Math.min(track.length, Math.max(0, Math.round(wanted) || 0));
  byId("slider").value = byId("line").value = count;
  byId("at").textContent = `${count} of ${track.length}`;
  byId("slider").setAttribute("aria-valuetext", `step ${count} of ${track.length}`);
  byId("told").textContent = track.told(count);
  byId("back-step").disabled = count === 0;
  byId("next-step").disabled = count === track.length;
  byId("soma").textContent = textOf(track);
  show();
  if (count === track.length) stop();
  remember();
}

/** Returns what is shown as SOMA text. The figure lies there as in its source. */
function textOf(track) {
  const own = track.cells === cells ? given : track.cells;
  const placed = track.placed(count).map((body) => ({ ...body, cells: body.cells.map((cell) => own[track.cells.indexOf(cell)]) }));
  return layers(own, placed);
}

function stop() {
  clearInterval(playing);
  playing = 0;
  byId("play").textContent = "Watch";
  byId("play").setAttribute("aria-pressed", "false");
}

function play() {
  if (count === shown.track.length) goTo(0);
  clearInterval(playing);
  playing = setInterval(() => goTo(count + 1), 1000 / Number(byId("speed").value));
  byId("play").textContent = "Pause";
  byId("play").setAttribute("aria-pressed", "true");
}

/** Ends the story of why the figure cannot be built. */
function leaveStory() {
  if (!story?.step) return;
  story.leave();
  byId("told").textContent = "";
  byId("tell-why").textContent = "Why can this not be built?";
}

/** Returns all tracks: the solutions with each set, then the searches. */
const choices = () => [...solutions, ...searches];

/** Returns the label of a choice. */
function choiceName(choice) {
  if (choice.packings instanceof Array) return choice.set ? `Solutions with ${choice.set}` : "Solutions";
  const { set, complete, packings, name, length } = choice;
  const found = packings === null ? "" : `, ${packings} ${packings === 1 ? "solution" : "solutions"} found`;
  return `Search${name ? ` for ${name}` : ""}${set ? ` with ${set}` : ""}: ${length} ${length === 1 ? "placement" : "placements"}${found}${complete === false ? ", stopped early" : ""}`;
}

const grouped = (digits) => String(digits).replace(/\B(?=(\d{3})+$)/g, ",");

/** Opens a solution of a list, or a search, at a step. */
function open(choice, number, at) {
  stop();
  const list = choice.packings instanceof Array ? choice : null;
  const known = list ? Math.min(list.packings.length, Math.max(1, Math.round(number) || 1)) : 0;
  const track = list ? solutionTrack(list.packings[known - 1], { name: heading, set: list.set, cells }) : choice;
  shown = { track, list, number: known };
  byId("order").textContent = [track.order, list?.somap && `SOMAP code ${list.somap[known - 1]}.`].filter(Boolean).join(" ");
  byId("player").hidden = track.length === 0;
  byId("build").hidden = byId("solve").hidden = byId("tell-why").hidden = true;
  byId("step-tools").hidden = byId("pieces").hidden = false;
  byId("checker").checked = false;
  leaveStory();
  tabs?.choose("explore-panel");
  byId("next-step").textContent = list ? "Next piece" : "Next step";
  byId("go").hidden = Boolean(list);
  byId("numbers").hidden = byId("solution-label").hidden = !list;
  if (list) {
    const number = list.packings.length;
    byId("solution").value = known;
    byId("solution").max = number;
    byId("of").textContent = `Solution ${grouped(known)} of ${grouped(number)}${list.unique && list.unique !== String(number) ? ` here, ${grouped(list.unique)} in all` : ""}`;
    byId("previous-solution").disabled = known === 1;
    byId("next-solution").disabled = known === number;
  }
  const all = choices();
  byId("track").replaceChildren(...all.map((one, index) => new Option(choiceName(one), String(index), false, one === choice)));
  byId("track-label").hidden = all.length < 2;
  for (const id of ["slider", "line"]) byId(id).max = track.length;
  scene.hidden.clear();
  layerChoice.open(track.cells);
  const boxes = track.pieces().sort((a, b) => pieceOrder(a) - pieceOrder(b) || (a.key < b.key ? -1 : 1)).map(({ key, piece }) => {
    const label = document.createElement("label");
    const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: true, value: key });
    const swatch = document.createElement("span");
    swatch.className = "swatch";
    swatch.style.background = pieceColor(piece);
    label.append(box, swatch, key);
    return label;
  });
  byId("pieces").replaceChildren(byId("pieces").firstElementChild, ...boxes);
  symmetry.hide(true);
  goTo(at);
}

/** Returns the rank of a piece: V L T Z A B P, then the others. */
function pieceOrder({ piece }) {
  const at = "VLTZABP".indexOf(piece);
  return at < 0 ? 99 : at;
}

// Solutions are in a separate script, which is loaded on demand.

let loading = null;
function loadSolutions() {
  loading ??= new Promise((done, failed) => {
    window.showSolutions = (lists) => {
      solutions = lists;
      done();
    };
    const script = document.createElement("script");
    script.src = solutionsFile;
    script.onerror = () => failed(new Error("The solutions could not be loaded."));
    document.head.append(script);
  });
  return loading;
}

/** Loads the solutions and opens one. */
async function openSolution(number, at, set) {
  try {
    await loadSolutions();
    const list = solutions.find((one) => one.set === set) ?? solutions[0];
    open(list, number, at ?? Infinity);
  } catch (error) {
    byId("trouble").textContent = error.message;
  }
}

// The puzzle.

const isPuzzle = offered !== null && Math.max(...extents) <= 12;

async function openPuzzle() {
  stop();
  symmetry.hide(true);
  byId("view").classList.add("solving");
  byId("told").textContent = "";
  scene.hidden.clear();
  layerChoice.open(cells);
  if (puzzle) return puzzle.changed("");
  byId("told").textContent = "Loading …";
  try {
    const { pieces, places } = await ask({ call: "puzzle" });
    if (byId("play-panel").hidden) return undefined;
    byId("told").textContent = "";
    const placed = (bodies, marked) => {
      if (byId("play-panel").hidden) return;
      inPuzzle = bodies;
      dragging = marked;
      show();
    };
    const spotsInView = (...asked) => (scene.ready ? scene.spots(...asked) : null);
    puzzle = new Puzzle(byId("puzzle"), { cells, pieces, places, signature, ask, show: placed, spotsInView, describe: describePacking });
  } catch (error) {
    byId("told").textContent = error.message;
  }
  return undefined;
}

function closePuzzle() {
  inPuzzle = null;
  byId("view").classList.remove("solving");
  byId("told").textContent = "";
  symmetry.hide(Boolean(shown.track));
  if (shown.track) goTo(count);
  else show();
}

/** Returns the number of a packing among the page's solutions, in words. `find` asks the program for it. */
async function describePacking(find) {
  const { set, unique, solutions: all } = offered;
  try {
    if (solutionsFile) await loadSolutions();
  } catch { /* Without the file the packing has no number. */ }
  const { packings } = solutions.find((list) => list.set === set) ?? { packings: [] };
  const kindOf = (letter) => puzzle.kinds.findIndex((kind) => kind.letter === letter);
  const found = await find(packings.map((text) => (
    solutionTrack(text, { cells }).steps.map(({ piece, cells: own }) => [kindOf(piece), own]))));
  const number = found?.answer ?? null;
  return number !== null && unique ? `This is solution ${grouped(number + 1)} of ${grouped(unique)}.` : `This is one of ${all}.`;
}

// The address contains the step, so that it can be linked.

function remember() {
  const state = new URLSearchParams();
  if (shown.list) {
    state.set("solution", String(shown.number));
    if (solutions.length > 1) state.set("set", shown.list.set);
  } else if (searches.indexOf(shown.track) >= 0 && !shown.track.opened) {
    state.set("search", String(searches.indexOf(shown.track) + 1));
  } else {
    return;
  }
  state.set("step", String(count));
  try {
    history.replaceState(null, "", `#${state}`);
  } catch { /* Some browsers keep no history for pages of the file system. */ }
}

async function recall() {
  const state = new URLSearchParams(location.hash.slice(1));
  if (tabs && state.has("play")) return tabs.choose("play-panel");
  const number = (name) => (state.has(name) ? Number(state.get(name)) : undefined);
  const search = searches[number("search") - 1];
  if (state.has("solution") && solutionsFile) await openSolution(number("solution"), number("step"), state.get("set"));
  else if (search) open(search, 0, number("step") ?? 0);
  return undefined;
}

async function openTrace(file) {
  byId("trouble").textContent = "";
  try {
    const trace = readTrace(await file.text());
    trace.opened = true;
    for (let at = searches.length - 1; at >= 0; at--) if (searches[at].opened) searches.splice(at, 1);
    searches.push(trace);
    open(trace, 0, 0);
    byId("player").scrollIntoView({ block: "nearest" });
  } catch (error) {
    byId("trouble").textContent = `${file.name}: ${error.message}`;
  }
}

const tabs = isPuzzle ? makeTabs(byId("tabs"), (panel) => (panel === "play-panel" ? openPuzzle() : closePuzzle())) : null;
/** Shows where each piece can lie, once the visitor comes near: the list is in the file of the solutions. */
async function showPlaces() {
  try {
    await loadSolutions();
    const sections = solutions.map((list) => placesSection(list, cells)).filter(Boolean);
    byId("places").replaceChildren(...sections);
  } catch (error) {
    byId("trouble").textContent = error.message;
  }
}
byId("build").addEventListener("click", () => {
  tabs?.choose("play-panel");
  byId("tab-play").focus({ preventScroll: true });
});
byId("solve").addEventListener("click", () => openSolution(1));
byId("tell-why").addEventListener("click", () => {
  byId("checker").checked = false;
  symmetry.leave();
  byId("told").textContent = story.next();
  byId("tell-why").textContent = story.isLast() ? "From the beginning" : "Go on";
});
byId("back-step").addEventListener("click", () => { stop(); goTo(count - 1); });
byId("next-step").addEventListener("click", () => { stop(); goTo(count + 1); });
byId("play").addEventListener("click", () => (playing ? stop() : play()));
byId("speed").addEventListener("change", () => { if (playing) play(); });
byId("slider").addEventListener("input", () => { stop(); goTo(Number(byId("slider").value)); });
byId("go").addEventListener("submit", (event) => {
  event.preventDefault();
  stop();
  goTo(Number(byId("line").value));
});
byId("track").addEventListener("change", () => {
  const chosen = choices()[byId("track").value];
  open(chosen, 1, chosen.packings instanceof Array ? Infinity : 0);
});
// Another solution opens at the same step.
const turnTo = (number) => open(shown.list, number, count === shown.track.length ? Infinity : count);
byId("previous-solution").addEventListener("click", () => turnTo(shown.number - 1));
byId("next-solution").addEventListener("click", () => turnTo(shown.number + 1));
byId("solution").addEventListener("change", () => turnTo(Number(byId("solution").value)));
byId("trace").addEventListener("change", () => { if (byId("trace").files[0]) openTrace(byId("trace").files[0]); });
byId("pieces").addEventListener("change", ({ target }) => {
  scene.hidden[target.checked ? "delete" : "add"](target.value);
  show();
});
byId("checker").addEventListener("change", () => {
  leaveStory();
  byId("told").textContent = byId("checker").checked ? byId("parity").textContent.trim() : "";
  show();
});
const symmetry = new SymmetryShow(byId("symmetry"), scene, { extents, turned, ask: () => ask({ call: "symmetry" }), begin: () => { leaveStory(); show(); } });
for (const id of ["cells-box", "tools"]) byId(id).addEventListener("toggle", show);
byId("save-net").addEventListener("click", () => download(`${fileName}-net.svg`, "image/svg+xml", svgFile("net")));

byId("explode").addEventListener("input", () => {
  scene.explode = Number(byId("explode").value) / 50;
  scene.redraw();
});
controlView(scene, { n: () => goTo(count + 1), p: () => goTo(count - 1) });

// Downloads and copies.

async function copy(text, button) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "The browser does not allow it";
  }
  setTimeout(() => { button.textContent = label; }, 1500);
}

/** Returns a menu next to the main buttons: the page's own, or a new one. */
function menu(id, label) {
  let box = byId(id);
  if (!box) {
    box = Object.assign(document.createElement("details"), { id, className: "menu", innerHTML: `<summary class="button">${label}</summary><div class="menu-items"></div>` });
  }
  byId("menus").append(box);
  closeMenu(box);
  return box.querySelector(".menu-items");
}

function addButton(items, label, action) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: label });
  button.addEventListener("click", () => action(button));
  items.append(button);
}

function download(name, type, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const fileName = data.dataset.name;
const soma = byId("soma").textContent.trim();
const files = menu("download", "Download");
if (byId("soma").tagName === "PRE") addButton(files, "SOMA text", () => download(`${fileName}.soma`, "text/plain", `${soma}\n`));
addButton(files, "SVG picture", () => download(`${fileName}.svg`, "image/svg+xml", plainFile));
const share = menu("share", "Share");
addButton(share, "Copy the link", (button) => copy(location.href, button));
addButton(share, "Copy signature", (button) => copy(signature, button));
addButton(share, "Copy code to embed", (button) => {
  const src = new URL(`../embed.html?figure=${encodeURIComponent(signature)}`, location.href).href;
  copy(Object.assign(document.createElement("iframe"), { src, title: heading, width: "400", height: "450", loading: "lazy" }).outerHTML, button);
});
if (byId("bibtex")) addButton(share, "Copy the citation", (button) => copy(byId("bibtex").textContent, button));
addButton(byId("text"), "Copy", (button) => copy(`${byId("soma").textContent.trim()}\n`, button));
// The address of the page, which a publisher may not have known.
if (location.protocol.startsWith("http")) byId("permanent").textContent = byId("permanent").href = location.href.split("#")[0];

try {
  // Returns to the index with its filters.
  const hash = sessionStorage.getItem("gallery");
  if (hash) byId("back").hash = hash;
} catch { /* Some browsers keep nothing for pages of the file system. */ }

stage.hidden = !scene.ready;
byId("picture").hidden = scene.ready;
byId("missing").hidden = scene.ready;
byId("text").open = false;
for (const id of ["turns", "help", "explode-label"]) byId(id).hidden = !scene.ready;
stage.setAttribute("aria-label", `3D view of ${heading}`);
byId("build").hidden = !isPuzzle;
byId("solve").hidden = !solutionsFile;
byId("tell-why").hidden = !story;
layerChoice.open(cells);
if (tabs) {
  byId("tabs").hidden = false;
  byId("explore-panel").setAttribute("role", "tabpanel");
  byId("explore-panel").setAttribute("aria-labelledby", "tab-explore");
  tabs.choose("explore-panel");
} else show();
// Opens the page's searches at once if there is no solution to hide.
if (!solutionsFile && searches.length) open(searches[0], 0, 0);
if (solutionsFile) {
  new IntersectionObserver((entries, observer) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    showPlaces();
  }, { rootMargin: "200px" }).observe(byId("places"));
}
window.addEventListener("hashchange", recall);
recall();
