// The index: shelves, chips, filters, sorting, paging, and thumbnails that are drawn when visible.
"use strict";

const PER_PAGE = 60;
/** Figures of each row on the overview, and the fewest. A gallery with few figures has no overview. */
const PER_ROW = 6;
const FEWEST_IN_ROW = 3;
const FEW = 12;
const byId = (id) => document.getElementById(id);
const FIELDS = ["name", "class", "box", "fold", "order", "verdict", "set", "kind", "min", "max", "sort"];

/** What a card and the shelves need of a figure, computed once.
 * @typedef {GalleryFigure & { at: number, box: string, searched: string[], main: GalleryOutcome, extents: number[],
 *   unique: number, effort: number, families: number, buildable: boolean, whole: boolean, titled: boolean }} Listed */

/** Pieces named one by one, as in `V L T2`. */
const PART_OF_SOMA = /^[A-Z]\d*( [A-Z]\d*)*$/;
const isNamed = (figure) => figure.names.length > 0;
const isEasy = ({ main }) => main.difficulty === 1 || main.difficulty === 2;
const isBuildable = (figure) => figure.outcomes.some(({ verdict }) => verdict === "counted" || verdict === "at-least");
/** Returns a count as a number, if it is exact. */
const exact = (outcome, kind) => (outcome[kind] !== "" && outcome.verdict !== "at-least" ? Number(outcome[kind]) : null);
const most = (figure, value) => figure.outcomes.reduce((best, outcome) => Math.max(best, value(outcome) ?? -1), -1);
const uniqueCount = (figure) => most(figure, (outcome) => (outcome.verdict === "counted" ? exact(outcome, "unique") : null));
/** Returns the placements that a plain search tries for each solution, which determine the difficulty. */
const effort = (figure) => most(figure, (outcome) => outcome.effort);
/** Returns the outcome that a card shows: one of a set that builds the figure, of a whole set if there is one. */
function mainOutcome({ outcomes }) {
  const built = outcomes.filter(({ verdict }) => verdict === "counted" || verdict === "at-least");
  return built.find(({ set }) => !PART_OF_SOMA.test(set)) ?? built[0] ?? outcomes[0];
}
/** @type {Listed[]} */
const figures = FIGURES.map((figure, at) => ({
  ...figure,
  at,
  box: /-(\d+x\d+x\d+)/.exec(figure.signature)[1].replaceAll("x", "×"),
  searched: textsOf(figure),
  main: mainOutcome(figure),
  extents: figure.shape.includes(":") ? figure.shape.split(":")[0].split("x").map(Number) : extentsOf(cellsOf(figure.shape)),
  unique: uniqueCount(figure),
  effort: effort(figure),
  families: most(figure, (outcome) => outcome.families),
  buildable: isBuildable(figure),
  whole: figure.outcomes.some(({ set }) => !PART_OF_SOMA.test(set)),
  titled: Boolean(figure.title),
}));
/** Figures for whole sets come first, and of equal figures those with a title. */
const downBy = (...fields) => (a, b) => (
  ["whole", ...fields, "titled"].reduce((order, field) => order || b[field] - a[field], 0) || a.at - b.at);

const number = (n) => grouped(String(n));
const plural = (n, one) => `${number(n)} ${one}${n === 1 ? "" : "s"}`;
const figuresInWords = plural(figures.length, "figure");

/** The most figures on a shelf, and the contents of each in order. */
const LIMIT = 24;
/** The least number of unique solutions that are many. */
const MANY = 100;
const ALL = { id: "all", label: "All figures", holds: () => true };
const SHELVES = [
  ALL,
  { id: "easy", label: "Good to begin with", holds: (figure) => figure.whole && isEasy(figure), order: downBy("unique") },
  { id: "named", label: "Named figures", holds: isNamed, order: downBy("buildable") },
  { id: "one", label: "One solution only", holds: (figure) => figure.unique === 1, order: downBy("titled", "order") },
  { id: "most", label: "Most solutions", holds: (figure) => figure.unique >= MANY, order: downBy("unique") },
  { id: "symmetric", label: "Most symmetric", holds: (figure) => figure.order > 1 && figure.buildable, order: downBy("order") },
  { id: "hardest", label: "Hardest", holds: (figure) => figure.effort > 0, order: downBy("effort") },
  { id: "families", label: "Most families", holds: (figure) => figure.families > 1, order: downBy("families") },
  { id: "double", label: "Built from two sets", holds: (figure) => figure.outcomes.some(({ set }) => set === "2xSOMA"), order: downBy("buildable") },
  { id: "new", label: "New here", holds: (figure) => !isNamed(figure) && figure.buildable, order: downBy("order") },
];
/** What chips let through. Those chosen hold together.
 * @type {{ id: string, label: string, holds: (figure: Listed) => boolean }[]} */
