// The open figure of the one-file page: the 3D view, the puzzle, its solutions piece by piece, its layers and facts, and
// why it cannot be built.
"use strict";

/** The solutions that are listed at most, and the search for them. */
const MOST_SOLUTIONS = 1000;
const SOLUTION_NODES = 3_000_000;
/** The nodes of the search for a reason why a figure cannot be built. */
const WHY_NODES = 200_000_000;

/** Describes a map of solutions. */
function mapInWords({ packings, edges_2: two, edges_3: three, components, diameter, moves }) {
  if (packings < 2) return "There is only one solution.";
  const joined = `Taking out two pieces of a solution and putting them back in another way gives another: so ${plural(two, "pair")} of solutions are joined, and ${plural(three, "pair")} by three pieces.`;
  const [largest, ...others] = components;
  const alone = others.filter((size) => size === 1).length;
  const groups = others.length
    ? `${plural(largest, "solution")} are connected, any two of them by at most ${plural(diameter, "move")}; ${alone ? `${plural(alone, "solution")} ${alone === 1 ? "has" : "have"} no neighbor` : `the others form ${plural(others.length, "group")}`}.`
    : `All ${grouped(packings)} are connected, any two by at most ${plural(diameter, "move")}.`;
  return `${joined} ${groups}${moves.length ? " From the solution on the screen:" : ""}`;
}

class FigurePanel {
  /** `ask` sends a request to the program. */
  constructor(ask) {
    this.ask = ask;
    this.scene = new Scene(byId("stage"));
    byId("stage").hidden = !this.scene.ready;
    byId("picture").hidden = this.scene.ready;
    this.layers = new LayerChoice(byId("layer-choice"), () => this.draw());
    this.tabs = makeTabs(byId("tabs"), (panel) => (panel === "play-panel" ? this.play() : this.explore()));
    controlView(this.scene, { n: () => this.step(1), p: () => this.step(-1) });
    const on = (id, act) => byId(id).addEventListener("click", act);
    on("next-piece", () => this.step(1));
    on("take-back", () => this.step(-1));
    on("show-all", () => this.goTo(Infinity));
    on("why", () => this.why());
    byId("elements").addEventListener("change", () => this.elements());
    on("previous-solution", () => this.solution(this.number - 1));
    on("next-solution", () => this.solution(this.number + 1));
    byId("solution").addEventListener("change", ({ target }) => this.solution(Number(target.value)));
    byId("places-box").addEventListener("toggle", () => this.places());
    byId("map-box").addEventListener("toggle", () => this.connect());
    on("close", () => this.close());
    on("copy", () => navigator.clipboard?.writeText(byId("soma").textContent).then(() => { byId("copy").textContent = "Copied"; }));
    on("save-svg", () => saveFile(`${fileName(this.row.name)}.svg`, this.svg(), "image/svg+xml"));
    byId("figure").addEventListener("keydown", (event) => { if (event.key === "Escape" && event.target !== byId("stage")) this.close(); });
  }

  open(row) {
    this.row?.line?.classList.remove("chosen");
    this.row = row;
    row.line?.classList.add("chosen");
    Object.assign(this, { packings: [], number: 1, count: 0, complete: false, puzzle: null, inPuzzle: null, reason: null, map: null, listing: null });
    byId("elements").checked = false;
    byId("elements-told").textContent = "";
    this.scene.overlay = null;
    byId("layers-told").textContent = layersInWords(row.cells);
    document.body.classList.add("with-figure");
    byId("figure").hidden = false;
    byId("figure-title").textContent = row.title ? `${row.name}: ${row.title}` : row.name;
    byId("copy").textContent = "Copy the text";
    byId("places-box").open = byId("map-box").open = false;
    byId("places").replaceChildren();
    this.layers.open(row.cells);
    this.scene.face(row.cells);
    this.tell();
    this.tabs.choose("explore-panel");
    this.facts();
    byId("figure").focus({ preventScroll: true });
    byId("figure").scrollIntoView({ block: "nearest" });
  }

  close() {
    document.body.classList.remove("with-figure");
    byId("figure").hidden = true;
    const { row } = this;
    this.row = null;
    row?.line?.classList.remove("chosen");
    row?.line?.querySelector("button")?.focus();
  }

  /** Says what is known of the count. */
  tell() {
    const { row } = this;
    const { count } = row;
    const words = {
      counted: () => `${plural(count.unique, "way")} to build it, up to turning and mirroring`,
      "at-least": () => `At least ${plural(count.raw, "raw packing")}: counting stopped at the limit`,
      unsolvable: () => `Cannot be built: ${count.why || count.reason}`,
      unknown: () => "Undecided: counting stopped at the limit before it found a packing",
      failed: () => `Not counted: ${count.why}`,
    };
    const stars = row.stars ? ` · difficulty ${row.stars} of 5` : "";
    byId("answer").textContent = count ? `${words[count.verdict]()}${stars}.` : "Not counted yet.";
    byId("twins").textContent = row.twins.length > 1 ? `The same figure: ${row.twins.filter((other) => other !== row).slice(0, 12).map(({ name }) => name).join(", ")}.` : "";
    byId("tabs").hidden = byId("solving").hidden = byId("places-box").hidden = byId("map-box").hidden = !isBuildable(row);
    byId("numbers").hidden = this.packings.length < 2;
    byId("tab-play").hidden = row.placed.length > 0 || settings.gaps;
    byId("why-line").hidden = count?.verdict !== "unsolvable";
    byId("why-told").hidden = true;
  }

