// A figure on another site's page: `embed.html?figure=` and the name of its page, its signature or its name.
"use strict";

const byId = (id) => document.getElementById(id);

/** Returns the figure that the address names, if it names one. */
function wantedFigure() {
  const wanted = new URLSearchParams(location.search).get("figure") ?? "";
  const named = FIGURES.find(({ signature, page }) => wanted && (signature === wanted || page === wanted));
  const fitting = named ? [named] : figuresNamed(wanted);
  return fitting.length === 1 ? fitting[0] : null;
}

function showFigure({ signature, page, names, title, cells: cellCount, shape, outcomes }) {
  const cells = cellsOf(shape);
  const name = names[0] ?? signature;
  const bodies = [plainBody(cells)];
  document.title = byId("link").textContent = name;
  byId("link").href = `figures/${page}.html`;
  const counts = outcomes.map((outcome) => (outcome.set ? `${outcome.set}: ${told(outcome)}` : told(outcome)));
  byId("told").textContent = [title, `${cellCount} ${cellCount === 1 ? "cell" : "cells"}`, ...counts].filter(Boolean).join("; ");
  const scene = new Scene(byId("stage"));
  byId("stage").hidden = !scene.ready;
  byId("picture").hidden = scene.ready;
  byId("stage").setAttribute("aria-label", `3D view of ${name}: drag, or use the arrow keys, to turn`);
  scene.face(cells);
  scene.show(cells, bodies, { ghost: false });
  controlView(scene);
  if (!scene.ready) byId("picture").innerHTML = pictureWithin(cells, bodies, name);
}

const wanted = wantedFigure();
if (wanted) showFigure(wanted);
else byId("told").textContent = "This gallery has no such figure.";