const CHIPS = [
  { id: "easy", label: "Easy", holds: isEasy },
  { id: "hard", label: "Hard", holds: ({ main }) => main.difficulty >= 4 },
  { id: "one", label: "One solution", holds: ({ unique }) => unique === 1 },
  { id: "symmetric", label: "Symmetric", holds: ({ order }) => order > 1 },
  { id: "tall", label: "Tall", holds: ({ extents }) => extents[2] > Math.max(extents[0], extents[1]) },
  { id: "flat", label: "Flat", holds: ({ extents }) => extents[2] <= 2 },
  { id: "impossible", label: "Cannot be built", holds: ({ buildable, outcomes }) => !buildable && outcomes.some(({ verdict }) => verdict === "unsolvable") },
  { id: "solved", label: "Solved by you", holds: ({ signature }) => signature in solved },
];
for (const one of SHELVES) {
  const held = figures.filter(one.holds);
  one.figures = one === ALL ? held : held.sort(one.order).slice(0, LIMIT);
  one.size = one.figures.length < held.length ? `${LIMIT} of ${number(held.length)}` : number(held.length);
}
/** The overview: a row of each shelf. */
const ROWS = { ...ALL, id: "", label: "Overview" };
const START = figures.length > FEW ? ROWS : ALL;
let shelf = START;
/** The chips chosen. */
let chips = new Set();
let solved = stored(SOLVED, {});
let built = stored(BUILT, {});

const drawWhenSeen = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) {
    if (!isIntersecting) continue;
    drawWhenSeen.unobserve(target);
    drawThumbnail(target);
  }
}, { rootMargin: "200px" });
/** Draws a figure; one that the visitor solved, as it was solved. */
function drawThumbnail(canvas) {
  const pieces = built[canvas.dataset.signature];
  drawPicture(canvas, normalized(cellsOf(canvas.dataset.shape)), { colors: pieces?.map(pieceColor) });
}
// Paper has no scrolling: all thumbnails are drawn.
window.addEventListener("beforeprint", () => document.querySelectorAll("#gallery canvas").forEach(drawThumbnail));

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

/** Returns a text in an element that says how hard a figure is to build. */
function starsOf(difficulty) {
  const stars = element("span", "stars", "★".repeat(difficulty));
  stars.setAttribute("role", "img");
  stars.setAttribute("aria-label", `difficulty ${difficulty} of 5`);
  return stars;
}

/** Returns a line of parts with dots between them. */
function lineOfParts(...parts) {
  const line = element("span");
  parts.filter(Boolean).forEach((part, at) => line.append(...(at ? [" · "] : []), part));
  return line;
}

/** The set of most figures, which cards do not name. */
const [USUAL_SET] = tally(({ main }) => [main.set]).reduce((most, one) => (one[1] > most[1] ? one : most), ["", 0]);

function card(figure) {
  const { signature, main } = figure;
  const link = element("a", "card");
  link.href = `figures/${figure.page}.html`;
  const canvas = element("canvas");
  Object.assign(canvas.dataset, { shape: figure.shape, signature });
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `${plural(figure.cells, "cell")}, seen from the front, the right and above`);
  link.append(canvas, element("strong", "", titleOf(figure)));
  const done = signature in solved && element("span", "good", `✓ ${solved[signature]}`);
  if (done) done.setAttribute("aria-label", `solved by you in ${solved[signature]}`);
  link.append(lineOfParts(done, waysOf(main), main.difficulty && starsOf(main.difficulty), main.set !== USUAL_SET && main.set));
  // Says why a search found the figure, if its title does not.
  const typed = byId("name").value;
  const found = typed && !matcher(typed)(titleOf(figure).toLowerCase()) && nameFor(figure, typed);
  if (found) link.append(element("span", "", found));
  const item = element("li");
  item.append(link);
  return item;
}

/** Returns the name of a figure that a search found, or its title. */
const nameFor = ({ names, titles, number }, typed) => {
  const fits = matcher(typed);
  return [...names, ...titles.map(([, text]) => text), number].find((text) => fits(text.toLowerCase()));
};

