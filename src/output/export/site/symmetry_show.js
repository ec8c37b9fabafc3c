// The symmetries of a figure, one after the other: the axis or the mirror, and the motion that leads the figure to itself.
"use strict";

/** How long a motion takes, in milliseconds. */
const MOTION_TIME = 1600;
const ORDINALS = { 2: "half", 3: "third", 4: "quarter", 6: "sixth" };

/** @typedef {object} SymmetryElement
 * @property {string} words
 * @property {Elements} shapes what is drawn
 * @property {(part: number) => number[][]} motion the map of the cells, from 0 at the beginning to 1 at the end */

/** Returns the rotation about an axis by an angle, with all that is along the axis stretched.
 * @param {number[]} direction
 * @param {number} angle
 * @param {number} stretch */
function rotation(direction, angle, stretch = 1) {
  const length = Math.hypot(...direction);
  const [x, y, z] = direction.map((v) => v / length);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const skew = [[0, -z, y], [z, 0, -x], [-y, x, 0]];
  return [0, 1, 2].map((row) => [0, 1, 2].map((column) => {
    const along = [x, y, z][row] * [x, y, z][column];
    return (row === column ? c : 0) + (stretch - c) * along + s * skew[row][column];
  }));
}

/** Lists elements in the order of a tour: mirrors, axes, and what combines both.
 * @param {Elements} elements
 * @returns {SymmetryElement[]} */
function elementTour({ axes, mirrors, inversion }) {
  const none = { axes: [], mirrors: [], inversion: false };
  const same = "leaves the figure as it is.";
  return [
    ...mirrors.map((mirror) => ({
      words: `A ${mirror.diagonal ? "diagonal " : ""}mirror: exchanging its two sides ${same}`,
      shapes: { ...none, mirrors: [mirror] },
      motion: (part) => rotation(mirror.normal, 0, 1 - 2 * part),
    })),
    ...axes.filter(({ turns }) => turns > 1).map((axis) => ({
      words: `An axis: a ${ORDINALS[axis.turns]} turn about it ${same}`,
      shapes: { ...none, axes: [{ ...axis, roto: 0 }] },
      motion: (part) => rotation(axis.direction, part * 2 * Math.PI / axis.turns),
    })),
    ...axes.filter(({ roto }) => roto > 0).map((axis) => ({
      words: `An axis: a ${ORDINALS[axis.roto]} turn about it, together with a mirror across it, ${same}`,
      shapes: { ...none, axes: [axis] },
      motion: (part) => rotation(axis.direction, part * 2 * Math.PI / axis.roto, 1 - 2 * part),
    })),
    ...(inversion ? [{
      words: `The center: exchanging each cell with the one opposite it ${same}`,
      shapes: none,
      motion: (part) => rotation([1, 0, 0], part * Math.PI, 1 - 2 * part),
    }] : []),
  ];
}

class SymmetryShow {
  /** Adds a button to the section `box`. `ask` lists the elements, `turned` turns a direction to the visitor, and `begin` is
   * called before the first element is shown. */
  constructor(box, scene, { extents, turned, ask, begin }) {
    this.scene = scene;
    this.extents = extents;
    this.turned = turned;
    this.ask = ask;
    this.begin = begin;
    /** @type {SymmetryElement[] | null} */
    this.tour = null;
    this.frame = 0;
    this.button = Object.assign(document.createElement("button"), { type: "button", id: "show-element" });
    this.told = Object.assign(document.createElement("p"), { className: "element-told", id: "element-told" });
    this.told.setAttribute("role", "status");
    box.append(this.button, this.told);
    this.hasNone = !scene.ready || box.dataset.order === "1";
    this.button.addEventListener("click", () => this.next());
    this.leave();
    this.hide(false);
  }

  /** Hides the button while the view shows something else. */
  hide(hidden) {
    if (hidden) this.leave();
    this.button.hidden = hidden || this.hasNone;
  }

  leave() {
    cancelAnimationFrame(this.frame);
    this.at = -1;
    this.button.textContent = "Show it";
    this.told.textContent = "";
    Object.assign(this.scene, { overlay: null, motion: null });
    this.scene.redraw();
  }

  async next() {
    try {
      if (!this.tour) {
        this.told.textContent = "Loading …";
        const { axes, mirrors, inversion } = await this.ask();
        this.tour = elementTour({
          axes: axes.map((axis) => ({ ...axis, direction: this.turned(axis.direction) })),
          mirrors: mirrors.map((mirror) => ({ ...mirror, normal: this.turned(mirror.normal) })),
          inversion,
        });
      }
    } catch (error) {
      this.told.textContent = error.message;
      return;
    }
    if (this.at < 0) this.begin();
    if (this.at + 1 >= this.tour.length) {
      this.leave();
      return;
    }
    this.at += 1;
    const element = this.tour[this.at];
    this.told.textContent = `${this.at + 1} of ${this.tour.length}. ${element.words}`;
    this.button.textContent = this.at + 1 < this.tour.length ? "Show the next" : "Done";
    this.scene.overlay = elementShapes(element.shapes, this.extents);
    this.move(element);
  }

  /** Moves the figure to itself, unless the visitor prefers less motion. */
  move({ motion }) {
    cancelAnimationFrame(this.frame);
    this.scene.motion = null;
    this.scene.redraw();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const start = performance.now();
    const draw = (now) => {
      const part = Math.min(1, Math.max(0, now - start - 300) / MOTION_TIME);
      this.scene.motion = part < 1 ? motion(part * part * (3 - 2 * part)) : null;
      this.scene.redraw();
      if (part < 1) this.frame = requestAnimationFrame(draw);
    };
    this.frame = requestAnimationFrame(draw);
  }
}
