// The puzzle on a figure's page: choose a piece, place it where it fits, turn it, take it back. A worker counts the ways
// to finish. The browser keeps pieces in place and solved figures.
"use strict";

const PUZZLE_HTML = `
<div class="controls" id="tray" role="group" aria-label="Pieces"></div>
<div class="layers" id="board"></div>
<p class="told" id="puzzle-told" role="status"></p>
<div class="controls" role="group" aria-label="Moves">
<button type="button" id="turn-piece">Turn</button>
<button type="button" id="take-back">Take back</button>
<button type="button" id="ways">Ways to finish?</button>
<button type="button" id="clear-puzzle">Start again</button>
</div>
<p class="note">Drag a piece into the figure or onto a layer: it snaps into place. Or choose a piece, then a free square; <b>Turn</b> leads to the next place there. Choose a piece in place to take it back, or drag it away. Keys: letters choose pieces, R turns, Backspace takes back.</p>`;

/** The seconds after which a count stops. */
const PATIENCE = 2;

/** A puzzle in `box` with `kinds` of pieces. `show` draws pieces, the last one marked if asked. `spotsInView` returns
 * the centers of cells and the size of a cell in the 3D view, if a point is on it. `describe` returns a text about a
 * packing. */
class Puzzle {
  constructor(box, { cells, kinds, signature, show, spotsInView, describe }) {
    Object.assign(this, { box, kinds, signature, show, spotsInView, describe });
    this.problem = preparedProblem(cells, kinds);
    /** The pieces, each copy on its own. */
    this.pieces = kinds.flatMap(({ letter, copies }, kind) => Array.from({ length: copies }, (_, n) => (
      { letter, kind, copy: n + 1, key: pieceKey(letter, n + 1) })));
    /** The places of each kind: the positions of the cells, and the orientation as text. */
    this.places = this.problem.placements.map((all) => all.map((own) => ({ cells: own, shape: String(this.shapeOf(own)) })));
    this.key = `somacat puzzle ${signature}`;
    // Pieces in place, in the order of their placement: the piece, its place, and the square it was placed on.
    const { placed = [], spent = 0 } = stored(this.key, {});
    this.placed = [];
    for (const { piece, cell, place } of placed) {
      const known = this.places[this.pieces[piece]?.kind]?.find((one) => String(one.cells) === String(place?.cells));
      if (known && this.isFree(known)) this.placed.push({ piece, cell, place: known });
    }
    this.spent = spent;
    this.chosen = this.nextPiece();
    box.innerHTML = PUZZLE_HTML;
    this.makeTray();
    this.makeBoard();
    const on = (id, act) => byId(id).addEventListener("click", act);
    on("turn-piece", () => this.turn());
    on("take-back", () => this.takeBack(this.placed.at(-1)));
    on("ways", () => this.tellWays());
    on("clear-puzzle", () => { this.placed = []; this.spent = 0; this.changed("All pieces are taken back."); });
    box.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const letter = event.key.toUpperCase();
      const copies = this.pieces.flatMap((one, piece) => (one.letter.toUpperCase() === letter ? [piece] : []));
      if (letter === "R") this.turn();
      else if (copies.length) this.choose(copies.find((piece) => !this.where(piece)) ?? copies.at(-1));
      else if (event.key === "Backspace") this.takeBack(this.placed.at(-1));
      else return;
      event.preventDefault();
    });
    this.changed("");
    if (!this.placed.length) this.tell(`${this.pieces[0].key} is chosen: choose a square for it.`);
  }

  at(cell) {
    return this.placed.find(({ place }) => place.cells.includes(cell));
  }

  /** Returns the entry of a piece in place. */
  where(piece) {
    return this.placed.find((one) => one.piece === piece);
  }

  isFree(place, except) {
    return place.cells.every((cell) => [undefined, except].includes(this.at(cell)));
  }

  nextPiece() {
    return this.pieces.findIndex((_, piece) => !this.where(piece));
  }

  makeTray() {
    this.trayButtons = this.pieces.map(({ letter, key, kind }, piece) => {
      const button = Object.assign(document.createElement("button"), { type: "button" });
      button.className = "piece";
      button.innerHTML = pictureOf([{ key: "", color: pieceColor(letter), cells: this.kinds[kind].cells }], "", 12).replace('role="img"', 'aria-hidden="true"') + markup(key);
      letDrag(button, this, () => piece);
      button.addEventListener("click", () => this.choose(piece));
      return button;
    });
    byId("tray").replaceChildren(...this.trayButtons);
  }

  /** Makes a grid of squares for each layer. Only cells of the figure are buttons. */
  makeBoard() {
    const index = new Map(this.problem.cells.map((cell, at) => [String(cell), at]));
    const [width, depth, height] = extentsOf(this.problem.cells);
    this.squares = [];
    byId("board").replaceChildren(...Array.from({ length: height }, (_, z) => {
      const layer = document.createElement("div");
      layer.className = "layer";
      layer.innerHTML = `<p>${height === 1 ? "Layer" : `Layer ${z + 1}${z === 0 ? ", top" : z === height - 1 ? ", bottom" : ""}`}</p>`;
      const grid = document.createElement("div");
      grid.className = "squares";
      grid.style.gridTemplateColumns = `repeat(${width}, minmax(0, 2rem))`;
      for (let y = 0; y < depth; y++) {
        for (let x = 0; x < width; x++) {
          const cell = index.get(String([x, y, z]));
          const square = document.createElement(cell === undefined ? "span" : "button");
          if (cell !== undefined) {
            square.type = "button";
            square.dataset.where = `layer ${z + 1}, row ${y + 1}, column ${x + 1}`;
            letDrag(square, this, () => this.at(cell)?.piece);
            square.addEventListener("click", () => this.choosePlace(cell));
            this.squares[cell] = square;
          }
          grid.append(square);
        }
      }
      layer.append(grid);
      return layer;
    }));
  }

  choose(piece) {
    const known = this.where(piece);
    if (known) return this.takeBack(known);
    this.chosen = piece;
    return this.changed(`${this.pieces[piece].key} is chosen.`);
  }

  /** Places the chosen piece on a square, or takes back the piece there. */
  choosePlace(cell) {
    const there = this.at(cell);
    if (there) return this.takeBack(there);
    const [place] = this.fitting(this.chosen, cell);
    if (!place) return this.tell(`${this.pieces[this.chosen].key} does not fit there.`);
    return this.put(this.chosen, place, cell);
  }

  put(piece, place, cell) {
    this.placed.push({ piece, place, cell });
    this.chosen = this.nextPiece();
    return this.changed(`${this.pieces[piece].key} is placed.`);
  }

  /** Returns cells, given by their positions, moved to the origin. */
  shapeOf(own) {
    return normalized(own.map((cell) => this.problem.cells[cell]));
  }

  /** Returns the centers of cells on the screen, by cell, and the size of a cell: in the layer or the 3D view below a
   * point. */
  target(x, y) {
    const layer = [...byId("board").children].find((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      return x >= left - 16 && x <= right + 16 && y >= top && y <= bottom + 16;
    });
    if (!layer) return this.spotsInView(x, y, this.problem.cells) ?? { spots: [], unit: 0 };
    const spots = [];
    this.squares.forEach((square, cell) => {
      const { left, top, width } = square.getBoundingClientRect();
      if (layer.contains(square)) spots[cell] = [left + width / 2, top + width / 2];
    });
    return { spots, unit: this.squares[0].offsetWidth };
  }

  /** Takes a piece in place off the board, and chooses it. */
  lift(piece) {
    this.placed = this.placed.filter((one) => one.piece !== piece);
    this.chosen = piece;
  }

  /** Puts a dragged piece down: at its place, or next to the figure. */
  drop(piece, place) {
    return place ? this.put(piece, place, place.cells[0]) : this.changed(`${this.pieces[piece].key} is taken back.`);
  }

  restore(placed) {
    this.placed = placed;
    this.changed("");
  }

  /** Returns the free places of a piece on a square, as if another one were not in place. */
  fitting(piece, cell, except) {
    return this.places[this.pieces[piece].kind].filter((place) => place.cells.includes(cell) && this.isFree(place, except));
  }

  /** Moves the last piece to its next place on the same square. */
  turn() {
    const last = this.placed.at(-1);
    if (!last) return this.tell("No piece is in place.");
    const places = this.fitting(last.piece, last.cell, last);
    const { key } = this.pieces[last.piece];
    if (places.length === 1) return this.tell(`${key} fits there in one way only.`);
    const next = (places.indexOf(last.place) + 1) % places.length;
    last.place = places[next];
    return this.changed(`${key} is turned: place ${next + 1} of ${places.length}.`);
  }

  takeBack(one) {
    if (!one) return this.tell("No piece is in place.");
    this.placed = this.placed.filter((other) => other !== one);
    this.chosen = one.piece;
    return this.changed(`${this.pieces[one.piece].key} is taken back.`);
  }

  tell(text) {
    byId("puzzle-told").textContent = text;
  }

  /** Shows and stores a new state. */
  changed(text) {
    const now = Date.now();
    // Breaks do not count.
    if (text) this.spent += Math.min(now - (this.last ?? now), 60_000);
    this.last = now;
    this.draw();
    this.trayButtons.forEach((button, piece) => {
      const inPlace = Boolean(this.where(piece));
      button.setAttribute("aria-pressed", String(!inPlace && piece === this.chosen));
      button.setAttribute("aria-label", `${this.pieces[piece].key}${inPlace ? ", in place" : ""}`);
      button.classList.toggle("placed", inPlace);
    });
    const rest = this.pieces.length - this.placed.length;
    byId("turn-piece").disabled = byId("take-back").disabled = !this.placed.length;
    byId("ways").disabled = rest === 0;
    store(this.key, { placed: this.placed, spent: this.spent });
    this.counter?.terminate();
    this.tell(text && rest ? `${text} ${rest} ${rest === 1 ? "piece" : "pieces"} to go.` : text);
    if (rest === 0) this.solved();
  }

  /** Draws the pieces in place, and a piece that is dragged there. */
  draw(dragged = null) {
    const all = dragged ? [...this.placed, dragged] : this.placed;
    this.show(all.map(({ piece, place }) => {
      const { letter, copy, key } = this.pieces[piece];
      return { key, piece: letter, copy, cells: place.cells.map((cell) => this.problem.cells[cell]) };
    }), Boolean(dragged));
    this.squares.forEach((square, cell) => {
      const there = all.find(({ place }) => place.cells.includes(cell));
      const { key = "", letter } = there ? this.pieces[there.piece] : {};
      square.textContent = key;
      square.classList.toggle("taken", Boolean(key));
      square.style.background = key ? pieceColor(letter) : "";
      square.style.color = key ? (isLight(rgb(pieceColor(letter))) ? "#141414" : "#fff") : "";
      square.setAttribute("aria-label", `${square.dataset.where}: ${key || "free"}`);
    });
  }

  /** Counts the packings of the cells that the first `number` pieces in place leave, up to `enough`. */
  count(number, enough) {
    const before = this.placed.slice(0, number);
    const taken = new Set(before.flatMap(({ place }) => place.cells));
    const free = this.problem.cells.filter((_, cell) => !taken.has(cell));
    if (free.length > MOST_COUNTED) return { raw: 0, complete: false };
    const kinds = this.kinds.map((one, kind) => (
      { ...one, copies: one.copies - before.filter(({ piece }) => this.pieces[piece].kind === kind).length }));
    return new Promise((done) => {
      this.counter = countInBackground([preparedProblem(free, kinds)], ([result]) => done(result), { milliseconds: PATIENCE * 1000, enough });
    });
  }

  async tellWays() {
    const all = this.placed.length;
    const free = this.problem.cells.length - this.placed.reduce((sum, { place }) => sum + place.cells.length, 0);
    if (free > MOST_COUNTED) return this.tell(`${free} cells are free: the ways are counted once there are at most ${MOST_COUNTED}.`);
    this.tell("Counting …");
    const { raw, complete } = await this.count(all);
    if (raw) return this.tell(`${complete ? "" : "At least "}${raw.toLocaleString("en")} ${raw === 1 ? "way" : "ways"} to finish${complete ? "" : `: the count stopped after ${PATIENCE} seconds`}.`);
    if (!complete) return this.tell(`No way was found in ${PATIENCE} seconds; ${all ? "there may be one" : "the figure can be built all the same"}.`);
    // The first piece that leaves no way. The figure alone has one.
    let number = all - 1, sure = true;
    for (; number > 0 && sure; number--) {
      const before = await this.count(number, 1);
      if (before.raw) break;
      sure = before.complete;
    }
    const mistake = sure ? `The mistake is ${this.pieces[this.placed[number].piece].key}, piece ${number + 1} of ${all} in place.` : `One of the first ${number + 2} pieces in place is the mistake.`;
    return this.tell(`No way from here. ${mistake}`);
  }

  async solved() {
    const seconds = Math.round(this.spent / 1000);
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    const owners = this.problem.cells.map((_, cell) => this.at(cell).piece);
    const kindOf = this.pieces.map(({ kind }) => kind);
    const known = stored(SOLVED, {});
    store(SOLVED, { ...known, [this.signature]: known[this.signature] ?? time });
    this.tell(`Solved in ${time}.`);
    this.tell(`Solved in ${time}. ${await this.describe(packingClass(owners, kindOf, this.problem), this.problem)}`);
  }
}

/** Returns a text that is equal for packings that are equal up to the figure's symmetries. `owners` has the piece of each
 * cell, and `kindOf` its kind. */
function packingClass(owners, kindOf, { mirrored, images }) {
  return images.map(({ from, reflection }) => {
    const seen = [];
    return from.map((cell) => {
      const piece = owners[cell];
      if (!seen.includes(piece)) seen.push(piece);
      return `${seen.indexOf(piece)}.${reflection ? mirrored[kindOf[piece]] : kindOf[piece]}`;
    }).join(" ");
  }).sort()[0];
}