  /** Opens the puzzle, with the pieces that were placed in it before. */
  async play() {
    const { row } = this;
    byId("figure").classList.add("solving");
    byId("told").textContent = "";
    if (this.puzzle) return this.puzzle.changed("");
    const own = (request) => this.ask({ file: row.file, figure: row.figure, ...request });
    try {
      const { pieces, places } = await own({ call: "puzzle" });
      if (this.row !== row || byId("play-panel").hidden) return undefined;
      this.puzzle = new Puzzle(byId("play-panel"), {
        cells: row.cells, pieces, places, ask: own, describe: async () => this.inWords(), spotsInView: (...asked) => (this.scene.ready ? this.scene.spots(...asked) : null),
        show: (bodies, marked) => {
          if (this.row !== row || byId("play-panel").hidden) return;
          this.inPuzzle = bodies;
          this.draw(marked);
        },
      });
    } catch (error) {
      byId("told").textContent = `${error.message}.`;
    }
    return undefined;
  }

  explore() {
    byId("figure").classList.remove("solving");
    this.inPuzzle = null;
    byId("told").textContent = "";
    this.draw();
  }

  /** Says how many solutions there are, for one that the visitor has found. */
  inWords() {
    const { count } = this.row;
    return count.verdict === "counted" ? `This is one of ${plural(count.unique, "way")}.` : "";
  }

  /** Tells why the figure cannot be built, and shows it on the figure. */
  async why() {
    const { row } = this;
    const told = byId("why-told");
    told.textContent = "Searching for a reason …";
    told.hidden = false;
    try {
      const reason = await this.ask({ call: "why", file: row.file, figure: row.figure, nodes: WHY_NODES });
      if (this.row !== row) return;
      this.reason = reason;
      told.textContent = reason?.words ?? "No reason was found within the limit of the search.";
      byId("why-line").hidden = true;
      this.draw();
    } catch (error) {
      told.textContent = `${error.message}.`;
    }
  }

  /** Shows axes and mirrors, or hides them. */
  async elements() {
    const { row } = this;
    const found = byId("elements").checked ? await this.ask({ call: "symmetry", file: row.file, figure: row.figure }) : null;
    if (this.row !== row) return;
    this.scene.overlay = found && elementShapes(found, extentsOf(row.cells));
    byId("elements-told").textContent = found ? elementsInWords(found) : "";
    this.scene.redraw();
  }

  /** Tells again when the open figure was counted. */
  counted(row) {
    if (row === this.row && !this.packings.length && !this.puzzle) this.tell();
  }

  /** Returns the pieces in place, as bodies. */
  placed() {
    if (this.inPuzzle) return this.inPuzzle;
    const packing = this.packings[this.number - 1];
    return numberedBodies((packing?.pieces ?? []).slice(0, this.count).map(([piece, cells]) => ({ piece, cells })));
  }

  draw(marked = false) {
    const { cells } = this.row;
    const placed = this.placed().filter(({ piece }) => piece !== "~");
    const plain = this.reason ? whyBodies(cells, this.reason) : [plainBody(cells)];
    const isGhost = placed.length > 0 || this.inPuzzle !== null;
    const bodies = this.layers.of(isGhost ? placed : plain);
    const hot = this.inPuzzle ? marked : placed.length > 0 && this.count < this.packings[this.number - 1]?.pieces.length;
    this.scene.show(cells, bodies, { ghost: isGhost, hot });
    if (!this.scene.ready) byId("picture").innerHTML = pictureWithin(cells, bodies, this.row.name);
    const packing = this.packings[this.number - 1];
    byId("soma").textContent = packing && this.count === packing.pieces.length ? packing.soma : this.row.soma || "SOMA text cannot show this figure: it has colors, or its box is too large.";
  }

  svg() {
    const placed = this.placed();
    return pictureWithin(this.row.cells, placed.length ? placed : [plainBody(this.row.cells)], this.row.name);
  }

  /** Places the next pieces, or takes pieces back. The first piece asks for solutions. */
  async step(by) {
    if (!isBuildable(this.row)) return;
    if (!this.packings.length) await this.find();
    this.goTo(this.count + by);
  }

  async goTo(count) {
    if (!this.packings.length) await this.find();
    const packing = this.packings[this.number - 1];
    if (!packing) return;
    const all = packing.pieces.length;
    this.count = Math.min(all, Math.max(0, count));
    const last = packing.pieces[this.count - 1];
    const rest = all - this.count;
    const where = packing.lowered ? "" : " The pieces interlock: not every one can be lowered from above.";
    byId("told").textContent = this.count === 0 ? `${plural(all, "piece")} to go.` : `${last[0]}: ${whereInWords(last[1], this.row.cells)}. ${rest ? `${plural(rest, "piece")} to go.` : `Complete.${packing.somap ? ` SOMAP code ${packing.somap}.` : ""}${where}`}`;
    byId("next-piece").disabled = byId("show-all").disabled = rest === 0;
    byId("take-back").disabled = this.count === 0;
    this.draw();
  }

