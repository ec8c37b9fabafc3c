// Where each piece can lie: a column for each piece, with a picture of each kind of place, the most used first.
"use strict";

/** Returns a section about the places of the pieces with a set, or null. */
function placesSection({ set, raw, places, rules }, cells) {
  if (!places) return null;
  const section = document.createElement("section");
  const share = (packings) => {
    if (packings === 0) return "never";
    if (String(packings) === raw) return "always";
    const percent = 100 * packings / Number(raw);
    if (percent < 1 || percent > 99) return percent < 1 ? "< 1 %" : "> 99 %";
    return `${Math.round(percent)} %`;
  };
  /** @type {Map<string, HTMLElement[]>} */
  const columns = new Map();
  for (const [piece, number, placements, packings, at] of places) {
    const body = { key: "", color: pieceColor(piece), cells: at.map((cell) => cells[cell]) };
    const own = new Set(at);
    const free = { cells: cells.filter((_, cell) => !own.has(cell)) };
    const item = document.createElement("li");
    const words = `${piece} ${number}: ${grouped(placements)} ${placements === 1 ? "place" : "places"}, `;
    item.innerHTML = `${pictureOf([free, body], "", 11).replace('role="img"', 'aria-hidden="true"')}<span class="hidden-text">${markup(words)}</span><span>${share(packings)}</span>`;
    item.title = `${words}in ${grouped(packings)} of ${grouped(raw)} packings`;
    if (packings === 0) item.className = "never";
    columns.set(piece, [...(columns.get(piece) ?? []), item]);
  }
  section.innerHTML = `<h2>Where can a piece lie${set ? ` (${markup(set)})` : ""}?</h2><p class="note"></p><div class="places" tabindex="0" role="group" aria-label="Places of each piece"></div>`;
  const words = "Each picture stands for all places that a turn or mirror of the figure leads to; below it is the share of the solutions that use one of them. The most used places of each piece come first.";
  section.querySelector("p").textContent = rules.length ? `${words} On a checkerboard, ${rules.join("; ")}.` : words;
  section.querySelector("div").append(...Array.from(columns, ([piece, items]) => {
    const column = document.createElement("section");
    const head = Object.assign(document.createElement("h3"), { textContent: piece });
    head.style.borderColor = pieceColor(piece);
    const list = document.createElement("ol");
    list.append(...items);
    column.append(head, list);
    return column;
  }));
  return section;
}