function chosen() {
  const value = Object.fromEntries(FIELDS.map((id) => [id, byId(id).value]));
  const names = matcher(value.name);
  const [min, max] = [value.min, value.max].map((text) => (text === "" ? null : Number(text)));
  const outcomeFits = (outcome) => {
    if (value.verdict && (outcome.verdict || "not counted") !== value.verdict) return false;
    if (value.set && outcome.set !== value.set) return false;
    const count = exact(outcome, value.kind);
    return (min === null || (count !== null && count >= min)) && (max === null || (count !== null && count <= max));
  };
  const shown = CHIPS.filter(({ id }) => chips.has(id));
  const fits = (figure) => shown.every(({ holds }) => holds(figure))
    && (!value.name || figure.searched.some(names))
    && (!value.class || figure.className === value.class)
    && (!value.box || figure.box === value.box)
    && (!value.fold || figure.folds.includes(Number(value.fold)))
    && (!value.order || figure.order === Number(value.order))
    && figure.outcomes.some(outcomeFits);
  const found = shelf.figures.filter(fits);
  const text = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  // Sorts by the count of an outcome that the filters select.
  const count = (figure) => figure.outcomes.filter(outcomeFits)
    .map((outcome) => exact(outcome, value.kind)).find((n) => n !== null) ?? null;
  const byCount = (sign) => (a, b) => {
    const [m, n] = [count(a), count(b)];
    if (m === null || n === null) return Number(m === null) - Number(n === null) || a.at - b.at;
    return sign * (m - n) || a.at - b.at;
  };
  const nameless = (figure) => figure.names.length === 0;
  const orders = {
    name: (a, b) => Number(nameless(a)) - Number(nameless(b)) || text(a.searched[2] || "", b.searched[2] || "") || a.at - b.at,
    signature: (a, b) => text(a.signature, b.signature),
    "count-down": byCount(-1),
    "count-up": byCount(1),
    order: downBy("order"),
    effort: downBy("effort"),
  };
  return value.sort ? found.sort(orders[value.sort]) : found;
}

let found = [];

function takeFrom(one) {
  shelf = one;
  refresh(1);
  byId("gallery").scrollIntoView({ block: "start" });
}

/** Returns the rows of the overview: shelves, with their figures. A figure is in one row only. A row with too few figures
 * joins its smaller neighbor. */
function rowsOfShelves() {
  const shown = new Set();
  const rows = SHELVES.slice(1).flatMap((one) => {
    const held = one.figures.filter((figure) => !shown.has(figure)).slice(0, PER_ROW);
    held.forEach((figure) => shown.add(figure));
    return held.length ? [{ shelves: [one], held }] : [];
  });
  for (;;) {
    const at = rows.findIndex(({ held }) => held.length < FEWEST_IN_ROW);
    if (at < 0 || rows.length < 2) return rows;
    const size = (row) => row?.held.length ?? Infinity;
    const first = size(rows[at - 1]) < size(rows[at + 1]) ? at - 1 : at;
    const [one, other] = rows.splice(first, 2);
    const few = Math.min(one.held.length, other.held.length);
    const part = (row) => row.held.slice(0, row.held.length === few ? few : PER_ROW - few);
    rows.splice(first, 0, { shelves: [...one.shelves, ...other.shelves], held: [...part(one), ...part(other)] });
  }
}

