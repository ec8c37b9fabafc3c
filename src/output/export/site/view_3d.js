// A figure or a packing in a notebook, from pairs of a piece and its cells.
"use strict";

const bodies = numberedBodies(BODIES.map(([piece, cells]) => ({ piece, cells })))
  .map((body) => (body.piece === " " ? plainBody(body.cells) : body));
const all = bodies.flatMap((body) => body.cells);
const [stage, picture] = ["stage", "picture"].map((id) => document.getElementById(id));
const scene = new Scene(stage);
stage.hidden = !scene.ready;
picture.hidden = scene.ready;
scene.face(all);
scene.show(all, bodies, { ghost: false });
controlView(scene);
if (!scene.ready) picture.innerHTML = pictureWithin(all, bodies, "Figure");