  /** Finds a solution at once, and then the others. */
  async find() {
    const { row } = this;
    const wanted = (most, nodes) => this.ask({ call: "packings", file: row.file, figure: row.figure, most, nodes });
    const isShown = () => this.row === row;
    byId("told").textContent = "Searching …";
    try {
      const one = await wanted(1, 200_000_000);
      if (!isShown()) return;
      this.packings = one.packings;
      if (!one.packings.length) byId("told").textContent = "No packing was found within the limit of the search.";
      this.listing = wanted(MOST_SOLUTIONS, SOLUTION_NODES).then(({ packings, complete }) => {
        if (!isShown() || packings.length < 2) return;
        // The first is the one on the screen.
        this.packings = packings;
        byId("numbers").hidden = false;
        byId("solution").max = this.packings.length;
        byId("of").textContent = complete ? `of ${grouped(this.packings.length)}` : `of ${grouped(this.packings.length)} listed`;
      }).catch(() => {});
    } catch (error) {
      if (isShown()) byId("told").textContent = error.message;
    }
  }

  solution(number) {
    const known = this.packings.length;
    this.number = Math.min(known, Math.max(1, Math.round(number) || 1));
    byId("solution").value = this.number;
    byId("previous-solution").disabled = this.number === 1;
    byId("next-solution").disabled = this.number === known;
    this.goTo(Infinity);
    this.moves();
  }

  /** Tells how the solutions are connected, once that is opened. */
  async connect() {
    const { row } = this;
    if (!row || !byId("map-box").open || this.map) return;
    byId("map-told").textContent = "Connecting …";
    byId("moves").replaceChildren();
    try {
      if (!this.packings.length) await this.find();
      await this.listing;
      const map = await this.ask({ call: "map", file: row.file, figure: row.figure, most: MOST_SOLUTIONS, nodes: SOLUTION_NODES });
      if (this.row !== row) return;
      this.map = map;
      byId("map-told").textContent = mapInWords(map);
      this.moves();
    } catch (error) {
      if (this.row === row) byId("map-told").textContent = `${error.message}.`;
    }
  }

  /** Lists the moves from the solution on the screen. */
  moves() {
    if (!this.map) return;
    const moves = this.map.moves[this.number - 1] ?? [];
    byId("moves").replaceChildren(...moves.map(([to, letters]) => {
      const button = element("button", "", `${letters.sort().join(" ")} → ${to + 1}`);
      button.addEventListener("click", () => {
        this.solution(to + 1);
        byId("told").textContent = `Moved: ${letters.join(", ")}. This is solution ${to + 1}.`;
        (byId("moves").querySelector("button") ?? byId("map-box").querySelector("summary")).focus();
      });
      return button;
    }));
  }

  /** Lists where each piece can lie, once the list is opened. */
  async places() {
    const { row } = this;
    if (!row || !byId("places-box").open || byId("places").children.length) return;
    const told = element("p", "note", "Counting …");
    byId("places").append(told);
    try {
      const { raw, complete, places } = await this.ask({ call: "places", file: row.file, figure: row.figure, nodes: SOLUTION_NODES });
      if (this.row !== row) return;
      if (complete) byId("places").replaceChildren(placesSection({ set: row.set, raw, places, rules: [] }, row.cells));
      else told.textContent = "There are too many solutions to count here.";
    } catch (error) {
      told.textContent = error.message;
    }
  }

  async facts() {
    const { row } = this;
    const list = byId("facts");
    list.replaceChildren();
    const symmetry = await this.ask({ call: "symmetry", file: row.file, figure: row.figure }).catch(() => null);
    if (this.row !== row || !symmetry) return;
    const { count } = row;
    const facts = [
      ["Signature", row.signature],
      ["Symmetry", `${symmetry.words}. ${row.class}${symmetry.allen ? `, Bob Allen’s letter ${symmetry.allen}` : ""}: ${symmetry.description}; ${row.order === 1 ? "1 symmetry" : `${row.order} symmetries, ${symmetry.rotations} of them rotations`}`],
      ["Elements", symmetry.elements],
      ["Parity", `|black − white| = ${row.parity}`],
      ["Parts", String(row.parts)],
      ["Pieces", row.set ?? "none"],
      ...(count?.raw ? [["Counts", `${count.verdict === "at-least" ? "at least " : ""}${grouped(count.raw)} raw${count.unique ? `, ${grouped(count.rotation)} up to rotation, ${grouped(count.unique)} up to rotation and reflection` : ""}`]] : []),
      ...(count?.engine ? [["Counted by", `${count.engine}, ${plural(count.nodes, "node")}`]] : []),
      ...(row.credit ? [["Source", row.credit]] : []),
    ];
    list.replaceChildren(...facts.flatMap(([term, text]) => [element("dt", "", term), element("dd", "", text)]));
  }
}
