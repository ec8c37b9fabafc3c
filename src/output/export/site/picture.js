// Draws cells on a canvas, from the front, the right and above: x to the right, y to the reader, z down.
"use strict";

function drawPicture(canvas, cells) {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name).trim();
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  const width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  if (!cells.length) return;
  const context = canvas.getContext("2d");
  const project = ([x, y, z]) => [(x - y) * 0.866, (x + y) * 0.5 + z];
  const corners = cells.flatMap(([x, y, z]) => [0, 1, 2, 3, 4, 5, 6, 7].map(
    (n) => project([x + (n & 1), y + (n >> 1 & 1), z + (n >> 2)])));
  const low = [0, 1].map((axis) => corners.reduce((m, c) => Math.min(m, c[axis]), Infinity));
  const high = [0, 1].map((axis) => corners.reduce((m, c) => Math.max(m, c[axis]), -Infinity));
  const scale = Math.min((width - 12) / (high[0] - low[0]), (height - 12) / (high[1] - low[1]), 26);
  const shift = [width - scale * (low[0] + high[0]), height - scale * (low[1] + high[1])].map((v) => v / 2);
  const filled = new Set(cells.map(String));
  const free = (x, y, z) => !filled.has(String([x, y, z]));
  context.scale(ratio, ratio);
  context.lineWidth = Math.min(1, scale / 10);
  context.lineJoin = "round";
  context.strokeStyle = color("--edge");
  const face = (name, ...points) => {
    context.beginPath();
    for (const point of points) {
      const [px, py] = project(point);
      context.lineTo(px * scale + shift[0], py * scale + shift[1]);
    }
    context.closePath();
    context.fillStyle = color(name);
    context.fill();
    context.stroke();
  };
  const nearLast = (a, b) => (a[0] + a[1] - a[2]) - (b[0] + b[1] - b[2]);
  for (const [x, y, z] of [...cells].sort(nearLast)) {
    if (free(x, y, z - 1)) face("--top", [x, y, z], [x + 1, y, z], [x + 1, y + 1, z], [x, y + 1, z]);
    if (free(x, y + 1, z)) face("--left", [x, y + 1, z], [x + 1, y + 1, z], [x + 1, y + 1, z + 1], [x, y + 1, z + 1]);
    if (free(x + 1, y, z)) face("--right", [x + 1, y, z], [x + 1, y + 1, z], [x + 1, y + 1, z + 1], [x + 1, y, z + 1]);
  }
}
