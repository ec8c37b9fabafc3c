// A figure drawn square by square, for who has no file: pupils who check the drawing of a friend.
"use strict";

/** Columns, rows and layers. */
const PAD = [5, 5, 5];

/** Shows empty squares in `box`. Returns a function that takes the drawing away: its cells as text, or nothing. */
function makePad(box) {
  const square = (cell) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.cell = String(cell);
    button.setAttribute("aria-pressed", "false");
    button.setAttribute("aria-label", squareName(cell));
    button.addEventListener("click", () => button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") === "false")));
    return button;
  };
  box.replaceChildren(...layerGrids(PAD, square, "1fr"));
  rove(box);
  return () => {
    const filled = [...box.querySelectorAll("[aria-pressed=true]")];
    for (const button of filled) button.setAttribute("aria-pressed", "false");
    return filled.map(({ dataset }) => dataset.cell).join(" ");
  };
}
