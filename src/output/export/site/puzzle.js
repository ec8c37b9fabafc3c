// The puzzle: choose a piece, place it where it fits, turn it, take it back. The program finds the next piece, or the one
// that leaves no way, and counts the ways to finish. A gallery keeps pieces in place and solved figures.
"use strict";

/** @typedef {object} Place
 * @property {number[]} cells their positions in the figure
 * @property {string} shape the orientation */
/** @typedef {object} Placed
 * @property {number} piece
 * @property {Place} place
 * @property {number} cell the one that the piece was placed on */

const PUZZLE_HTML = `
<div class="tray" id="tray" role="toolbar" aria-label="Pieces"></div>
<div class="controls" role="group" aria-label="Moves">
<button type="button" class="filled" id="puzzle-hint">Hint</button>
<button type="button" id="puzzle-turn">Turn</button>
<button type="button" id="puzzle-back">Take back</button>
<details class="menu" id="puzzle-menu"><summary class="button">More</summary><div class="menu-items">
<button type="button" id="puzzle-ways">Ways to finish?</button>
<button type="button" id="puzzle-clear">Start again</button>
</div></details>
</div>
<div class="layers" id="board"></div>
<p class="note">Drag a piece into the figure or onto a layer: it snaps into place. Or choose a piece, then a free square; <b>Turn</b> leads to the next place there. Choose a piece in place to take it back, or drag it away.</p>
<p class="note">Keys: arrows move over the squares; a letter places that piece there, or on the first free square; R and Shift+R turn it, Backspace takes it back, ? gives a hint.</p>`;

/** The nodes of each search for a hint, and of a count of the ways to finish: some seconds at most. */
const HINT_NODES = 2_000_000;
const WAYS_NODES = 5_000_000;

/** A puzzle in `box` with `pieces` of a set and all `places` of each. `ask` sends a request about the figure to the program.
 * `show` draws pieces, the last one marked if asked. `spotsInView` returns the centers of cells and the size of a cell
 * in the 3D view, if a point is on it. What happens is told in the element `told`. `describe` returns a text about a packing. With a `signature`, the browser keeps
 * the pieces in place and the time. */
class Puzzle {
  constructor(box, { cells, pieces, places, signature = "", ask, show, spotsInView, describe }) {
    const root = document.createElement("div");
    root.innerHTML = PUZZLE_HTML;
    box.replaceChildren(root);
    Object.assign(this, { root, cells, kinds: pieces, signature, ask, show, spotsInView, describe });
    /** The pieces, each copy on its own. */
    this.pieces = pieces.flatMap(({ letter, copies }, kind) => Array.from({ length: copies }, (_, n) => (
      { letter, kind, copy: n + 1, key: pieceKey(letter, n + 1) })));
    /** @type {Place[][]} */
    this.places = places.map((all) => all.map((own) => ({ cells: own, shape: String(this.shapeOf(own)) })));
    this.key = signature && `somacat puzzle ${signature}`;
    /** The pieces in place, in the order of their placement.
     * @type {Placed[]} */
    this.placed = [];
    const kept = this.key ? stored(this.key, {}) : {};
    for (const { piece, cell, place } of kept.placed ?? []) {
      const known = this.places[this.pieces[piece]?.kind]?.find((one) => String(one.cells) === String(place?.cells));
      if (known && this.isFree(known)) this.placed.push({ piece, cell, place: known });
    }
    this.spent = kept.spent ?? 0;
    this.number = 0;
    this.chosen = this.nextPiece();
    this.makeTray();
    this.makeBoard();
    const on = (id, act) => byId(id).addEventListener("click", act);
    on("puzzle-hint", () => this.hint());
    on("puzzle-turn", () => this.turn(1));
    on("puzzle-back", () => this.takeBack(this.placed.at(-1)));
    on("puzzle-ways", () => { byId("puzzle-menu").open = false; this.tellWays(); });
    on("puzzle-clear", () => { byId("puzzle-menu").open = false; this.placed = []; this.spent = 0; this.changed("All pieces are taken back."); });
    closeMenu(byId("puzzle-menu"));
    root.addEventListener("keydown", (event) => this.press(event));
    this.changed("");
    if (!this.placed.length) this.tell(`${this.pieces[0].key} is chosen: choose a square for it.`);
  }

