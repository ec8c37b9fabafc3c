// The figure of the day: large, and turning. The date chooses it, so that all visitors of a day see the same.
"use strict";

/** How far the figure turns in a second. */
const TURN = 0.3;

/** Returns one of the figures that the date chooses.
 * @template Figure
 * @param {Figure[]} figures
 * @param {Date} date
 * @returns {Figure | undefined} */
function figureOfTheDay(figures, date) {
  const day = Math.floor(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000);
  // Multiplying by a prime mixes the order of the gallery.
  return figures[(day * 7919) % figures.length];
}

/** Shows cells: at once as a flat picture, and where there is WebGL in space, turning until the visitor takes over.
 * @param {Cell[]} cells
 * @param {string} name */
function showTurning(cells, name) {
  const get = (id) => document.getElementById(id);
  const stage = /** @type {HTMLCanvasElement} */ (get("stage"));
  const flat = /** @type {HTMLCanvasElement} */ (get("flat"));
  // While it is hidden, it is kept as it was, for paper.
  const drawFlat = () => { if (flat.clientWidth) drawPicture(flat, cells, { largest: 64 }); };
  flat.setAttribute("aria-label", `Picture of ${name}`);
  stage.setAttribute("aria-label", `3D view of ${name}: drag, or use the arrow keys, to turn`);
  drawFlat();
  new ResizeObserver(drawFlat).observe(flat);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawFlat);
  // What follows takes a while, so the picture and the shelves come first.
  setTimeout(() => {
    const scene = new Scene(stage);
    if (!scene.ready) return;
    stage.hidden = false;
    get("picture").hidden = true;
    scene.face(cells);
    scene.show(cells, [plainBody(cells, "#e3cb9b")], { ghost: false });
    controlView(scene);
    if (!window.matchMedia("(prefers-reduced-motion: reduce)").matches) turn(scene);
  }, 100);
}

/** Turns a scene while it is in sight, until it is touched.
 * @param {Scene} scene */
function turn(scene) {
  let before = 0, asked = 0;
  const step = (now) => {
    // After a pause it continues where it was.
    scene.turn(TURN * Math.min(now - before, 100) / 1000, 0);
    before = now;
    asked = requestAnimationFrame(step);
  };
  const seen = new IntersectionObserver((changes) => {
    cancelAnimationFrame(asked);
    if (changes.at(-1)?.isIntersecting) asked = requestAnimationFrame((now) => step(before = now));
  });
  seen.observe(scene.canvas);
  for (const touch of ["pointerdown", "keydown"]) {
    scene.canvas.addEventListener(touch, () => {
      seen.disconnect();
      cancelAnimationFrame(asked);
    }, { once: true });
  }
}
