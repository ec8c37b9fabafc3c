// The 3D view: cubes of pieces with letters on their faces, drawn by WebGL without any library. Cells have the
// axes of SOMA text (x to the right, y to the reader, z down), so here X = x, Y = -z, Z = y.
"use strict";

// Okabe and Ito's colors for the seven pieces, which color-blind people can distinguish; grays for the rest.
const COLORS = {
  V: "#f0e442", L: "#e69f00", T: "#56b4e9", Z: "#d55e00", A: "#009e73", B: "#0072b2", P: "#cc79a7",
  D: "#f2f2f2", I: "#c4c4c4", Q: "#9a9a9a", S: "#767676",
};

function pieceColor(piece) {
  const all = Object.values(COLORS);
  return COLORS[piece.toUpperCase()] || all[piece.codePointAt(0) % all.length];
}

/** Returns cells without a piece, as a body. */
const plainBody = (cells, color = "#c9b58a") => ({ key: " ", piece: " ", copy: 1, color, cells });

/** Returns cells in the colors of a checkerboard, as bodies. They may be shown elsewhere, in the same order. */
function checkeredBodies(cells, shown = cells) {
  const isBlack = cells.map(([x, y, z]) => ((x ^ y ^ z) & 1) === 0);
  const [black, white] = [true, false].map((color) => shown.filter((_, at) => isBlack[at] === color));
  return [plainBody(black, "#3b3b42"), plainBody(white, "#f4f2ec")].filter(({ cells: own }) => own.length);
}

/** @typedef {object} Why
 * @property {string} reason
 * @property {string} words
 * @property {number[]} marks of each cell; empty without marks */

/** Returns a figure as bodies that show why it cannot be built: marks, or the colors of a checkerboard.
 * @param {Cell[]} cells in the program's order
 * @param {Why} why */
function whyBodies(cells, { reason, marks }) {
  if (reason === "parity") return checkeredBodies(cells);
  const most = Math.max(0, ...marks);
  return [...new Set(marks.length ? marks : [0])].map((mark) => ({
    ...plainBody(cells.filter((_, at) => (marks[at] ?? 0) === mark), mark ? "#d55e00" : "#e8e2d4"),
    key: mark && most > 1 ? String(mark) : " ",
  }));
}

/** Returns the key of a copy of a piece: the first has only the letter. */
const pieceKey = (piece, copy) => (copy > 1 ? `${piece}${copy}` : piece);

/** Returns pieces in order, each with its cells, as bodies with numbered copies. */
function numberedBodies(pieces) {
  const copies = new Map();
  return pieces.map(({ piece, cells }) => {
    const copy = (copies.get(piece) || 0) + 1;
    copies.set(piece, copy);
    return { key: pieceKey(piece, copy), piece, copy, cells };
  });
}

/** Returns an SVG picture of bodies. Of all cells, those without a body are edges. */
function pictureWithin(all, bodies, name) {
  const filled = new Set(bodies.flatMap((body) => body.cells.map(String)));
  const free = { cells: all.filter((cell) => !filled.has(String(cell))) };
  const keys = bodies.map(({ key }) => key.trim()).filter(Boolean);
  const colored = bodies.map((body) => ({ ...body, color: body.color || pieceColor(body.piece) }));
  const view = VIEWS[bestView(all)];
  const seen = [free, ...colored].map((body) => ({ ...body, cells: body.cells.map(view) }));
  return pictureOf(seen, keys.length ? `${name} with ${keys.join(", ")} in place` : name);
}

