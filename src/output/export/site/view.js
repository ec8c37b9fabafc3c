// Control of the 3D view by mouse, finger, wheel, keyboard, and the page's buttons.
"use strict";

const KEYS = {
  ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down", "+": "in", "=": "in", "-": "out", 0: "home",
};

/** Lets the reader turn and zoom a scene. `keys` has the actions of further keys. */
function controlView(scene, keys = {}) {
  const stage = scene.canvas;
  const turns = {
    left: () => scene.turn(-0.2, 0), right: () => scene.turn(0.2, 0),
    up: () => scene.turn(0, 0.2), down: () => scene.turn(0, -0.2),
    in: () => scene.magnify(1.2), out: () => scene.magnify(1 / 1.2), home: () => scene.home(),
  };
  for (const button of document.querySelectorAll("[data-turn]")) {
    button.addEventListener("click", () => turns[button.dataset.turn]());
  }
  stage.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (KEYS[event.key]) turns[KEYS[event.key]]();
    else if (keys[event.key]) keys[event.key]();
    else if (event.key === "Escape") stage.blur();
    else return;
    event.preventDefault();
  });
  // The wheel and upright swipes scroll the page until the view has the focus, and then control the view.
  const isTouched = () => document.activeElement === stage;
  stage.addEventListener("wheel", (event) => {
    if (!isTouched()) return;
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
  stage.addEventListener("click", () => stage.focus({ preventScroll: true }));
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
}
