// Opens exported pages in headless Firefox, at three widths, light and dark, and looks at the pictures.
//
//   node firefox.mjs GALLERY PAGE
//
// FIREFOX is the program. Screenshots go to the folder that SCREENSHOTS names. Firefox is driven by Marionette, a protocol of
// its own, because Playwright drives only a Firefox that it has patched. A window cannot be as narrow as a phone, so each
// page is in a frame of the wanted size, whose color scheme it takes over.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const [gallery, page] = process.argv.slice(2);
assert(page, "which pages?  node firefox.mjs GALLERY PAGE");
const screenshots = process.env.SCREENSHOTS;
if (screenshots) mkdirSync(screenshots, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "somacat-firefox-"));

/** Waits until `known` has a value. */
async function until(known, what) {
  for (let n = 0; n < 600; n++) {
    const value = await known();
    if (value) return value;
    await pause(100);
  }
  throw new Error(`in Firefox, ${what} did not come within a minute`);
}

/** Marionette: each message is its length, a colon, and JSON. A request has 0 and a number, its answer 1 and the same. */
class Marionette {
  constructor(socket) {
    this.waiting = new Map();
    this.number = 0;
    this.socket = socket;
    let rest = Buffer.alloc(0);
    socket.on("data", (data) => {
      rest = Buffer.concat([rest, data]);
      for (let colon = rest.indexOf(":"); colon > 0; colon = rest.indexOf(":")) {
        const end = colon + 1 + Number(rest.subarray(0, colon));
        if (rest.length < end) break;
        this.take(JSON.parse(rest.subarray(colon + 1, end)));
        rest = rest.subarray(end);
      }
    });
  }

  take(message) {
    // The first message is a greeting.
    if (!Array.isArray(message)) return;
    const [, number, error, result] = message;
    const { done, failed } = this.waiting.get(number) ?? {};
    this.waiting.delete(number);
    if (error) failed?.(new Error(`Firefox: ${error.message}`));
    else done?.(result?.value);
  }

  ask(command, parameters = {}) {
    const text = JSON.stringify([0, ++this.number, `WebDriver:${command}`, parameters]);
    this.socket.write(`${Buffer.byteLength(text)}:${text}`);
    return new Promise((done, failed) => this.waiting.set(this.number, { done, failed }));
  }

  run(script, ...args) {
    return this.ask("ExecuteScript", { script, args });
  }
}

// A profile that opens nothing by itself. The browser chooses the port.
const profile = join(folder, "profile");
mkdirSync(profile);
writeFileSync(join(profile, "user.js"), [
  ["marionette.port", 0], ["browser.shell.checkDefaultBrowser", false], ["datareporting.policy.dataSubmissionEnabled", false],
  ["app.update.disabledForTesting", true], ["toolkit.telemetry.enabled", false],
].map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(""));
const browser = spawn(process.env.FIREFOX, ["--headless", "--marionette", "--no-remote", "--profile", profile, "about:blank"], { stdio: "ignore" });
const port = await until(() => existsSync(join(profile, "MarionetteActivePort")) && Number(readFileSync(join(profile, "MarionetteActivePort"), "utf8")), "the browser");
const firefox = new Marionette(connect(port, "127.0.0.1"));

/** What each page shows, and how to get there: what is clicked, and what is true then. The next visit finds nothing kept. */
const PAGES = [
  ["start", join(gallery, "index.html"), [], "document.querySelectorAll('#rows .card canvas').length > 2 && document.querySelector('#today-title').textContent"],
  ["figure", join(gallery, "figures/s1-3x3x3-zzzzz3.html"), ["#solve"], "document.querySelector('#at').textContent === '7 of 7'"],
  ["page", page, ["#keep", "#examples"], "/^13 figures, 12 of them different: 11 can be built, 2 cannot\\.$/.test(document.querySelector('#status').textContent)"],
];

/** Returns what a picture has: its size, how many colors, and its brightness from 0 to 1. */
const looked = (png) => firefox.ask("ExecuteAsyncScript", {
  args: [`data:image/png;base64,${png}`],
  script: `const [url, done] = arguments;
    const picture = new Image();
    picture.onload = () => {
      const canvas = Object.assign(document.createElement("canvas"), { width: picture.width, height: picture.height });
      const context = canvas.getContext("2d");
      context.drawImage(picture, 0, 0);
      const points = new Uint32Array(context.getImageData(0, 0, picture.width, picture.height).data.buffer);
      let sum = 0;
      for (const point of points) sum += (point & 255) + (point >> 8 & 255) + (point >> 16 & 255);
      done({ width: picture.width, height: picture.height, colors: new Set(points).size, light: sum / points.length / 765 });
    };
    picture.src = url;`,
});

async function look([name, path, clicks, ready], width, scheme) {
  const height = width === 390 ? 844 : 900;
  const frame = join(folder, "frame.html");
  writeFileSync(frame, `<!doctype html><title>frame</title><style>body { margin: 0 } iframe { border: 0; width: ${width}px; height: ${height}px; color-scheme: ${scheme} }</style><iframe src="${pathToFileURL(resolve(path))}"></iframe>`);
  await firefox.ask("Navigate", { url: pathToFileURL(frame).href });
  await firefox.ask("SwitchToFrame", { id: 0 });
  const what = `${name} of ${width} pixels, ${scheme}`;
  assert.deepEqual(await firefox.run(`return [innerWidth, matchMedia("(prefers-color-scheme: dark)").matches]`), [width, scheme === "dark"], what);
  for (const click of clicks) await until(() => firefox.run(`const one = document.querySelector("${click}:not([hidden])"); one?.click(); return Boolean(one);`), what);
  await until(() => firefox.run(`return Boolean(${ready})`), what);
  assert(await firefox.run("return document.documentElement.scrollWidth") <= width, `${what} scrolls sideways`);
  // Thumbnails and the 3D view are drawn before the next picture.
  await firefox.ask("ExecuteAsyncScript", { script: "const [done] = arguments; requestAnimationFrame(() => requestAnimationFrame(done));", args: [] });
  await firefox.ask("SwitchToParentFrame");
  const element = await firefox.ask("FindElement", { using: "css selector", value: "iframe" });
  const png = await firefox.ask("TakeScreenshot", { id: Object.values(element)[0], full: false });
  if (screenshots) writeFileSync(join(screenshots, `firefox-${name}-${width}-${scheme}.png`), Buffer.from(png, "base64"));
  const seen = await looked(png);
  assert.deepEqual([seen.width, seen.height], [width, height], what);
  assert(seen.colors > 1000, `${what} has ${seen.colors} colors`);
  assert(scheme === "dark" ? seen.light < 0.4 : seen.light > 0.6, `${what} has a brightness of ${seen.light}`);
}

try {
  await firefox.ask("NewSession");
  await firefox.ask("SetWindowRect", { width: 1500, height: 1200 });
  for (const shown of PAGES) {
    for (const width of [390, 800, 1440]) {
      for (const scheme of ["light", "dark"]) await look(shown, width, scheme);
    }
    console.log(`ok ${shown[0]} in Firefox`);
  }
} finally {
  const ended = new Promise((done) => browser.once("exit", done));
  browser.kill();
  await ended;
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
