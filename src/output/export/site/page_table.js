// The table of the one-file page: its columns, what it shows and in which order, and its pages.
"use strict";

const ROWS_ON_A_PAGE = 100;
const grouped = (digits) => String(digits).replace(/\B(?=(\d{3})+$)/g, ",");
const plural = (n, one, many = `${one}s`) => `${grouped(n)} ${String(n) === "1" ? one : many}`;
const isBuildable = ({ count }) => count?.verdict === "counted" || count?.verdict === "at-least";
const isOpen = ({ count }) => !count || count.verdict === "unknown" || count.verdict === "failed";
const inOrder = new Intl.Collator("en", { numeric: true }).compare;
/** Orders counts, which are decimal texts, by value. */
const byValue = (a, b) => a.length - b.length || (a < b ? -1 : Number(a > b));

const REASONS = { size: "size", parity: "parity", parts: "parts", "no-fit": "nothing fits", exhausted: "all tried" };
/** Returns the verdict in words. */
function verdictOf({ count }) {
  if (!count) return "";
  const { verdict, reason } = count;
  if (verdict === "counted") return "can be built";
  if (verdict === "at-least") return "can be built";
  if (verdict === "unsolvable") return `cannot: ${REASONS[reason] ?? reason}`;
  return { unknown: "undecided", failed: "failed" }[verdict];
}
const TONES = { counted: "good", "at-least": "good", unsolvable: "bad" };

/** The columns: a label, the text of a row, and its order. Narrow screens show only those that are `needed`. */
const COLUMNS = [
  { id: "name", label: "Name", needed: true, compare: (a, b) => inOrder(a.name, b.name) },
  { id: "cells", label: "Cells", number: true, text: (row) => String(row.cells.length), compare: (a, b) => a.cells.length - b.cells.length },
  { id: "class", label: "Class", text: (row) => row.class, compare: (a, b) => a.order - b.order || inOrder(a.class, b.class) },
  { id: "parity", label: "Parity", number: true, text: (row) => String(row.parity), compare: (a, b) => a.parity - b.parity },
  { id: "verdict", label: "Verdict", needed: true, text: verdictOf, compare: (a, b) => inOrder(verdictOf(a), verdictOf(b)) },
  ...["raw", "rotation", "unique"].map((id) => ({
    id,
    label: { raw: "Raw", rotation: "Rotation", unique: "Unique" }[id],
    number: true,
    needed: id === "unique",
    text: ({ count }) => (count?.verdict === "at-least" && count[id] ? "≥ " : "") + grouped(count?.[id] ?? ""),
    compare: (a, b) => byValue(a.count?.[id] ?? "", b.count?.[id] ?? ""),
  })),
  { id: "difficulty", label: "Difficulty", text: ({ stars }) => (stars ? "★".repeat(stars).padEnd(5, "☆") : ""), compare: (a, b) => (a.stars ?? 0) - (b.stars ?? 0) },
];

/** What the table can show. */
const SHOWN = [
  { id: "all", label: "All", holds: () => true },
  { id: "buildable", label: "Can be built", holds: isBuildable },
  { id: "one", label: "One way", holds: ({ count }) => count?.unique === "1" },
  { id: "impossible", label: "Cannot be built", holds: ({ count }) => count?.verdict === "unsolvable" },
  { id: "open", label: "Open", holds: isOpen },
  { id: "twins", label: "Duplicates", holds: ({ twins }) => twins.length > 1 },
];

/** A table of rows. `open` is called with a row that is chosen. */
class FigureTable {
  constructor(open) {
    Object.assign(this, { open, rows: [], shown: SHOWN[0], sort: null, down: false, page: 0, listed: [], asked: 0 });
    this.drawn = new IntersectionObserver((seen) => {
      for (const { target, isIntersecting } of seen) {
        if (!isIntersecting) continue;
        this.drawn.unobserve(target);
        drawPicture(/** @type {HTMLCanvasElement} */ (target), /** @type {any} */ (target).cells);
      }
    }, { rootMargin: "200px" });
    // Paper has all rows.
    window.addEventListener("beforeprint", () => {
      this.show(this.listed);
      for (const canvas of byId("rows").querySelectorAll("canvas")) drawPicture(canvas, canvas.cells);
    });
    window.addEventListener("afterprint", () => this.refresh());
    this.makeHeads();
    byId("sort").append(new Option("order of the files", ""), ...COLUMNS.map(({ id, label }) => new Option(label.toLowerCase(), id)));
    this.choices = SHOWN.map(({ id }) => new Option("", id));
    byId("show").append(...this.choices);
    const on = (id, kind, act) => byId(id).addEventListener(kind, act);
    on("show", "change", ({ target }) => this.change({ shown: SHOWN.find(({ id }) => id === target.value) }));
    on("sort", "change", ({ target }) => this.sortBy(COLUMNS.find(({ id }) => id === target.value) ?? null));
    on("reverse", "click", () => this.change({ down: !this.down }));
    on("find", "input", () => this.change({}));
    on("previous", "click", () => this.turnTo(this.page - 1));
    on("next", "click", () => this.turnTo(this.page + 1));
  }

