// The index: filters, sorting, paging, and thumbnails that are drawn when they come into view.
"use strict";

const PER_PAGE = 60;
const SIGNS = "0123456789abcdefghjkmnpqrstvwxyz";
const byId = (id) => document.getElementById(id);
const FIELDS = ["name", "class", "fold", "order", "verdict", "set", "kind", "min", "max", "sort"];

const figures = GALLERY.figures.map(([signature, page, names, classAt, cells, parity, outcomes], at) => {
  const [className, description, allen, order, folds] = GALLERY.classes[classAt];
  return {
    at, signature, page, names, className, description, allen, order, folds, cells, parity,
    searched: [signature, ...names].map((text) => text.toLowerCase()),
    outcomes: outcomes.map(([set, verdict, reason, raw, rotation, unique]) => (
      { set: GALLERY.sets[set], verdict, reason, raw, rotation, unique })),
  };
});

/** The cells that a signature spells, or null if they lie too far apart to be drawn. */
function cellsOf(signature) {
  const match = /^[rs]\d+-(\d+)x(\d+)x(\d+)([-.])(.*)$/.exec(signature);
  if (!match) return null;
  const [x, y, z] = match.slice(1, 4).map(Number);
  if (x * y * z > 1e12) return null;
  const numbers = [];
  let next = 0, gap = 0, scale = 1;
  for (const [at, sign] of Array.from(match[5]).entries()) {
    const value = SIGNS.indexOf(sign);
    if (match[4] === "-") {
      for (let bit = 0; bit < 5; bit++) if (value >> bit & 1) numbers.push(5 * at + bit);
    } else {
      gap += (value & 15) * scale;
      scale *= 16;
      if (value < 16) {
        numbers.push(next + gap);
        next += gap + 1;
        gap = 0;
        scale = 1;
      }
    }
  }
  return numbers.map((n) => [n % x, Math.floor(n / x) % y, Math.floor(n / x / y)]);
}

/** Draws cells from the front, the right and above: x to the right, y to the reader, z down. */
function drawThumbnail(canvas, cells) {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name).trim();
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  const width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const context = canvas.getContext("2d");
  const project = ([x, y, z]) => [(x - y) * 0.866, (x + y) * 0.5 + z];
  const corners = cells.flatMap(([x, y, z]) => [0, 1, 2, 3, 4, 5, 6, 7].map(
    (n) => project([x + (n & 1), y + (n >> 1 & 1), z + (n >> 2)])));
  const low = [0, 1].map((axis) => corners.reduce((m, c) => Math.min(m, c[axis]), Infinity));
  const high = [0, 1].map((axis) => corners.reduce((m, c) => Math.max(m, c[axis]), -Infinity));
  const scale = Math.min((width - 12) / (high[0] - low[0]), (height - 12) / (high[1] - low[1]), 26);
  const shift = [width - scale * (low[0] + high[0]), height - scale * (low[1] + high[1])].map((v) => v / 2);
  const filled = new Set(cells.map(String));
  const free = (x, y, z) => !filled.has(String([x, y, z]));
  context.scale(ratio, ratio);
  context.lineWidth = Math.min(1, scale / 10);
  context.lineJoin = "round";
  context.strokeStyle = color("--edge");
  const face = (name, ...points) => {
    context.beginPath();
    for (const point of points) {
      const [px, py] = project(point);
      context.lineTo(px * scale + shift[0], py * scale + shift[1]);
    }
    context.closePath();
    context.fillStyle = color(name);
    context.fill();
    context.stroke();
  };
  const nearLast = (a, b) => (a[0] + a[1] - a[2]) - (b[0] + b[1] - b[2]);
  for (const [x, y, z] of [...cells].sort(nearLast)) {
    if (free(x, y, z - 1)) face("--top", [x, y, z], [x + 1, y, z], [x + 1, y + 1, z], [x, y + 1, z]);
    if (free(x, y + 1, z)) face("--left", [x, y + 1, z], [x + 1, y + 1, z], [x + 1, y + 1, z + 1], [x, y + 1, z + 1]);
    if (free(x + 1, y, z)) face("--right", [x + 1, y, z], [x + 1, y + 1, z], [x + 1, y + 1, z + 1], [x + 1, y, z + 1]);
  }
}

const drawWhenSeen = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) {
    if (!isIntersecting) continue;
    drawWhenSeen.unobserve(target);
    const cells = cellsOf(target.dataset.signature);
    if (cells) drawThumbnail(target, cells);
  }
}, { rootMargin: "200px" });

const grouped = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");

