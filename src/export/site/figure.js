// A figure's page: the 3D view, the steps, the pieces, and traces from files.
"use strict";

const byId = (id) => document.getElementById(id);
const page = JSON.parse(byId("data").textContent);
const stage = byId("stage");
const scene = new Scene(stage);
// Only the trace of a search says whether it is complete.
const tracks = page.tracks.map((track) => new Track(track, "complete" in track));
let track = tracks[0] ?? null;
let count = 0;
let playing = 0;

function showMissing() {
  byId("missing").hidden = scene.ready;
  stage.hidden = !scene.ready;
  byId("help").hidden = !scene.ready;
  for (const group of document.querySelectorAll(".turns")) group.hidden = !scene.ready;
}

function goTo(wanted) {
  if (!track) return;
  count = Math.min(track.length, Math.max(0, Math.round(wanted) || 0));
  const placed = track.placed(count);
  scene.show(track.cells, placed, { hot: count > 0 && count < track.length || track.isTrace });
  byId("slider").value = byId("line").value = count;
  byId("at").textContent = `${count} of ${track.length}`;
  byId("slider").setAttribute("aria-valuetext", `step ${count} of ${track.length}`);
  byId("told").textContent = track.told(count);
  byId("previous").disabled = count === 0;
  byId("next").disabled = count === track.length;
  byId("layers").textContent = layers(track.cells, placed);
  if (count === track.length) stop();
}

function stop() {
  clearInterval(playing);
  playing = 0;
  byId("play").textContent = "Play";
  byId("play").setAttribute("aria-pressed", "false");
}

function play() {
  if (count === track.length) goTo(0);
  clearInterval(playing);
  playing = setInterval(() => goTo(count + 1), 1000 / Number(byId("speed").value));
  byId("play").textContent = "Pause";
  byId("play").setAttribute("aria-pressed", "true");
}

/** What a track is called in the choice of tracks. */
function called({ isTrace, set, complete, packings, name, length }) {
  if (!isTrace) return `Building a packing${set ? ` with ${set}` : ""}`;
  const found = packings === null ? "" : `, ${packings} ${packings === 1 ? "packing" : "packings"} found`;
  return `Trace of a search${name ? ` for ${name}` : ""}${set ? ` with ${set}` : ""}: ${length} placements${found}${complete === false ? ", stopped early" : ""}`;
}

function showTracks() {
  byId("track").replaceChildren(...tracks.map((one, at) => new Option(called(one), at, false, one === track)));
  byId("track-label").hidden = tracks.length < 2;
}

function open(next, at) {
  stop();
  track = next;
  byId("player").hidden = track.length === 0;
  byId("layers-box").hidden = byId("explode-label").hidden = false;
  for (const id of ["slider", "line"]) byId(id).max = track.length;
  scene.hidden.clear();
  const boxes = track.pieces().sort((a, b) => ORDER(a) - ORDER(b) || (a.key < b.key ? -1 : 1)).map(({ key, piece }) => {
    const label = document.createElement("label");
    const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: true, value: key });
    const swatch = document.createElement("span");
    swatch.className = "swatch";
    swatch.style.background = pieceColor(piece);
    label.append(box, swatch, key);
    return label;
  });
  byId("pieces").replaceChildren(byId("pieces").firstElementChild, ...boxes);
  showTracks();
  goTo(at);
}

/** The order of a set: V L T Z A B P, then the others. */
const ORDER = ({ piece }) => ("VLTZABP".indexOf(piece) + 100) % 100 || (piece === "V" ? 0 : 99);

async function openTrace(file) {
  byId("trouble").textContent = "";
  try {
    const trace = readTrace(await file.text());
    trace.opened = true;
    for (let at = tracks.length - 1; at >= 0; at--) if (tracks[at].opened) tracks.splice(at, 1);
    tracks.push(trace);
    open(trace, 0);
    byId("player").scrollIntoView({ block: "nearest" });
  } catch (error) {
    byId("trouble").textContent = `${file.name}: ${error.message}`;
  }
}

// The steps.
byId("previous").addEventListener("click", () => { stop(); goTo(count - 1); });
byId("next").addEventListener("click", () => { stop(); goTo(count + 1); });
byId("play").addEventListener("click", () => (playing ? stop() : play()));
byId("speed").addEventListener("change", () => { if (playing) play(); });
byId("slider").addEventListener("input", () => { stop(); goTo(Number(byId("slider").value)); });
byId("go").addEventListener("submit", (event) => {
  event.preventDefault();
  stop();
  goTo(Number(byId("line").value));
});
byId("track").addEventListener("change", () => {
  const chosen = tracks[byId("track").value];
  open(chosen, chosen.isTrace ? 0 : chosen.length);
});
byId("trace").addEventListener("change", () => { if (byId("trace").files[0]) openTrace(byId("trace").files[0]); });
byId("pieces").addEventListener("change", ({ target }) => {
  scene.hidden[target.checked ? "delete" : "add"](target.value);
  scene.redraw();
});

// The view.
const TURNS = {
  left: () => scene.turn(-0.2, 0), right: () => scene.turn(0.2, 0),
  up: () => scene.turn(0, 0.2), down: () => scene.turn(0, -0.2),
  in: () => scene.magnify(1.2), out: () => scene.magnify(1 / 1.2), home: () => scene.home(),
};
const KEYS = {
  ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down", "+": "in", "=": "in", "-": "out", 0: "home",
};
for (const button of document.querySelectorAll("[data-turn]")) {
  button.addEventListener("click", () => TURNS[button.dataset.turn]());
}
stage.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (KEYS[event.key]) TURNS[KEYS[event.key]]();
  else if (event.key === "n") goTo(count + 1);
  else if (event.key === "p") goTo(count - 1);
  else return;
  event.preventDefault();
});
byId("explode").addEventListener("input", () => {
  scene.explode = Number(byId("explode").value) / 50;
  scene.redraw();
});
stage.addEventListener("wheel", (event) => {
  event.preventDefault();
  scene.magnify(Math.exp(-event.deltaY / 500));
}, { passive: false });

const fingers = new Map();
const spread = () => {
  const [a, b] = [...fingers.values()];
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
};
stage.addEventListener("pointerdown", (event) => {
  stage.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
});
stage.addEventListener("pointermove", (event) => {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const apart = fingers.size === 2 ? spread() : 0;
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
  if (fingers.size === 1) scene.turn((event.clientX - before[0]) / 120, (event.clientY - before[1]) / 120);
  else if (apart) scene.magnify(spread() / apart);
});
for (const end of ["pointerup", "pointercancel"]) {
  stage.addEventListener(end, (event) => fingers.delete(event.pointerId));
}
new ResizeObserver(() => scene.redraw()).observe(stage);

try {
  // Back to the index as it was filtered.
  const hash = sessionStorage.getItem("gallery");
  if (hash) byId("back").hash = hash;
} catch { /* Some browsers keep nothing for pages of the file system. */ }

showMissing();
if (track) {
  open(track, track.isTrace ? 0 : track.length);
} else {
  // Nothing to build: the figure as one body.
  const whole = { key: " ", piece: " ", copy: 1, color: "#b8a77a", cells: page.cells };
  scene.show(page.cells, [whole], { ghost: false });
  byId("layers-box").hidden = byId("explode-label").hidden = true;
}
