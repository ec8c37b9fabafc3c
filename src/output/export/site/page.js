// The one-file page: figures in, a table that fills on all cores, the open figure, files out.
"use strict";

const byId = (id) => document.getElementById(id);

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

/** Returns a name as the name of a file to download. */
const fileName = (name) => name.replace(/[^A-Za-z0-9_]+/g, "-").replace(/^-|-$/g, "").slice(0, 60) || "figure";

/** Saves a text as a file. */
function saveFile(name, text, type) {
  const link = element("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// What the browser keeps: the files, the choice of pieces, and the counts. Without a database nothing is kept.

const keeper = {
  async store(act) {
    try {
      const open = indexedDB.open("somacat page", 1);
      open.onupgradeneeded = () => open.result.createObjectStore("work");
      const database = await new Promise((done, failed) => { open.onsuccess = () => done(open.result); open.onerror = failed; });
      const work = act(database.transaction("work", "readwrite").objectStore("work"));
      return await new Promise((done, failed) => { work.onsuccess = () => done(work.result); work.onerror = failed; });
    } catch {
      return undefined;
    }
  },
  save: (work) => keeper.store((all) => all.put(work, "work")),
  load: () => keeper.store((all) => all.get("work")),
  forget: () => keeper.store((all) => all.delete("work")),
};

// The state of the page.

const COUNTED_AT_ONCE = 8;
let programs = null;
let about = null;
/** The files: name, bytes, and the rows of their figures. */
let files = [];
let rows = [];
/** What was refused or doubtful in the files. */
let messages = [];
let running = false;
/** The rows before this position are counted, and those before the other one have a difficulty or need none. */
let counting = 0, rating = 0;
let begun = { time: 0, number: 0 };
let settings = { set: "", gaps: false, nodes: 20_000_000, fileName: "", file: null };
let keeping = 0;

const ask = (request) => programs.ask(request);
const panel = new FigurePanel(ask);
const table = new FigureTable((row) => panel.open(row));
const trouble = (text) => { byId("trouble").textContent = text; };
const tell = (text) => { byId("status").textContent = text; };

// Counting.

/** Returns the next request for a worker that is free. */
function nextJob() {
  if (!running) return null;
  while (counting < rows.length && (rows[counting].count || rows[counting].asked)) counting += 1;
  const pending = (row) => row && !row.count && !row.asked;
  if (counting < rows.length) {
    const { file, cells } = rows[counting];
    const batch = rows.slice(counting, counting + (cells.length > 27 ? 1 : COUNTED_AT_ONCE)).filter((row) => row.file === file && pending(row));
    return job(batch, "count", { nodes: settings.nodes }, (row, count) => { row.count = count; }, (row, why) => {
      row.count = { verdict: "failed", reason: why, why, csv: "", json: "" };
    });
  }
  const rated = (row) => row.stars !== undefined || row.asked || row.count?.verdict !== "counted";
  while (rating < rows.length && rated(rows[rating])) {
    // Those that are still counted come later.
    if (!rows[rating].count) return null;
    rating += 1;
  }
  if (rating === rows.length) return null;
  const { file } = rows[rating];
  const batch = rows.slice(rating, rating + COUNTED_AT_ONCE).filter((row) => row.file === file && !rated(row));
  return job(batch, "difficulty", {}, (row, { stars }) => { row.stars = stars; }, (row) => { row.stars = null; });
}

/** Returns a request about figures of one file. If it fails with several, each is asked about alone. */
function job(batch, call, more, take, fail) {
  batch.forEach((row) => { row.asked = true; });
  const request = { call, file: batch[0].file, figures: batch.map(({ figure }) => figure), ...more };
  const own = new Map(batch.map((row) => [row.figure, row]));
  return {
    request,
    done: (answers) => {
      for (const answer of answers) {
        const row = own.get(answer.figure);
        row.asked = false;
        take(row, answer);
        panel.counted(row);
      }
      progress();
    },
    failed: ({ message }) => {
      batch.forEach((row) => { row.asked = false; });
      if (!running) return;
      if (batch.length === 1) fail(batch[0], message);
      else programs.urgent.push(...batch.map((row) => job([row], call, more, take, fail)));
      progress();
    },
  };
}

function progress() {
  const all = rows.length;
  const counted = rows.filter(({ count }) => count).length;
  byId("progress").value = counted;
  byId("progress").max = Math.max(1, all);
  table.refreshSoon();
  if (counted === all) finished();
  else keepSoon();
  if (!running || counted === all) return;
  const spent = (performance.now() - begun.time) / 1000;
  const left = spent * (all - counted) / Math.max(1, counted - begun.number);
  byId("progress").setAttribute("aria-valuetext", `${counted} of ${all}`);
  // Read aloud when it changes, so in steps.
  const rough = left > 90 ? `about ${Math.round(left / 60)} minutes` : left > 5 ? `about ${Math.ceil(left / 5) * 5} seconds` : "a few seconds";
  if (spent > 2) tell(`Counting ${plural(all, "figure")}: ${rough} left.`);
}

function finished() {
  table.refresh();
  showControls();
  tell(summary());
  keepSoon();
}

/** Returns what the table holds, in words. */
function summary() {
  const number = (holds) => grouped(rows.filter(holds).length);
  const different = new Set(rows.map(({ signature }) => signature)).size;
  const open = rows.filter(isOpen).length;
  return `${plural(rows.length, "figure")}${different < rows.length ? `, ${grouped(different)} of them different` : ""}: ${number(isBuildable)} can be built, ${number(({ count }) => count?.verdict === "unsolvable")} cannot${open ? `, ${grouped(open)} open` : ""}.`;
}

function start() {
  running = true;
  counting = rating = 0;
  rows.forEach((row) => { row.asked = false; });
  begun = { time: performance.now(), number: rows.filter(({ count }) => count).length };
  tell(`Counting ${plural(rows.length, "figure")} …`);
  showControls();
  programs.feed();
  progress();
}

function stop() {
  running = false;
  programs.interrupt();
  showControls();
  tell(`Stopped. ${summary()}`);
}

/** Shows the parts of the page that have a use now. */
function showControls() {
  const any = rows.length > 0;
  const done = rows.every(({ count }) => count);
  byId("start").hidden = any;
  byId("work").hidden = byId("actions").hidden = !any;
  byId("stop").hidden = done;
  byId("stop").textContent = running ? "Stop" : "Continue";
  byId("progress").hidden = done;
  document.body.classList.toggle("working", any);
  const list = byId("messages");
  list.hidden = !messages.length;
  list.querySelector("summary").textContent = plural(messages.length, "remark on the files", "remarks on the files");
  list.querySelector("ul").replaceChildren(...messages.map((text) => element("li", "", text)));
}

// Files.

/** Reads files, adds their figures to the table, and counts them. */
async function readFiles(given, counts = []) {
  trouble("");
  for (const [at, { name, bytes }] of given.entries()) {
    tell(`Reading ${name} …`);
    try {
      const { file, figures, messages: told } = await programs.toAll({ call: "read", name }, { bytes });
      files.push({ name, bytes });
      messages.push(...told);
      figures.forEach((figure, n) => {
        rows.push({
          ...figure, file, figure: n, at: rows.length, stars: undefined, count: undefined, ...counts[at]?.[n],
          searched: [figure.name, figure.title ?? "", figure.class, figure.signature].join(" ").toLowerCase(),
        });
      });
    } catch (error) {
      messages.push(`${name}: ${error.message}`);
      trouble(`${name}: ${error.message}`);
    }
  }
  // Without a figure there is no list, in which the remarks are.
  if (!rows.length && messages.length) {
    const [first, ...more] = messages;
    trouble(more.length ? `${first} (and ${plural(more.length, "more remark", "more remarks")})` : first);
  }
  findTwins();
  table.rows = rows;
  table.refresh();
  showControls();
}

/** Groups equal figures, and says how each lies compared with the first. */
function findTwins() {
  const groups = Map.groupBy ? Map.groupBy(rows, ({ signature }) => signature) : grouping(rows);
  for (const group of groups.values()) {
    for (const row of group) {
      row.twins = group;
      const [first] = group;
      const how = row.turned === first.turned ? "the same as" : "the mirror image of";
      row.twin = row === first ? "" : `${how} ${first.name}`;
    }
  }
}

function grouping(all) {
  const groups = new Map();
  for (const row of all) groups.set(row.signature, [...(groups.get(row.signature) ?? []), row]);
  return groups;
}

async function addFiles(list) {
  const given = await Promise.all([...list].map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
  await addAll(given);
}

/** Reads more files once those before are read, and counts. */
const addAll = (given) => inTurn(async () => {
  if (given.length) await readFiles(given);
  if (rows.length) start();
});

/** What changes the files, one after the other, once the program is there. Without it, nothing does. */
let changes = Promise.resolve();
function inTurn(change) {
  const act = () => (programs ? change() : undefined);
  changes = changes.then(act, act);
  return changes;
}

/** Reads all files again, with other pieces. Without files, the page is as at first. */
const restart = (keepFiles = true) => inTurn(async () => {
  running = false;
  const given = keepFiles ? files : [];
  [files, rows, messages] = [[], [], []];
  panel.close();
  try {
    const { set, gaps, fileName: name, file } = settings;
    const chosen = await programs.toAll({ call: "choose", set: file ? name : set, gaps }, { bytes: file ?? undefined, fresh: true });
    showSet(chosen);
  } catch (error) {
    settings = { ...settings, set: "", file: null, fileName: "" };
    showSet(await programs.toAll({ call: "choose", set: "", gaps: settings.gaps }, { fresh: true }));
    byId("set-told").textContent = `${error.message}. SOMA is used.`;
  }
  await readFiles(given);
  if (rows.length) start();
});

function showSet({ name, cells, pieces }) {
  const auto = !settings.file && settings.set.toLowerCase() === "auto";
  byId("set-name").textContent = auto ? "by the number of cells" : name;
  const notes = [settings.gaps && "cells may stay empty"].filter(Boolean);
  byId("options-told").textContent = notes.length ? `, ${notes.join(", ")}` : "";
  const letters = pieces.map(({ name: piece, copies }) => (copies > 1 ? `${piece}${copies}` : piece)).join(" ");
  byId("set-told").textContent = auto ? "" : `${plural(cells, "cell")}: ${letters}`;
}

// Keeping.

function keepSoon() {
  if (!byId("keep").checked || keeping || !about) return;
  // Many rows take long to keep.
  keeping = setTimeout(() => { keeping = 0; keep(); }, 3000 + rows.length);
}

async function keep() {
  if (!byId("keep").checked || !rows.length) return;
  const counts = files.map((_, file) => rows.filter((row) => row.file === file).map(({ count, stars }) => ({ count, stars })));
  await keeper.save({ version: byId("version").textContent, settings, files, counts });
}

/** Shows what the browser has kept from an earlier visit. */
async function recall() {
  const work = await keeper.load();
  if (!work?.files?.length) return;
  settings = work.settings;
  const same = work.version === byId("version").textContent;
  const given = work.files;
  byId("set").value = settings.file ? "" : settings.set;
  byId("gaps").checked = settings.gaps;
  byId("nodes").value = settings.nodes ?? "";
  if (settings.set || settings.file || settings.gaps) {
    const { set, gaps, fileName: name, file } = settings;
    showSet(await programs.toAll({ call: "choose", set: file ? name : set, gaps }, { bytes: file ?? undefined, fresh: true }));
  }
  await readFiles(given, same ? work.counts : []);
  if (rows.some(({ count }) => !count)) tell(`From your last visit. ${summary()}`);
  else start();
}

// Controls.

const on = (id, act, event = "click") => byId(id).addEventListener(event, act);
on("choose", () => byId("files").click());
on("add", () => byId("files").click());
on("files", ({ target }) => { addFiles(target.files).then(() => { target.value = ""; }); }, "change");
on("read-text", () => {
  const text = byId("text").value;
  if (text.trim()) addAll([{ name: "text", bytes: new TextEncoder().encode(text) }]);
});
const takeDrawing = makePad(byId("pad"));
on("read-drawing", () => {
  const drawing = takeDrawing();
  if (drawing) addAll([{ name: "drawing", bytes: new TextEncoder().encode(`drawing: ${drawing}\n`) }]);
});
on("examples", () => addAll(EXAMPLES.map(([name, text]) => ({ name, bytes: new TextEncoder().encode(text) }))));
on("stop", () => (running ? stop() : start()));
on("restart", async () => {
  clearTimeout(keeping);
  keeping = 0;
  await keeper.forget();
  await restart(false);
  byId("text").value = "";
  tell("");
  showControls();
  byId("choose").focus();
});
on("print", () => window.print());
for (const button of document.querySelectorAll("[data-save]")) {
  button.addEventListener("click", () => {
    const counted = rows.filter(({ count }) => count?.csv);
    const [text, type, ending] = {
      csv: () => [about.csv + counted.map(({ count }) => count.csv).join(""), "text/csv", "csv"],
      json: () => [counted.length ? `[\n${counted.map(({ count }) => count.json.trimEnd()).join(",\n")}\n]\n` : "[]\n", "application/json", "json"],
      soma: () => [table.listed.map(({ soma }) => soma).join(""), "text/plain", "soma"],
    }[button.dataset.save]();
    saveFile(`figures.${ending}`, text, type);
    const left = ending === "soma" ? table.listed.filter(({ soma }) => !soma).length : 0;
    if (left) tell(`SOMA text cannot show ${plural(left, "figure")} with colors or in too large a box: left out.`);
    byId("save").open = false;
  });
}
document.addEventListener("click", ({ target }) => { if (!byId("save").contains(target)) byId("save").open = false; });
byId("save").addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  byId("save").open = false;
  byId("save").querySelector("summary").focus();
});

/** Takes the settings from their controls, and counts again. */
async function changeSettings(change) {
  settings = { ...settings, ...change };
  await restart();
}
byId("settings").addEventListener("submit", (event) => event.preventDefault());
on("set", ({ target }) => { byId("letters").value = ""; changeSettings({ set: target.value, file: null }); }, "change");
on("letters", ({ target }) => { if (target.value.trim()) { byId("set").value = ""; changeSettings({ set: target.value.trim(), file: null }); } }, "change");
on("set-file", async ({ target: { files: [file] } }) => {
  if (file) await changeSettings({ file: new Uint8Array(await file.arrayBuffer()), fileName: file.name });
}, "change");
on("gaps", ({ target }) => changeSettings({ gaps: target.checked }), "change");
on("nodes", ({ target }) => {
  settings.nodes = target.value ? Number(target.value) : null;
  // Counts that are exact stay as they are.
  for (const row of rows) if (["at-least", "unknown"].includes(row.count?.verdict)) row.count = undefined;
  table.refresh();
  if (rows.length) start();
}, "change");
on("keep", ({ target }) => (target.checked ? keep() : keeper.forget()), "change");

document.addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
document.addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  addFiles(event.dataTransfer.files);
});
document.addEventListener("paste", (event) => {
  if (event.target.closest?.("input, textarea")) return;
  const { files: pasted } = event.clipboardData;
  const text = event.clipboardData.getData("text");
  if (pasted.length) addFiles(pasted);
  else if (text.trim()) addAll([{ name: "pasted", bytes: new TextEncoder().encode(text) }]);
});
window.addEventListener("pagehide", keep);

