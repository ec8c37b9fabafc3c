// The story of why a figure cannot be built, on the figure and piece by piece. The page has the steps in words.
"use strict";

/** @typedef {object} WhyData
 * @property {string} kind `colors`, `marks` or `words`
 * @property {number[]} [marks] of each cell, unless the page has them as text
 * @property {[string, string, number, number][]} [pieces] name, shape, the color difference or the most marks, copies
 * @property {number} [total] the color difference or the marks of the figure */

class WhyStory {
  /** The steps are in `box`. `changed` is called when other bodies are to be shown. The cells are those that are shown, and
   * those that were given, in the same order.
   * @param {WhyData} why
   * @param {HTMLElement} box
   * @param {Cell[][]} figures
   * @param {() => void} changed */
  constructor(why, box, [cells, given], changed) {
    this.cells = cells;
    this.given = given;
    this.why = why;
    this.changed = changed;
    this.step = 0;
    this.lines = /** @type {HTMLElement[]} */ ([...box.querySelectorAll(".story > li")]);
    this.cards = (why.pieces ?? []).map((piece) => this.card(piece));
    const rows = this.lines[0].querySelector("pre")?.textContent.split("\n").map((row) => row.split(" "));
    /** The mark of each cell, from the data or the text of the page. */
    this.marks = why.marks ?? (rows ? cells.map(([x, y, z]) => Number(rows[y][z][x]) || 0) : []);
    if (why.kind !== "words" && !box.querySelector(".proof")) {
      this.lines[0].querySelector("pre")?.remove();
      this.lines[0].append(plansOf(cells, this.bodies()));
    }
    if (this.cards.length) {
      const list = Object.assign(document.createElement("ol"), { className: "cards" });
      list.setAttribute("aria-hidden", "true");
      list.append(...this.cards);
      this.lines[1].append(list);
    }
    this.last = this.cards.length ? this.cards.length + 2 : this.lines.length;
  }

  /** Returns the picture of a piece, with what it adds. */
  card([name, shape, amount, copies]) {
    const { kind } = this.why;
    const cells = cellsOf(shape);
    const bodies = kind === "colors" ? checkeredBodies(cells) : [{ key: "", color: pieceColor(name), cells }];
    const item = document.createElement("li");
    const words = `${copies > 1 ? `${copies} × ` : ""}${kind === "colors" ? (amount ? `±${amount}` : "0") : amount}`;
    item.innerHTML = `${pictureOf(bodies, "", 14).replace('role="img"', 'aria-hidden="true"')}<b>${markup(name)}</b><span>${words}</span>`;
    return item;
  }

  /** Returns what some first pieces can reach together. */
  reached(number) {
    let sums = new Set([0]);
    for (const [, , amount, copies] of this.why.pieces.slice(0, number)) {
      for (let copy = 0; copy < copies; copy++) {
        sums = new Set([...sums].flatMap((sum) => (this.why.kind === "colors" ? [sum + amount, Math.abs(sum - amount)] : [sum + amount])));
      }
    }
    return [...sums].sort((a, b) => a - b);
  }

  isLast() {
    return this.step === this.last;
  }

  /** Goes on by a step, after the last one from the beginning. Returns it in words. */
  next() {
    this.step = this.isLast() ? 1 : this.step + 1;
    this.mark();
    this.changed();
    const at = this.step - 2;
    if (!this.cards.length || at < 0 || this.isLast()) return this.told(this.cards.length ? Math.min(2, at < 0 ? 0 : 2) : this.step - 1);
    const [name, , amount, copies] = this.why.pieces[at];
    const each = copies > 1 ? `${copies} × ${name}` : name;
    const sums = this.reached(at + 1);
    const { kind, total } = this.why;
    if (kind === "marks") return `${each}: at most ${amount}${copies > 1 ? " each" : ""}. So far at most ${sums[0]} of ${total} marks.`;
    const largest = sums[sums.length - 1];
    const differences = sums.length === 1 ? largest : sums.length > 6 ? `at most ${largest}` : `${sums.slice(0, -1).join(", ")} or ${largest}`;
    return `${each}: ${amount ? `${amount} more of one color` : "as many of each color"}${copies > 1 ? ", each" : ""}. So far the difference can be ${differences}; ${total} is needed.`;
  }

  told(line) {
    return this.lines[line].firstChild?.textContent?.trim() ?? "";
  }

  /** Marks the line and the pieces that the story has reached. */
  mark() {
    const at = this.step - 2;
    const line = this.cards.length ? (this.step === 0 ? -1 : this.step === 1 ? 0 : this.isLast() ? 2 : 1) : this.step - 1;
    this.lines.forEach((one, index) => one.classList.toggle("now", index === line));
    this.cards.forEach((card, index) => {
      card.classList.toggle("now", index === at && !this.isLast());
      card.classList.toggle("later", line === 1 && index > at);
    });
  }

  leave() {
    if (!this.step) return;
    this.step = 0;
    this.mark();
  }

  /** Returns the figure as bodies that show the step. */
  bodies() {
    const { kind } = this.why;
    if (kind === "colors") return checkeredBodies(this.given, this.cells);
    return whyBodies(this.cells, { reason: kind, words: "", marks: this.marks });
  }
}
