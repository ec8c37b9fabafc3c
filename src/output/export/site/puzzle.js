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

/** A puzzle in `box`. `show` draws pieces, the last one marked if asked. `spotsInView` returns the centers of cells and
 * the size of a cell in the 3D view, if a point is on it. `describe` returns a text about a packing. */
class Puzzle {
  constructor(box, { cells, signature, show, spotsInView, describe }) {
    Object.assign(this, { box, signature, show, spotsInView, describe });
    this.problem = preparedProblem(cells);
    this.pieces = this.problem.pieces;
    this.places = this.pieces.map((_, piece) => this.problem.placements.flatMap((of) => of[piece]));
    this.key = `somacat puzzle ${signature}`;
    // Pieces in place, in the order of their placement: the piece, its cells as bits, and the square it was placed on.
    const { placed = [], spent = 0 } = stored(this.key, {});
    this.placed = [];
    for (const one of placed) if (this.places[one.piece]?.includes(one.mask) && !(one.mask & this.filled())) this.placed.push(one);
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
      const piece = this.pieces.indexOf(event.key.toUpperCase());
      if (piece >= 0) this.choose(piece);
      else if (event.key.toUpperCase() === "R") this.turn();
      else if (event.key === "Backspace") this.takeBack(this.placed.at(-1));
      else return;
      event.preventDefault();
    });
    this.changed("");
    if (!this.placed.length) this.tell("V is chosen: choose a square for it.");
  }

  filled(except) {
    return this.placed.reduce((mask, one) => (one === except ? mask : mask | one.mask), 0);
  }

  at(cell) {
    return this.placed.find(({ mask }) => mask >> cell & 1);
  }

  nextPiece() {
    return this.pieces.findIndex((_, piece) => !this.placed.some((one) => one.piece === piece));
  }

  makeTray() {
    this.trayButtons = this.pieces.map((letter, piece) => {
      const button = Object.assign(document.createElement("button"), { type: "button" });
      button.className = "piece";
      button.innerHTML = pictureOf([{ key: "", color: pieceColor(letter), cells: PIECES[letter] }], "", 12).replace('role="img"', 'aria-hidden="true"') + letter;
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
    const known = this.placed.find((one) => one.piece === piece);
    if (known) return this.takeBack(known);
    this.chosen = piece;
    return this.changed(`${this.pieces[piece]} is chosen.`);
  }

  /** Places the chosen piece on a square, or takes back the piece there. */
  choosePlace(cell) {
    const there = this.at(cell);
    if (there) return this.takeBack(there);
    const [mask] = this.fitting(this.chosen, cell, this.filled());
    const letter = this.pieces[this.chosen];
    if (mask === undefined) return this.tell(`${letter} does not fit there.`);
    this.placed.push({ piece: this.chosen, mask, cell });
    this.chosen = this.nextPiece();
    return this.changed(`${letter} is placed.`);
  }

  /** Returns the cells of a place, moved to the origin, and their text. */
  shapeOf(mask) {
    const cells = normalized(this.problem.cells.filter((_, cell) => mask >> cell & 1));
    return { cells, text: String(cells) };
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

  /** Puts a dragged piece down: at its place, or beside the figure. */
  drop(piece, mask) {
    const letter = this.pieces[piece];
    if (mask === undefined) return this.changed(`${letter} is taken back.`);
    this.placed.push({ piece, mask, cell: 31 - Math.clz32(mask & -mask) });
    this.chosen = this.nextPiece();
    return this.changed(`${letter} is placed.`);
  }

  restore(placed) {
    this.placed = placed;
    this.changed("");
  }

  fitting(piece, cell, filled) {
    return this.places[piece].filter((mask) => mask >> cell & 1 && !(mask & filled));
  }

  /** Moves the last piece to its next place on the same square. */
  turn() {
    const last = this.placed.at(-1);
    if (!last) return this.tell("No piece is in place.");
    const masks = this.fitting(last.piece, last.cell, this.filled(last));
    const letter = this.pieces[last.piece];
    if (masks.length === 1) return this.tell(`${letter} fits there in one way only.`);
    const next = (masks.indexOf(last.mask) + 1) % masks.length;
    last.mask = masks[next];
    return this.changed(`${letter} is turned: place ${next + 1} of ${masks.length}.`);
  }

  takeBack(one) {
    if (!one) return this.tell("No piece is in place.");
    this.placed = this.placed.filter((other) => other !== one);
    this.chosen = one.piece;
    return this.changed(`${this.pieces[one.piece]} is taken back.`);
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
      const inPlace = this.placed.some((one) => one.piece === piece);
      button.setAttribute("aria-pressed", String(!inPlace && piece === this.chosen));
      button.setAttribute("aria-label", `${this.pieces[piece]}${inPlace ? ", in place" : ""}`);
      button.classList.toggle("placed", inPlace);
    });
    const rest = this.pieces.length - this.placed.length;
    byId("turn-piece").disabled = byId("take-back").disabled = !this.placed.length;
    byId("ways").disabled = rest === 0;
    store(this.key, { placed: this.placed, spent: this.spent });
    this.tell(text && rest ? `${text} ${rest} ${rest === 1 ? "piece" : "pieces"} to go.` : text);
    if (rest === 0) this.solved();
  }

  /** Draws the pieces in place, and a piece that is dragged there. */
  draw(dragged = null) {
    const all = dragged ? [...this.placed, dragged] : this.placed;
    const { cells } = this.problem;
    this.show(all.map(({ piece, mask }) => (
      { key: this.pieces[piece], piece: this.pieces[piece], copy: 1, cells: cells.filter((_, at) => mask >> at & 1) })), Boolean(dragged));
    this.squares.forEach((square, cell) => {
      const there = all.find(({ mask }) => mask >> cell & 1);
      const letter = there ? this.pieces[there.piece] : "";
      square.textContent = letter;
      square.classList.toggle("taken", Boolean(letter));
      square.style.background = letter ? pieceColor(letter) : "";
      square.style.color = letter ? (isLight(rgb(pieceColor(letter))) ? "#141414" : "#fff") : "";
      square.setAttribute("aria-label", `${square.dataset.where}: ${letter || "free"}`);
    });
  }

  /** Counts the packings that contain the first `number` pieces in place. */
  count(number) {
    const fixed = new Map(this.placed.slice(0, number).map(({ piece, mask }) => [piece, mask]));
    const placements = this.problem.placements.map((of) => of.map((masks, piece) => (
      fixed.has(piece) ? masks.filter((mask) => mask === fixed.get(piece)) : masks)));
    return new Promise((done) => { countInBackground([{ ...this.problem, placements }], ([{ raw }]) => done(raw)); });
  }

  async tellWays() {
    const state = String(this.placed.map(({ mask }) => mask));
    this.tell("Counting …");
    let number = this.placed.length;
    let ways = await this.count(number);
    const found = ways;
    while (!ways && number > 0) ways = await this.count(--number);
    if (state !== String(this.placed.map(({ mask }) => mask))) return;
    if (found) this.tell(`${found.toLocaleString("en")} ${found === 1 ? "way" : "ways"} to finish.`);
    else this.tell(`No way from here. The mistake is ${this.pieces[this.placed[number].piece]}, piece ${number + 1} of ${this.placed.length} in place.`);
  }

  async solved() {
    const seconds = Math.round(this.spent / 1000);
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    const owners = this.problem.cells.map((_, cell) => this.at(cell).piece);
    const known = stored(SOLVED, {});
    store(SOLVED, { ...known, [this.signature]: known[this.signature] ?? time });
    this.tell(`Solved in ${time}.`);
    this.tell(`Solved in ${time}. ${await this.describe(owners, this.problem)}`);
  }
}

/** Returns a text that is equal for packings that are equal up to the figure's symmetries. `owners` has the piece of each
 * cell. */
function packingClass(owners, { pieces, images }) {
  const [a, b] = [pieces.indexOf("A"), pieces.indexOf("B")];
  const exchanged = pieces.map((_, piece) => (piece === a ? b : piece === b ? a : piece));
  return images.map(({ from, reflection }) => (
    owners.map((_, cell) => (reflection ? exchanged[owners[from[cell]]] : owners[from[cell]])).join(""))).sort()[0];
}
