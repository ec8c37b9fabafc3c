// Where each piece can lie: a table with a picture of each kind of place.
"use strict";

/** Returns a section about the places of the pieces with a set, or null. */
function placesSection({ set, raw, places, rules }, cells) {
  if (!places) return null;
  const section = document.createElement("section");
  const share = (packings) => {
    if (packings === 0) return "never";
    return String(packings) === raw ? "always" : `${grouped(packings)} of ${grouped(raw)} packings`;
  };
  const rows = places.map(([piece, number, placements, packings, at]) => {
    const body = { key: "", color: pieceColor(piece), cells: at.map((cell) => cells[cell]) };
    const own = new Set(at);
    const free = { cells: cells.filter((_, cell) => !own.has(cell)) };
    const row = document.createElement("tr");
    row.innerHTML = `<td>${pictureOf([free, body], "", 11).replace('role="img"', 'aria-hidden="true"')}</td><th scope="row"></th><td>${grouped(placements)}</td><td>${share(packings)}</td>`;
    row.querySelector("th").textContent = `${piece} ${number}`;
    return row;
  });
  section.innerHTML = `<h2>Where can a piece lie${set ? ` (${markup(set)})` : ""}?</h2><p class="note"></p>
<table class="counts"><thead><tr><th scope="col">example</th><th scope="col">piece, kind</th><th scope="col">placements</th><th scope="col">used by</th></tr></thead><tbody></tbody></table>`;
  const words = "Placements that a symmetry of the figure maps to each other are one kind. The most used kinds of each piece are listed.";
  section.querySelector("p").textContent = rules.length ? `${words} On a checkerboard, ${rules.join("; ")}.` : words;
  section.querySelector("tbody").append(...rows);
  return section;
}