/** Joins labels: `Hardest, most families and built from two sets`. */
function labelOf(shelves) {
  const words = shelves.map(({ label }, at) => (at ? label[0].toLowerCase() + label.slice(1) : label));
  return words.length === 1 ? words[0] : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** Shows the rows, with buttons that open their shelves. */
function showRows() {
  const rows = rowsOfShelves().map(({ shelves, held }) => {
    const row = element("section");
    const head = element("div", "row-head");
    const all = shelves.flatMap((one) => {
      if (one.figures.every((figure) => held.includes(figure))) return [];
      const alone = shelves.length === 1;
      const open = element("button", "quiet", alone ? `See ${one.size}` : `${one.label}: ${one.size}`);
      open.type = "button";
      if (alone) open.setAttribute("aria-label", `See ${one.size}: ${one.label}`);
      open.addEventListener("click", () => takeFrom(one));
      return [open];
    });
    const buttons = element("div");
    buttons.append(...all);
    head.append(element("h2", "", labelOf(shelves)), buttons);
    const list = element("ul", "row");
    list.append(...held.map(card));
    row.append(head, list);
    return row;
  });
  const all = element("button", "", `See all ${figuresInWords}`);
  all.type = "button";
  all.addEventListener("click", () => takeFrom(ALL));
  byId("rows").replaceChildren(...rows, all);
  for (const canvas of byId("rows").querySelectorAll("canvas")) drawWhenSeen.observe(canvas);
}

function showPage(page) {
  const rows = shelf === ROWS;
  byId("rows").hidden = !rows;
  byId("grid").hidden = byId("list-head").hidden = rows;
  byId("overview").hidden = START === ALL;
  byId("list-title").textContent = shelf === ALL && isNarrowed() ? "Found" : shelf.label;
  // What was searched for is to be in sight.
  byId("today-box").hidden = !today || shelf !== START || isNarrowed();
  if (rows) {
    drawWhenSeen.disconnect();
    byId("grid").replaceChildren();
    showRows();
    byId("pages").hidden = true;
    byId("status").textContent = summary();
    remember(1);
    return;
  }
  byId("rows").replaceChildren();
  const pages = Math.max(1, Math.ceil(found.length / PER_PAGE));
  const at = Math.min(Math.max(1, page || 1), pages);
  const from = (at - 1) * PER_PAGE;
  drawWhenSeen.disconnect();
  byId("grid").replaceChildren(...found.slice(from, from + PER_PAGE).map(card));
  for (const canvas of byId("grid").querySelectorAll("canvas")) drawWhenSeen.observe(canvas);
  byId("page").value = at;
  byId("page").max = pages;
  byId("of").textContent = `of ${pages}`;
  byId("previous").disabled = at === 1;
  byId("next").disabled = at === pages;
  byId("pages").hidden = pages === 1;
  const shown = pages === 1 ? "" : `, ${number(from + 1)} to ${number(Math.min(from + PER_PAGE, found.length))} shown`;
  byId("status").textContent = found.length
    ? `${number(found.length)} of ${figuresInWords}${shown}`
    : `None of ${figuresInWords} matches. Clear a filter to see more.`;
  remember(at);
}

/** Says how many figures there are, and how many of them the visitor solved. */
function summary() {
  const buildable = figures.filter((figure) => figure.buildable);
  const done = buildable.filter(({ signature }) => signature in solved).length;
  if (done) return `${number(done)} of ${number(buildable.length)} buildable figures solved by you`;
  if (buildable.length === figures.length) return `${figuresInWords} to build. Solutions stay hidden until you ask.`;
  return `${figuresInWords}, of which ${number(buildable.length)} can be built. Solutions stay hidden until you ask.`;
}

/** Stores filters and page in the address, so that going back restores them. */
function remember(page) {
  const state = new URLSearchParams();
  if (shelf !== START) state.set("shelf", shelf.id);
  if (chips.size) state.set("show", [...chips].join(","));
  for (const id of FIELDS) if (byId(id).value && byId(id).value !== byId(id).dataset.usual) state.set(id, byId(id).value);
  if (page > 1) state.set("page", page);
  const hash = state.toString();
  try {
    history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
    sessionStorage.setItem("gallery", hash);
  } catch { /* Some browsers keep no history for pages of the file system. */ }
}

function recall() {
  const state = new URLSearchParams(location.hash.slice(1));
  shelf = SHELVES.find(({ id }) => id === state.get("shelf")) ?? ([...state.keys()].length ? ALL : START);
  for (const id of FIELDS) byId(id).value = state.get(id) ?? byId(id).dataset.usual;
  chips = new Set((state.get("show") ?? "").split(",").filter((id) => CHIPS.some((chip) => chip.id === id)));
  refresh(Number(state.get("page")) || 1);
}

/** Returns whether a chip or a filter is chosen. */
const isNarrowed = () => chips.size > 0 || FIELDS.some((id) => byId(id).value !== byId(id).dataset.usual);

function refresh(page) {
  for (const button of byId("chips").querySelectorAll("[data-chip]")) {
    button.setAttribute("aria-pressed", String(chips.has(button.dataset.chip)));
  }
  byId("clear").hidden = !isNarrowed();
  found = chosen();
  showPage(page);
}

function options(id, values) {
  for (const [value, label] of values) {
    const option = element("option", "", label);
    option.value = value;
    byId(id).append(option);
  }
}

/** Counts the figures with each value. */
function tally(valuesOf) {
  const tallied = new Map();
  for (const figure of figures) {
    for (const value of new Set(valuesOf(figure))) tallied.set(value, (tallied.get(value) || 0) + 1);
  }
  return [...tallied].map(([value, n]) => [value, n]);
}

/** Shows a chip for whatever holds for some figures, but not for all, and one that clears what is chosen. */
function showChips() {
  const buttons = CHIPS.flatMap(({ id, label, holds }) => {
    const some = figures.some(holds) && !figures.every(holds);
    if (!some && id !== "solved" || id === "solved" && !figures.some(holds)) return [];
    const button = element("button", "", label);
    button.type = "button";
    button.dataset.chip = id;
    button.addEventListener("click", () => {
      if (!chips.delete(id)) chips.add(id);
      narrow();
    });
    return [button];
  });
  const clear = element("button", "quiet", "Clear");
  clear.type = "button";
  clear.id = "clear";
  clear.addEventListener("click", () => {
    chips.clear();
    for (const id of FIELDS) byId(id).value = byId(id).dataset.usual;
    shelf = START;
    refresh(1);
  });
  byId("chips").replaceChildren(...buttons, clear);
}

/** Shows what the search, chips and filters let through, of all figures unless a shelf is open. */
function narrow() {
  if (shelf === ROWS) shelf = ALL;
  refresh(1);
}

/** The figure of the day.
 * @type {Listed | undefined} */
let today;

/** Shows the figure of the day, one to build. */
function showToday() {
  const named = figures.filter((figure) => figure.buildable && figure.whole && isNamed(figure));
  // Of the set that most visitors have, and with a title, if there are such figures.
  const some = (all, holds) => (all.some(holds) ? all.filter(holds) : all);
  const now = new Date();
  today = figureOfTheDay(some(some(named, ({ main }) => main.set === USUAL_SET), ({ title }) => title), now);
  if (!today) return;
  byId("today-box").hidden = false;
  byId("today-date").textContent = `Figure of the day, ${now.toLocaleDateString("en", { day: "numeric", month: "long" })}`;
  byId("today-title").textContent = titleOf(today);
  const { main } = today;
  byId("today-told").replaceChildren(lineOfParts(`${waysOf(main)} to build it`, main.difficulty && starsOf(main.difficulty)));
  byId("today-facts").textContent = `${today.cells} cells, ${today.symmetry}.`;
  byId("today").href = `figures/${today.page}.html`;
  showTurning(normalized(cellsOf(today.shape)), titleOf(today));
}

byId("random").addEventListener("click", () => {
  // Prefers buildable figures.
  const buildable = found.filter((figure) => figure.buildable);
  const from = buildable.length ? buildable : found.length ? found : figures;
  location.href = `figures/${from[Math.floor(Math.random() * from.length)].page}.html`;
});

const byNumber = (a, b) => a[0] - b[0];
const labeled = ([value, n]) => [value, `${value} (${n})`];
const allen = (name) => {
  const letter = figures.find(({ className }) => className === name).allen;
  return letter ? `, Allen ${letter}` : "";
};
options("class", tally((f) => [f.className]).sort((a, b) => (a[0] < b[0] ? -1 : 1))
  .map(([name, n]) => [name, `${name}${allen(name)} (${n})`]));
options("box", tally((f) => [f.box]).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(labeled));
options("fold", tally((f) => f.folds).sort(byNumber).map(labeled));
options("order", tally((f) => [f.order]).sort(byNumber).map(labeled));
options("verdict", tally((f) => f.outcomes.map((o) => o.verdict || "not counted")).sort()
  .map(([verdict, n]) => [verdict, `${VERDICTS[verdict] || verdict} (${n})`]));
options("set", tally((f) => f.outcomes.map((o) => o.set)).filter(([set]) => set).sort().map(labeled));
byId("set-label").hidden = GALLERY.sets.filter(Boolean).length < 2;
for (const id of FIELDS) byId(id).dataset.usual = id === "kind" ? "unique" : "";

for (const id of ["filters", "more-filters"]) {
  byId(id).addEventListener("input", narrow);
  byId(id).addEventListener("submit", (event) => event.preventDefault());
}
byId("sort").addEventListener("input", narrow);
byId("overview").addEventListener("click", () => {
  byId("clear").click();
  byId("gallery").scrollIntoView({ block: "start" });
});
const turnTo = (page) => {
  showPage(page);
  byId("status").scrollIntoView({ block: "start" });
};
byId("previous").addEventListener("click", () => turnTo(Number(byId("page").value) - 1));
byId("next").addEventListener("click", () => turnTo(Number(byId("page").value) + 1));
byId("page").addEventListener("change", () => turnTo(Number(byId("page").value)));
window.addEventListener("hashchange", recall);
// Going back to this page may show a figure solved meanwhile.
window.addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  solved = stored(SOLVED, {});
  built = stored(BUILT, {});
  showChips();
  recall();
});
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => showPage(Number(byId("page").value)));
// The many filters would hide the figures, so they open only if the address sets one.
byId("filters-box").open = FIELDS.some((id) => !["name", "sort"].includes(id) && new URLSearchParams(location.hash.slice(1)).has(id));
byId("name").placeholder = `Search ${figuresInWords}`;
byId("stars-told").hidden = !figures.some(({ main }) => main.difficulty);
byId("gallery").hidden = false;
showToday();
showChips();
recall();