const FACES = [
  // Outward normal and the direction that is up for a letter, both in cells.
  { normal: [1, 0, 0], up: [0, 0, -1] }, { normal: [-1, 0, 0], up: [0, 0, -1] },
  { normal: [0, 1, 0], up: [0, 0, -1] }, { normal: [0, -1, 0], up: [0, 0, -1] },
  { normal: [0, 0, -1], up: [0, -1, 0] }, { normal: [0, 0, 1], up: [0, 1, 0] },
];
const add = (a, b) => a.map((v, axis) => v + b[axis]);
const scaled = (a, factor) => a.map((v) => v * factor);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
/** @param {number[]} cell */
const toWorld = ([x, y, z]) => [x, -z, y];
const mean = (cells) => scaled(cells.reduce(add, [0, 0, 0]), 1 / cells.length).map((v) => v + 0.5);

/** Returns the matrix of a view after a map of the cells. Matrices of the view have columns, the map has rows. */
function moved(view, map) {
  const columns = [[1, 0, 0], [0, 0, -1], [0, 1, 0]].map((cell) => {
    const [x, y, z] = toWorld(map.map((row) => row[0] * cell[0] + row[1] * cell[1] + row[2] * cell[2]));
    return [0, 1, 2].map((row) => view[row] * x + view[4 + row] * y + view[8 + row] * z);
  });
  return [...columns.flatMap((column) => [...column, 0]), 0, 0, 0, 1];
}

const CUBE_VERTEX = `
attribute vec3 at; attribute vec3 normal; attribute vec2 spot; attribute vec4 rim;
uniform mat4 view; uniform vec3 offset;
varying vec2 vSpot; varying vec4 vRim; varying float vLight;
void main() {
  vSpot = spot; vRim = rim;
  vLight = 0.7 + 0.36 * max(0.0, dot(mat3(view[0].xyz, view[1].xyz, view[2].xyz) * normal, vec3(-0.2, 0.68, 0.7)));
  gl_Position = PROJECT(view * vec4(at + offset, 1.0));
}`;
// Rims are dark along the outline of a piece and faint between its own cubes.
const CUBE_FRAGMENT = `
precision mediump float;
uniform vec3 color; uniform vec3 ink; uniform vec2 letter; uniform float hot; uniform sampler2D atlas;
varying vec2 vSpot; varying vec4 vRim; varying float vLight;
void main() {
  vec3 c = color * vLight;
  vec4 gap = vec4(vSpot.x, 1.0 - vSpot.x, vSpot.y, 1.0 - vSpot.y);
  vec4 outline = step(gap, vRim * 0.045);
  vec4 seam = step(gap, vec4(0.018)) * (1.0 - vRim);
  float dark = max(max(outline.x, outline.y), max(outline.z, outline.w));
  float faint = max(max(seam.x, seam.y), max(seam.z, seam.w));
  vec2 spot = (vSpot - 0.2) / 0.6;
  if (spot.x > 0.0 && spot.x < 1.0 && spot.y > 0.0 && spot.y < 1.0) {
    c = mix(c, ink, 0.8 * texture2D(atlas, (letter + vec2(spot.x, 1.0 - spot.y)) / 8.0).a);
  }
  c = mix(c, c * 0.75, faint);
  c = mix(c, mix(c * 0.35, vec3(1.0), hot), dark);
  gl_FragColor = vec4(c, 1.0);
}`;
const LINE_VERTEX = `
attribute vec3 at; uniform mat4 view;
void main() { gl_Position = PROJECT(view * vec4(at, 1.0)); }`;
const LINE_FRAGMENT = `
precision mediump float; uniform vec4 color;
void main() { gl_FragColor = vec4(color.rgb * color.a, color.a); }`;