/** A packing of the figure “crystal”: layers from top to bottom, the back row first. */
const HERO = ["..3/.43/743/776/266", ".../..3/.41/741/265", ".../.../..1/.55/225"];
function showHero() {
  const bodies = new Map();
  HERO.forEach((row, y) => row.split("/").forEach((line, z) => [...line].forEach((mark, x) => {
    if (mark !== ".") bodies.set(mark, [...(bodies.get(mark) ?? []), [x, y, z]]);
  })));
  const all = [...bodies].map(([mark, cells]) => ({ key: "", piece: "VLTZABP"[mark - 1], copy: 1, cells }));
  byId("hero").innerHTML = pictureWithin(all.flatMap(({ cells }) => cells), all, "A figure of 27 cubes, built from seven pieces");
}

async function begin() {
  showHero();
  try {
    const module = await compileProgram(byId("program").textContent);
    const cores = Math.min(16, Math.max(1, navigator.hardwareConcurrency || 2));
    programs = new Programs(module, cores, nextJob);
    about = await ask({ call: "about" });
    byId("set").append(...about.sets.map(({ name, cells }) => new Option(`${name}, ${cells} cells`, name)));
    await recall().catch(keeper.forget);
  } catch (error) {
    trouble(`Nothing can be counted here. ${error.message}`);
  }
}
changes = begin();