  /** Shows other rows or another order, from the first page on. */
  change(what) {
    Object.assign(this, what, { page: 0 });
    this.refresh();
  }

  /** Sorts by a column: first as one reads; numbers first the largest. */
  sortBy(column) {
    this.change({ sort: column, down: Boolean(column && (column.number || column.id === "difficulty")) });
  }

  makeHeads() {
    const picture = element("th");
    picture.scope = "col";
    picture.append(element("span", "hidden-text", "Picture"));
    this.heads = COLUMNS.map((column) => {
      const head = element("th", [column.number && "number", !column.needed && "wide"].filter(Boolean).join(" "));
      head.scope = "col";
      head.textContent = column.label;
      // The order is chosen above the table. With a mouse, a click on a head is shorter.
      head.addEventListener("click", () => (this.sort === column ? this.change({ down: !this.down }) : this.sortBy(column)));
      return head;
    });
    byId("heads").append(picture, ...this.heads);
  }

  turnTo(page) {
    this.page = page;
    this.refresh();
    byId("list").scrollIntoView({ block: "start" });
  }

  /** Shows the rows again soon. Many changes in a short time are shown at once. */
  refreshSoon() {
    this.asked ||= setTimeout(() => this.refresh(), 200);
  }

  refresh() {
    clearTimeout(this.asked);
    this.asked = 0;
    const words = byId("find").value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const found = ({ searched }) => words.every((word) => searched.includes(word));
    this.listed = this.rows.filter((row) => this.shown.holds(row) && found(row));
    if (this.sort) {
      const sign = this.down ? -1 : 1;
      this.listed.sort((a, b) => sign * this.sort.compare(a, b) || a.at - b.at);
    }
    this.heads.forEach((head, at) => {
      const sorted = COLUMNS[at] === this.sort;
      if (sorted) head.setAttribute("aria-sort", this.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    byId("sort").value = this.sort?.id ?? "";
    byId("reverse").hidden = !this.sort;
    byId("reverse").textContent = this.down ? "↓" : "↑";
    this.choices.forEach((choice, at) => {
      const { id, label, holds } = SHOWN[at];
      const held = this.rows.filter(holds).length;
      choice.textContent = `${label} (${grouped(held)})`;
      choice.hidden = choice.disabled = held === 0 && id !== this.shown.id;
    });
    byId("show").value = this.shown.id;
    const pages = Math.max(1, Math.ceil(this.listed.length / ROWS_ON_A_PAGE));
    this.page = Math.min(Math.max(0, this.page), pages - 1);
    const first = this.page * ROWS_ON_A_PAGE;
    const shown = this.listed.slice(first, first + ROWS_ON_A_PAGE);
    byId("pages").hidden = pages === 1;
    byId("page-told").textContent = `${grouped(first + 1)} to ${grouped(first + shown.length)} of ${grouped(this.listed.length)}`;
    byId("previous").disabled = this.page === 0;
    byId("next").disabled = this.page === pages - 1;
    this.show(shown);
  }

  /** Shows rows, and keeps the focus. */
  show(shown) {
    const lines = shown.map((row) => this.line(row));
    const body = byId("rows");
    if (lines.length !== body.children.length || lines.some((line, at) => line !== body.children[at])) {
      const focused = document.activeElement;
      const isInside = body.contains(focused);
      body.replaceChildren(...lines);
      if (isInside && focused instanceof HTMLElement) focused.focus();
    }
  }

  /** Returns the table's line of a row, made once. */
  line(row) {
    row.line ??= this.newLine(row);
    const [, ...cells] = row.line.children;
    COLUMNS.forEach((column, at) => {
      if (column.text && cells[at].textContent !== column.text(row)) cells[at].textContent = column.text(row);
    });
    cells[COLUMNS.findIndex(({ id }) => id === "verdict")].className = TONES[row.count?.verdict] ?? "";
    const stars = cells.at(-1);
    if (row.stars) {
      const told = element("span", "stars", stars.textContent);
      told.setAttribute("role", "img");
      told.setAttribute("aria-label", `difficulty ${row.stars} of 5`);
      stars.replaceChildren(told);
    }
    return row.line;
  }

  newLine(row) {
    const line = element("tr");
    const picture = element("td", "thumb");
    const canvas = element("canvas");
    canvas.cells = row.cells;
    canvas.setAttribute("aria-hidden", "true");
    this.drawn.observe(canvas);
    picture.append(canvas);
    const cells = COLUMNS.map((column) => element("td", [column.number && "number", !column.needed && "wide"].filter(Boolean).join(" ")));
    const button = element("button", "link", row.name);
    button.type = "button";
    button.addEventListener("click", (event) => { event.stopPropagation(); this.open(row); });
    cells[0].append(button);
    if (row.title) cells[0].append(element("span", "note", row.title));
    if (row.twin) cells[0].append(element("span", "note twin", row.twin));
    line.append(picture, ...cells);
    line.addEventListener("click", () => this.open(row));
    return line;
  }
}
