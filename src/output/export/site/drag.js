// Dragging a piece of the puzzle by mouse, pen or finger onto the ghost of the figure or onto a layer of the board.
"use strict";

/** The pixels from which a press is a drag. */
const DRAG_FROM = 6;
/** The pixels by which a dragged piece is above a finger, which would hide it. */
const ABOVE_FINGER = 56;

/** Lets a button be dragged. `pieceOf` returns the piece that it stands for, if any. */
function letDrag(button, puzzle, pieceOf) {
  let start = null, drag = null, ended = false;
  const end = (drop) => {
    window.removeEventListener("keydown", press, true);
    drag?.end(drop);
    ended ||= drag !== null;
    start = drag = null;
  };
  const press = (event) => {
    if (event.key === "Escape") end(false);
    else if (event.key.toUpperCase() === "R") drag.turn();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  button.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary || event.button || pieceOf() === undefined) return;
    start = [event.clientX, event.clientY];
    ended = false;
    button.setPointerCapture(event.pointerId);
  });
  button.addEventListener("pointermove", (event) => {
    if (!start || !event.isPrimary) return;
    if (!drag && Math.hypot(event.clientX - start[0], event.clientY - start[1]) < DRAG_FROM) return;
    if (!drag) {
      drag = new Drag(puzzle, pieceOf());
      window.addEventListener("keydown", press, true);
    }
    drag.move(event.clientX, event.clientY - (event.pointerType === "touch" ? ABOVE_FINGER : 0));
  });
  button.addEventListener("pointerup", () => {
    end(true);
    // A mouse clicks at the end of a drag.
    setTimeout(() => { ended = false; });
  });
  button.addEventListener("pointercancel", () => end(false));
  button.addEventListener("click", (event) => { if (ended && event.detail) event.stopImmediatePropagation(); }, true);
}

/** A piece on its way. It keeps its orientation where it fits, and snaps to the nearest free place. */
class Drag {
  constructor(puzzle, piece) {
    this.before = puzzle.placed;
    puzzle.lift(piece);
    const { kind } = puzzle.pieces[piece];
    const from = this.before.find((one) => one.piece === piece)?.place ?? puzzle.places[kind][0];
    Object.assign(this, { puzzle, piece, places: puzzle.places[kind], turned: from, place: undefined, at: [0, 0] });
    this.picture = document.createElement("div");
    this.picture.className = "dragged";
    document.body.append(this.picture);
    this.draw();
  }

  draw() {
    const { letter, key } = this.puzzle.pieces[this.piece];
    const cells = this.puzzle.shapeOf(this.turned.cells).map(VIEWS[bestView(this.puzzle.cells)]);
    this.picture.innerHTML = pictureOf([{ key: "", color: pieceColor(letter), cells }], key, 22);
  }

  /** Turns the piece to the next orientation that fits anywhere in the figure. */
  turn() {
    const turned = [...new Map(this.places.map((place) => [place.shape, place])).values()];
    const now = turned.findIndex(({ shape }) => shape === this.turned.shape);
    this.turned = turned[(now + 1) % turned.length];
    this.draw();
    this.move(...this.at);
  }

  move(x, y) {
    this.at = [x, y];
    this.place = this.nearest(x, y);
    this.picture.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
    this.picture.style.opacity = this.place === undefined ? "1" : "0.35";
    this.puzzle.draw(this.place === undefined ? null : { piece: this.piece, place: this.place });
  }

  /** Returns the nearest free place: on the ghost by all its cells, on the board by those in the layer below. Another
   * orientation counts as farther. */
  nearest(x, y) {
    const { spots, unit } = this.puzzle.target(x, y);
    let best = 1.6 * unit, found;
    for (const place of this.places) {
      const own = place.cells.flatMap((cell) => (spots[cell] ? [spots[cell]] : []));
      if (!own.length || !this.puzzle.isFree(place)) continue;
      const [dx, dy] = [0, 1].map((axis) => own.reduce((sum, spot) => sum + spot[axis], 0) / own.length - [x, y][axis]);
      const way = Math.hypot(dx, dy) + (place.shape === this.turned.shape ? 0 : 0.7 * unit);
      if (way < best) [best, found] = [way, place];
    }
    return found;
  }

  end(drop) {
    this.picture.remove();
    if (drop) this.puzzle.drop(this.piece, this.place);
    else this.puzzle.restore(this.before);
  }
}