  /** Lets keys choose, place, turn and take back pieces. */
  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const letter = event.key.toUpperCase();
    const copies = this.pieces.flatMap((one, piece) => (one.letter.toUpperCase() === letter ? [piece] : []));
    if (letter === "R") this.turn(event.shiftKey ? -1 : 1);
    else if (copies.length) this.chooseByKey(copies.find((piece) => !this.where(piece)) ?? copies.at(-1));
    else if (event.key === "Backspace") this.takeBack(this.placed.at(-1));
    else if (event.key === "?") this.hint();
    else return;
    event.preventDefault();
  }

  /** Places a piece on the square with the focus, or the first free one. Elsewhere it is only chosen. */
  chooseByKey(piece) {
    const focused = this.squares.indexOf(document.activeElement);
    if (focused < 0 || this.where(piece)) return this.choose(piece);
    const cell = this.at(focused) ? this.inReadingOrder.find((one) => !this.at(one)) : focused;
    this.squares[cell].focus();
    this.chosen = piece;
    return this.choosePlace(cell);
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
      button.dataset.cell = `${piece},0,0`;
      button.innerHTML = pictureOf([{ key: "", color: pieceColor(letter), cells: this.kinds[kind].cells }], "", 12).replace('role="img"', 'aria-hidden="true"') + markup(key);
      letDrag(button, this, () => piece);
      button.addEventListener("click", () => this.choose(piece));
      return button;
    });
    byId("tray").replaceChildren(...this.trayButtons);
    rove(byId("tray"));
  }

  /** Makes a grid of squares for each layer. Only cells of the figure are buttons. */
  makeBoard() {
    const index = new Map(this.cells.map((cell, at) => [String(cell), at]));
    this.squares = [];
    this.inReadingOrder = [];
    const square = (cell) => {
      const at = index.get(String(cell));
      if (at === undefined) return document.createElement("span");
      const button = Object.assign(document.createElement("button"), { type: "button" });
      button.dataset.where = squareName(cell);
      letDrag(button, this, () => this.at(at)?.piece);
      button.addEventListener("click", () => this.choosePlace(at));
      this.squares[at] = button;
      this.inReadingOrder.push(at);
      return button;
    };
    byId("board").replaceChildren(...layerGrids(extentsOf(this.cells), square, "minmax(0, 2rem)"));
    this.squares.forEach((button, at) => { button.dataset.cell = String(this.cells[at]); });
    rove(byId("board"));
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
    return this.changed(this.announced(piece, place));
  }

  /** Says where a piece is. */
  announced(piece, place) {
    return `${this.pieces[piece].key}: ${whereInWords(place.cells.map((cell) => this.cells[cell]), this.cells)}.`;
  }

  /** Returns cells, given by their positions, moved to the origin. */
  shapeOf(own) {
    return normalized(own.map((cell) => this.cells[cell]));
  }

  /** Returns the centers of cells on the screen, by cell, and the size of a cell: in the layer or the 3D view below a
   * point. */
  target(x, y) {
    const layer = [...byId("board").children].find((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      return x >= left - 16 && x <= right + 16 && y >= top && y <= bottom + 16;
    });
    if (!layer) return this.spotsInView(x, y, this.cells) ?? { spots: [], unit: 0 };
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

  /** Moves the last piece to its next place on the same square, or to the one before. */
  turn(step) {
    const last = this.placed.at(-1);
    if (!last) return this.tell("No piece is in place.");
    const places = this.fitting(last.piece, last.cell, last);
    const { key } = this.pieces[last.piece];
    if (places.length === 1) return this.tell(`${key} fits there in one way only.`);
    const next = (places.indexOf(last.place) + step + places.length) % places.length;
    last.place = places[next];
    return this.changed(`${this.announced(last.piece, last.place)} Place ${next + 1} of ${places.length}.`);
  }

  takeBack(one) {
    if (!one) return this.tell("No piece is in place.");
    this.placed = this.placed.filter((other) => other !== one);
    this.chosen = one.piece;
    return this.changed(`${this.pieces[one.piece].key} is taken back.`);
  }

  tell(text) {
    byId("told").textContent = text;
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
    byId("puzzle-turn").disabled = byId("puzzle-back").disabled = !this.placed.length;
    byId("puzzle-ways").disabled = byId("puzzle-hint").disabled = rest === 0;
    if (this.key) store(this.key, { placed: this.placed, spent: this.spent });
    this.number += 1;
    this.mark(null);
    this.tell(text && rest ? `${text} ${rest} ${rest === 1 ? "piece" : "pieces"} to go.` : text);
    if (rest === 0) this.solved();
  }

  /** Draws the pieces in place, and a piece that is dragged there. The last one may be marked. */
  draw(dragged = null, marked = dragged !== null) {
    const all = dragged ? [...this.placed, dragged] : this.placed;
    this.show(all.map(({ piece, place }) => {
      const { letter, copy, key } = this.pieces[piece];
      return { key, piece: letter, copy, cells: place.cells.map((cell) => this.cells[cell]) };
    }), marked);
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

  /** Marks a piece in place that leaves no way. */
  mark(wrong) {
    this.squares.forEach((square, cell) => square.classList.toggle("mistake", wrong !== null && wrong.place.cells.includes(cell)));
  }

  /** Asks the program about the pieces in place. Returns null if they have changed when it answers, or if it fails. */
  async askAbout(call, more) {
    const own = this.number;
    const placed = this.placed.map(({ piece, place }) => [this.pieces[piece].kind, place.cells]);
    try {
      const answer = await this.ask({ call, placed, ...more });
      return own === this.number ? { answer } : null;
    } catch (error) {
      if (own === this.number) this.tell(`${error.message}.`);
      return null;
    }
  }

  /** Places the next piece of a packing that contains all pieces in place, or names a piece to take back. */
  async hint() {
    if (this.placed.length === this.pieces.length) return;
    this.tell("Searching …");
    const found = await this.askAbout("hint", { nodes: HINT_NODES });
    if (!found) return;
    const { next, back, decided } = found.answer;
    if (next) {
      const [kind, own] = next;
      const piece = this.pieces.findIndex((one, at) => one.kind === kind && !this.where(at));
      const place = this.places[kind].find(({ cells }) => String(cells) === String(own));
      this.put(piece, place, this.inReadingOrder.find((cell) => place.cells.includes(cell)));
      if (this.placed.length === this.pieces.length) return;
      this.draw(null, true);
      this.tell(`Hint: ${byId("told").textContent}`);
    } else if (back !== null) this.tellMistake("", back);
    else this.tell(decided ? "There is no way from here: take back some pieces." : "The search was too long for a hint here.");
  }

  tellMistake(words, back) {
    const wrong = this.placed[back];
    this.mark(wrong);
    const number = this.placed.length === 1 ? "" : `, piece ${back + 1} of ${this.placed.length} in place`;
    this.tell(`${words}Take back ${this.pieces[wrong.piece].key}${number}: with it, the figure cannot be finished.`);
  }

  async tellWays() {
    this.tell("Counting …");
    const found = await this.askAbout("ways", { nodes: WAYS_NODES });
    if (!found) return;
    const { raw, exact, back } = found.answer;
    if (back !== null) this.tellMistake("No way from here. ", back);
    else if (raw === null) this.tell("No way was found within the limit of the search; there may be one.");
    else if (raw === "0") this.tell("No way from here.");
    else this.tell(`${exact ? "" : "At least "}${grouped(raw)} ${raw === "1" ? "way" : "ways"} to finish${exact ? "" : ": the count stopped at its limit"}.`);
  }

  async solved() {
    const seconds = Math.round(this.spent / 1000);
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (this.signature) {
      const known = stored(SOLVED, {});
      store(SOLVED, { ...known, [this.signature]: known[this.signature] ?? time });
      const letters = this.cells.map((_, cell) => this.pieces[this.at(cell).piece].letter);
      store(BUILT, { ...stored(BUILT, {}), [this.signature]: letters });
    }
    this.tell(`Solved in ${time}.`);
    const told = await this.describe((packings) => this.askAbout("same", { packings }));
    if (told && this.placed.length === this.pieces.length) this.tell(`Solved in ${time}. ${told}`);
  }
}
