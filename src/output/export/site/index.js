// The index: shelves, filters, sorting, paging, and thumbnails that are drawn when visible.
"use strict";

const PER_PAGE = 60;
/** Figures of each shelf on the overview. A gallery with few figures has no overview. */
const PER_ROW = 6;
const FEW = 12;
const byId = (id) => document.getElementById(id);
const FIELDS = ["name", "class", "box", "fold", "order", "verdict", "set", "kind", "min", "max", "sort"];

const figures = FIGURES.map((figure, at) => {
  const { signature, names, images, titles } = figure;
  return {
    ...figure,
    at,
    box: /-(\d+x\d+x\d+)/.exec(signature)[1].replaceAll("x", "×"),
    named: names.map((name, n) => {
      const image = images.find(([which]) => which === n);
      const other = titles.find(([which]) => which === n);
      return `${name}${image ? ` (mirror image of ${names[image[1]]})` : ""}${other ? `: ${other[1]}` : ""}`;
    }),
    searched: textsOf(figure),
    // Shelves are filled and sorted by these values, so they are computed once, below.
    unique: 0, effort: 0, families: 0, buildable: false, whole: false, titled: false,
  };
});

/** Pieces named one by one, as in `V L T2`. */
const PART_OF_SOMA = /^[A-Z]\d*( [A-Z]\d*)*$/;
const isNamed = (figure) => figure.names.length > 0;
const isBuildable = (figure) => figure.outcomes.some(({ verdict }) => verdict === "counted" || verdict === "at-least");
/** Returns a count as a number, if it is exact. */
const exact = (outcome, kind) => (outcome[kind] !== "" && outcome.verdict !== "at-least" ? Number(outcome[kind]) : null);
const most = (figure, value) => figure.outcomes.reduce((best, outcome) => Math.max(best, value(outcome) ?? -1), -1);
const uniqueCount = (figure) => most(figure, (outcome) => (outcome.verdict === "counted" ? exact(outcome, "unique") : null));
/** Returns the placements that a plain search tries for each solution, which determine the difficulty. */
const effort = (figure) => most(figure, (outcome) => outcome.effort);
for (const figure of figures) {
  const families = most(figure, (outcome) => outcome.families);
  const whole = figure.outcomes.some(({ set }) => !PART_OF_SOMA.test(set));
  Object.assign(figure, { unique: uniqueCount(figure), effort: effort(figure), buildable: isBuildable(figure), families, whole, titled: Boolean(figure.title) });
}
/** Figures for whole sets come first, and of equal figures those with a title. */
const downBy = (...fields) => (a, b) => (
  ["whole", ...fields, "titled"].reduce((order, field) => order || b[field] - a[field], 0) || a.at - b.at);

const number = (n) => grouped(String(n));

/** The most figures on a shelf, and the contents of each in order. */
const LIMIT = 24;
/** The least number of unique solutions that are many. */
const MANY = 100;
const ALL = { id: "all", label: "All", holds: () => true };
const SHELVES = [
  ALL,
  { id: "named", label: "Named", holds: isNamed, order: downBy("buildable") },
  { id: "one", label: "One solution only", holds: (figure) => figure.unique === 1, order: downBy("titled", "order") },
  { id: "most", label: "Most solutions", holds: (figure) => figure.unique >= MANY, order: downBy("unique") },
  { id: "symmetric", label: "Most symmetric", holds: (figure) => figure.order > 1 && figure.buildable, order: downBy("order") },
  { id: "hardest", label: "Hardest", holds: (figure) => figure.effort > 0, order: downBy("effort") },
  { id: "families", label: "Most families", holds: (figure) => figure.families > 1, order: downBy("families") },
  { id: "double", label: "Double set", holds: (figure) => figure.outcomes.some(({ set }) => set === "2xSOMA"), order: downBy("buildable") },
  { id: "new", label: "New here", holds: (figure) => !isNamed(figure) && figure.buildable, order: downBy("order") },
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

const drawWhenSeen = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) {
    if (!isIntersecting) continue;
    drawWhenSeen.unobserve(target);
    drawThumbnail(target);
  }
}, { rootMargin: "200px" });
const drawThumbnail = (canvas) => drawPicture(canvas, cellsOf(canvas.dataset.shape));
// Paper has no scrolling: all thumbnails are drawn.
window.addEventListener("beforeprint", () => document.querySelectorAll("#gallery canvas").forEach(drawThumbnail));

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

let solved = stored(SOLVED, {});