class Scene {
  /** Creates a scene on a canvas. `ready` is false without WebGL. */
  constructor(canvas) {
    this.canvas = canvas;
    this.explode = 0;
    this.placed = [];
    this.hidden = new Set();
    // Axes and mirrors: lines and areas about the center.
    this.overlay = null;
    // A map of the cells about the center, as a matrix of three rows: a symmetry on its way.
    this.motion = null;
    this.front = 0;
    this.home();
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => this.start());
    this.start();
  }

  /** Chooses the first view of a figure: from the upper corner that shows the most cells. */
  face(cells) {
    this.front = [0, Math.PI / 2, -Math.PI / 2, Math.PI][bestView(cells)];
    this.home();
  }

  home() {
    this.yaw = this.front - 0.6;
    this.pitch = 0.5;
    this.zoom = 1;
    this.redraw();
  }

  turn(yaw, pitch) {
    this.yaw += yaw;
    this.pitch = Math.min(1.57, Math.max(-1.57, this.pitch + pitch));
    this.redraw();
  }

  magnify(factor) {
    this.zoom = Math.min(6, Math.max(0.3, this.zoom * factor));
    this.redraw();
  }

  start() {
    const gl = this.canvas.getContext("webgl", { antialias: true, premultipliedAlpha: true });
    this.ready = Boolean(gl);
    if (!gl) return;
    this.gl = gl;
    this.meshes = new Map();
    this.letters = new Map();
    this.cubes = this.program(CUBE_VERTEX, CUBE_FRAGMENT);
    this.lines = this.program(LINE_VERTEX, LINE_FRAGMENT);
    this.lineBuffer = gl.createBuffer();
    this.atlas = gl.createTexture();
    this.sheet = document.createElement("canvas");
    this.sheet.width = this.sheet.height = 512;
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.redraw();
  }

  program(vertex, fragment) {
    const gl = this.gl;
    const program = gl.createProgram();
    // A plain perspective: lens has the focal lengths, the distance of the eye and half the depth.
    const project = `uniform vec4 lens;
vec4 PROJECT(vec4 p) {
  float d = lens.z - p.z, near = lens.z - lens.w, far = lens.z + lens.w;
  return vec4(p.x * lens.x, p.y * lens.y, (d * (far + near) - 2.0 * far * near) / (far - near), d);
}
`;
    for (const [kind, source] of [[gl.VERTEX_SHADER, project + vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
      throw new Error(gl.getProgramInfoLog(program));
    }
    return program;
  }

  /** Shows pieces in place within the cells of a figure, the last of them marked if `hot`. */
  show(cells, placed, { hot = false, ghost = true } = {}) {
    if (cells !== this.cells) {
      this.cells = cells;
      this.center = mean(cells);
      const reach = (cell) => Math.hypot(...cell.map((v, axis) => Math.abs(v + 0.5 - this.center[axis]) + 0.5));
      this.radius = cells.reduce((most, cell) => Math.max(most, reach(cell)), 1);
      for (const mesh of this.meshes?.values() ?? []) this.gl.deleteBuffer(mesh.buffer);
      this.meshes?.clear();
    }
    Object.assign(this, { placed, hot, ghost });
    this.redraw();
  }

  redraw() {
    if (this.asked || !this.gl) return;
    this.asked = requestAnimationFrame(() => {
      this.asked = 0;
      this.draw();
    });
  }

  /** Returns the triangles of a piece, cached because a search places the same pieces repeatedly. */
  mesh({ cells }) {
    const key = cells.join(" ");
    const known = this.meshes.get(key);
    if (known) return known;
    const own = new Set(cells.map(String));
    const has = (cell) => own.has(String(cell));
    const data = [];
    for (const cell of cells) {
      for (const { normal, up } of FACES) {
        if (has(add(cell, normal))) continue;
        // Cells are right-handed, so up × normal points right for a viewer of the face.
        const right = cross(up, normal);
        const joined = (side) => has(add(cell, side)) && !has(add(add(cell, side), normal));
        const rim = [scaled(right, -1), right, scaled(up, -1), up].map((side) => (joined(side) ? 0 : 1));
        const middle = add(add(cell, [0.5, 0.5, 0.5]), scaled(normal, 0.5));
        const corner = (u, v) => [
          ...toWorld(add(add(middle, scaled(right, u - 0.5)), scaled(up, v - 0.5)).map((w, axis) => w - this.center[axis])),
          ...toWorld(normal), u, v, ...rim,
        ];
        for (const [u, v] of [[0, 0], [1, 0], [1, 1], [0, 0], [1, 1], [0, 1]]) data.push(...corner(u, v));
      }
    }
    const gl = this.gl;
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(data), gl.STATIC_DRAW);
    const away = toWorld(mean(cells).map((v, axis) => v - this.center[axis]));
    const made = { buffer, count: data.length / 12, away };
    this.meshes.set(key, made);
    return made;
  }

  /** Returns the position of a piece's letter on the sheet of eight by eight letters. */
  letter(text) {
    const known = this.letters.get(text);
    if (known) return known;
    const slot = this.letters.size % 64;
    const place = [slot % 8, Math.floor(slot / 8)];
    const pen = this.sheet.getContext("2d");
    pen.clearRect(place[0] * 64, place[1] * 64, 64, 64);
    pen.font = `600 ${text.length > 1 ? 36 : 52}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(text, place[0] * 64 + 32, place[1] * 64 + 35);
    const gl = this.gl;
    gl.bindTexture(gl.TEXTURE_2D, this.atlas);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, this.sheet);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    gl.generateMipmap(gl.TEXTURE_2D);
    this.letters.set(text, place);
    return place;
  }

  /** Returns the edges of the free cells. */
  freeEdges() {
    const filled = new Set(this.placed.flatMap(({ cells }) => cells.map(String)));
    const edges = new Map();
    for (const cell of this.cells) {
      if (filled.has(String(cell))) continue;
      for (let axis = 0; axis < 3; axis++) {
        for (let corner = 0; corner < 4; corner++) {
          const from = [...cell];
          from[(axis + 1) % 3] += corner & 1;
          from[(axis + 2) % 3] += corner >> 1;
          edges.set(`${axis} ${from}`, [from, add(from, [0, 1, 2].map((a) => Number(a === axis)))]);
        }
      }
    }
    return [...edges.values()].flatMap((ends) => ends.flatMap(
      (end) => toWorld(end.map((v, axis) => v - this.center[axis]))));
  }

  /** Returns the matrix of the view, and the focal lengths with the distance of the eye and half the depth. */
  camera(width, height) {
    // Turned about the upright axis, then towards the viewer.
    const [cy, sy, cp, sp] = [Math.cos(this.yaw), Math.sin(this.yaw), Math.cos(this.pitch), Math.sin(this.pitch)];
    const view = [cy, sp * sy, -cp * sy, 0, 0, cp, sp, 0, sy, -sp * cy, cp * cy, 0, 0, 0, 0, 1];
    const reach = this.radius * (1 + 0.8 * this.explode) * (this.overlay ? 1.45 : 1);
    const distance = 3.6 * reach;
    // At the figure's center, `reach` just fills the smaller side of the canvas.
    const fit = (distance * 0.93 * this.zoom) / reach;
    const aspect = width / height;
    return { view, lens: [aspect > 1 ? fit / aspect : fit, aspect > 1 ? fit : fit * aspect, distance, 1.8 * reach] };
  }

  /** Returns the centers of cells on the screen and the size of a cell there, if the point is on the canvas. */
  spots(x, y, cells) {
    const { left, top, right, bottom, width, height } = this.canvas.getBoundingClientRect();
    if (x < left || x > right || y < top || y > bottom) return null;
    const { view, lens } = this.camera(width, height);
    const spots = cells.map((cell) => {
      const at = toWorld(cell.map((v, axis) => v + 0.5 - this.center[axis]));
      const [across, up, near] = [0, 1, 2].map((row) => at.reduce((sum, v, axis) => sum + v * view[4 * axis + row], 0));
      const depth = lens[2] - near;
      return [left + (1 + across * lens[0] / depth) * width / 2, top + (1 - up * lens[1] / depth) * height / 2];
    });
    return { spots, unit: lens[0] / lens[2] * width / 2 };
  }

  draw() {
    const { gl, canvas } = this;
    if (!this.cells || gl.isContextLost()) return;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((v) => Math.max(1, Math.round(v * ratio)));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);

    const { view, lens } = this.camera(width, height);
    const use = (program) => {
      gl.useProgram(program);
      gl.uniformMatrix4fv(gl.getUniformLocation(program, "view"), false, view);
      gl.uniform4fv(gl.getUniformLocation(program, "lens"), lens);
      return (name) => gl.getUniformLocation(program, name);
    };

    let at = use(this.cubes);
    if (this.motion) gl.uniformMatrix4fv(at("view"), false, moved(view, this.motion));
    const attribute = (program, name, size, stride, offset) => {
      const location = gl.getAttribLocation(program, name);
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, size, gl.FLOAT, false, 4 * stride, 4 * offset);
    };
    this.placed.forEach((piece, index) => {
      if (this.hidden.has(piece.key)) return;
      const { buffer, count, away } = this.mesh(piece);
      const color = rgb(piece.color || pieceColor(piece.piece));
      const letter = this.letter(piece.key);
      gl.bindTexture(gl.TEXTURE_2D, this.atlas);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      attribute(this.cubes, "at", 3, 12, 0);
      attribute(this.cubes, "normal", 3, 12, 3);
      attribute(this.cubes, "spot", 2, 12, 6);
      attribute(this.cubes, "rim", 4, 12, 8);
      gl.uniform3fv(at("offset"), scaled(away, this.explode));
      gl.uniform3fv(at("color"), color);
      gl.uniform3fv(at("ink"), isLight(color) ? [0.08, 0.08, 0.1] : [1, 1, 1]);
      gl.uniform2fv(at("letter"), letter);
      gl.uniform1f(at("hot"), this.hot && index === this.placed.length - 1 ? 1 : 0);
      gl.drawArrays(gl.TRIANGLES, 0, count);
    });

    const edges = this.ghost && this.explode === 0 ? this.freeEdges() : [];
    if (edges.length) {
      at = use(this.lines);
      for (let n = 0; n < 4; n++) gl.disableVertexAttribArray(n);
      gl.bindBuffer(gl.ARRAY_BUFFER, this.lineBuffer);
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(edges), gl.DYNAMIC_DRAW);
      attribute(this.lines, "at", 3, 3, 0);
      gl.uniform4fv(at("color"), [0.5, 0.5, 0.52, 0.65]);
      gl.drawArrays(gl.LINES, 0, edges.length / 3);
    }
    if (this.overlay) this.drawOverlay(use(this.lines), attribute);
  }

  /** Draws axes as thin crosses of two ribbons, and mirrors as transparent areas. */
  drawOverlay(at, attribute) {
    const gl = this.gl;
    for (let n = 0; n < 4; n++) gl.disableVertexAttribArray(n);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.lineBuffer);
    const fill = (points, color, alpha) => {
      const [a, b, c, d] = points.map(toWorld);
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([a, b, c, a, c, d].flat()), gl.DYNAMIC_DRAW);
      attribute(this.lines, "at", 3, 3, 0);
      gl.uniform4fv(at("color"), [...rgb(color), alpha]);
      gl.drawArrays(gl.TRIANGLES, 0, 6);
    };
    for (const { color, points: [from, to] } of this.overlay.lines) {
      const along = add(to, scaled(from, -1));
      const side = cross(along, along[0] || along[1] ? [0, 0, 1] : [1, 0, 0]);
      for (const across of [side, cross(along, side)]) {
        const wide = scaled(across, 0.05 / Math.hypot(...across));
        fill([add(from, wide), add(to, wide), add(to, scaled(wide, -1)), add(from, scaled(wide, -1))], color, 1);
      }
    }
    gl.depthMask(false);
    const { areas } = this.overlay;
    for (const { color, points } of areas) fill(points, color, Math.min(0.35, 0.6 / Math.sqrt(areas.length) / 2));
    gl.depthMask(true);
  }
}