/** An outcome in a few words. */
function told(outcome) {
  const { verdict, reason, raw, unique } = outcome;
  if (verdict === "counted") return `${grouped(unique)} unique, ${grouped(raw)} raw`;
  if (verdict === "solvable") return `at least ${grouped(raw)} raw`;
  if (verdict === "unsolvable") return `unsolvable: ${reason}`;
  if (verdict === "unknown") return "undecided";
  return verdict || "not counted";
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

function card(figure) {
  const link = element("a", "card");
  link.href = `figures/${figure.page}.html`;
  const canvas = element("canvas");
  canvas.dataset.signature = figure.signature;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `${figure.cells} cells, seen from the front, the right and above`);
  link.append(canvas);
  link.append(figure.names.length ? element("strong", "", figure.names[0]) : element("strong", "nameless", figure.signature));
  const others = figure.names.slice(1);
  const more = others.length > 3 ? ` and ${others.length - 3} more` : "";
  if (others.length) link.append(element("span", "", `also ${others.slice(0, 3).join(", ")}${more}`));
  link.append(element("span", "", `${figure.className}, order ${figure.order}`));
  for (const outcome of figure.outcomes) {
    const set = GALLERY.sets.length > 1 && outcome.set ? `${outcome.set}: ` : "";
    const tone = { counted: "good", solvable: "good", unsolvable: "bad" }[outcome.verdict] || "";
    link.append(element("span", tone, set + told(outcome)));
  }
  const item = element("li");
  item.append(link);
  return item;
}

/** A test for texts: a part of them, or a pattern with * and ? for the whole. */
function matcher(text) {
  const wanted = text.trim().toLowerCase();
  if (!/[*?]/.test(wanted)) return (candidate) => candidate.includes(wanted);
  const pattern = wanted.replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*/g, ".*").replace(/\?/g, ".");
  const whole = new RegExp(`^${pattern}$`, "s");
  return (candidate) => whole.test(candidate);
}

/** A count as a number, if it is known exactly. */
const exact = (outcome, kind) => (
  outcome[kind] !== "" && outcome.verdict !== "solvable" ? Number(outcome[kind]) : null);

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
    && (!value.fold || figure.folds.includes(Number(value.fold)))
    && (!value.order || figure.order === Number(value.order))
    && figure.outcomes.some(outcomeFits);
  const found = figures.filter(fits);
  const text = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  // The count that is sorted by is one of an outcome the filters leave.
  const count = (figure) => figure.outcomes.filter(outcomeFits)
    .map((outcome) => exact(outcome, value.kind)).find((n) => n !== null) ?? null;
  const byCount = (sign) => (a, b) => {
    const [m, n] = [count(a), count(b)];
    if (m === null || n === null) return (m === null) - (n === null) || a.at - b.at;
    return sign * (m - n) || a.at - b.at;
  };
  const nameless = (figure) => figure.names.length === 0;
  const orders = {
    name: (a, b) => nameless(a) - nameless(b) || text(a.searched[1] || "", b.searched[1] || "") || a.at - b.at,
    signature: (a, b) => text(a.signature, b.signature),
    "count-down": byCount(-1),
    "count-up": byCount(1),
    order: (a, b) => b.order - a.order || a.at - b.at,
  };
  return orders[value.sort] ? found.sort(orders[value.sort]) : found;
}

let found = [];

function showPage(page) {
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
  const shown = pages === 1 ? "" : `, ${from + 1} to ${Math.min(from + PER_PAGE, found.length)} shown`;
  byId("status").textContent = found.length
    ? `${found.length} of ${figures.length} figures${shown}`
    : `None of ${figures.length} figures matches. Clear a filter to see more.`;
  remember(at);
}

/** Filters and page go into the address, so that going back finds them again. */
function remember(page) {
  const state = new URLSearchParams();
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
  for (const id of FIELDS) byId(id).value = state.get(id) ?? byId(id).dataset.usual;
  refresh(Number(state.get("page")) || 1);
}

function refresh(page) {
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

/** Values with the number of figures that have them. */
function tally(valuesOf) {
  const tallied = new Map();
  for (const figure of figures) {
    for (const value of new Set(valuesOf(figure))) tallied.set(value, (tallied.get(value) || 0) + 1);
  }
  return [...tallied].map(([value, n]) => [value, n]);
}

const byNumber = (a, b) => a[0] - b[0];
const labeled = ([value, n]) => [value, `${value} (${n})`];
const allen = (name) => {
  const letter = GALLERY.classes.find((known) => known[0] === name)[2];
  return letter ? `, Allen ${letter}` : "";
};
options("class", tally((f) => [f.className]).sort((a, b) => (a[0] < b[0] ? -1 : 1))
  .map(([name, n]) => [name, `${name}${allen(name)} (${n})`]));
options("fold", tally((f) => f.folds).sort(byNumber).map(labeled));
options("order", tally((f) => [f.order]).sort(byNumber).map(labeled));
options("verdict", tally((f) => f.outcomes.map((o) => o.verdict || "not counted")).sort().map(labeled));
options("set", tally((f) => f.outcomes.map((o) => o.set)).filter(([set]) => set).sort().map(labeled));
byId("set-label").hidden = GALLERY.sets.filter(Boolean).length < 2;
for (const id of FIELDS) byId(id).dataset.usual = id === "kind" ? "unique" : "";

byId("filters").addEventListener("input", () => refresh(1));
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
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => showPage(Number(byId("page").value)));
// On a phone the filters would hide the figures.
byId("filters-box").open = window.innerWidth > 512 || location.hash.length > 1;
recall();