function card(figure) {
  const link = element("a", "card");
  link.href = `figures/${figure.page}.html`;
  const canvas = element("canvas");
  canvas.dataset.shape = figure.shape;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `${figure.cells} cells, seen from the front, the right and above`);
  link.append(canvas);
  link.append(figure.names.length ? element("strong", "", figure.names[0]) : element("strong", "nameless", figure.signature));
  if (figure.named[0] !== figure.names[0]) link.append(element("span", "", figure.named[0].slice(figure.names[0].length + 2, -1)));
  if (figure.title) link.append(element("span", "", figure.title));
  for (const outcome of figure.outcomes) {
    const set = GALLERY.sets.length > 1 && outcome.set ? `${outcome.set}: ` : "";
    const tone = { counted: "good", "at-least": "good", unsolvable: "bad" }[outcome.verdict] || "";
    link.append(element("span", tone, set + told(outcome)));
    if (outcome.difficulty) {
      const stars = element("span", "", "★".repeat(outcome.difficulty).padEnd(5, "☆"));
      stars.setAttribute("role", "img");
      stars.setAttribute("aria-label", `difficulty ${outcome.difficulty} of 5`);
      link.append(stars);
    }
  }
  if (solved[figure.signature]) link.append(element("span", "good", `✓ solved in ${solved[figure.signature]}`));
  link.append(element("span", "", figure.symmetry));
  const others = figure.named.slice(1);
  const more = others.length > 3 ? ` and ${others.length - 3} more` : "";
  if (others.length) link.append(element("span", "", `also ${others.slice(0, 3).join(", ")}${more}`));
  const item = element("li");
  item.append(link);
  return item;
}

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
  const fits = (figure) => (!value.name || figure.searched.some(names))
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
  byId("status").scrollIntoView({ block: "nearest" });
}

/** Shows a row of each shelf, with a button that opens the shelf. A figure is in one row only. */
function showRows() {
  const shown = new Set();
  const rows = SHELVES.slice(1).flatMap((one) => {
    const held = one.figures;
    const others = held.filter((figure) => !shown.has(figure)).slice(0, PER_ROW);
    if (!others.length) return [];
    others.forEach((figure) => shown.add(figure));
    const row = element("section");
    const head = element("div", "row-head");
    const all = element("button", "", held.length > PER_ROW ? `See ${one.size}` : "Open this shelf");
    all.type = "button";
    all.setAttribute("aria-label", `${all.textContent}: ${one.label}`);
    all.addEventListener("click", () => takeFrom(one));
    head.append(element("h2", "", one.label), all);
    const list = element("ul", "row");
    list.append(...others.map(card));
    row.append(head, list);
    return [row];
  });
  byId("rows").replaceChildren(...rows);
  for (const canvas of byId("rows").querySelectorAll("canvas")) drawWhenSeen.observe(canvas);
}

function showPage(page) {
  const rows = shelf === ROWS;
  byId("rows").hidden = !rows;
  byId("grid").hidden = rows;
  if (rows) {
    drawWhenSeen.disconnect();
    byId("grid").replaceChildren();
    showRows();
    byId("pages").hidden = true;
    const buildable = figures.filter((figure) => figure.buildable);
    const done = buildable.filter(({ signature }) => solved[signature]).length;
    byId("status").textContent = done ? `${number(done)} of ${number(buildable.length)} buildable figures solved by you` : `${number(figures.length)} figures`;
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
    ? `${number(found.length)} of ${number(figures.length)} figures${shown}`
    : `None of ${number(figures.length)} figures matches. Clear a filter to see more.`;
  remember(at);
}

/** Stores filters and page in the address, so that going back restores them. */
function remember(page) {
  const state = new URLSearchParams();
  if (shelf !== START) state.set("shelf", shelf.id);
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
  refresh(Number(state.get("page")) || 1);
}

function refresh(page) {
  for (const button of byId("shelves").querySelectorAll("[data-shelf]")) {
    button.setAttribute("aria-pressed", String(button.dataset.shelf === shelf.id));
  }
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

/** Returns a figure to build that the date chooses, one with a title if there are some. */
function figureOfTheDay(date) {
  const buildable = figures.filter((figure) => figure.buildable && figure.whole && isNamed(figure));
  const titled = buildable.filter(({ title }) => title);
  const from = titled.length ? titled : buildable;
  const day = Math.floor(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000);
  // Multiplying by a prime mixes the order of the gallery.
  return from[(day * 7919) % from.length];
}

/** Shows a button for each non-empty shelf, and one for a random figure. */
function showShelves() {
  const buttons = (START === ROWS ? [ROWS, ...SHELVES] : SHELVES).flatMap((one) => {
    if (!one.figures.length) return [];
    const button = element("button", "", one === ROWS ? one.label : `${one.label} (${one.size})`);
    button.type = "button";
    button.dataset.shelf = one.id;
    button.addEventListener("click", () => takeFrom(one));
    return [button];
  });
  const random = element("button", "", "Random figure");
  random.type = "button";
  random.id = "random";
  random.addEventListener("click", () => {
    // Prefers buildable figures.
    const buildable = found.filter(({ buildable }) => buildable);
    const from = buildable.length ? buildable : found.length ? found : figures;
    location.href = `figures/${from[Math.floor(Math.random() * from.length)].page}.html`;
  });
  const today = element("a", "button", "Figure of the day");
  today.id = "today";
  const choice = figureOfTheDay(new Date());
  if (choice) today.href = `figures/${choice.page}.html`;
  byId("shelves").replaceChildren(...buttons, ...(choice ? [today] : []), random);
}

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

byId("filters").addEventListener("input", () => {
  if (shelf === ROWS) shelf = ALL;
  refresh(1);
});
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("filters").addEventListener("reset", () => setTimeout(() => refresh(1)));
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
  recall();
});
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => showPage(Number(byId("page").value)));
// The many filters would hide the figures, so they open only if the address sets one.
byId("filters-box").open = FIELDS.some((id) => new URLSearchParams(location.hash.slice(1)).has(id));
byId("gallery").hidden = false;
showShelves();
recall();
