// Drives an exported gallery and newsletter in headless Chromium: filters, opens a figure, turns it,
// steps, goes to a line, hides a piece, plays a trace; and checks that nothing is fetched.
//
//   node gallery.mjs GALLERY [NEWSLETTER [TRACED [SCREENSHOTS]]]
//
// GALLERY and NEWSLETTER are folders that somacat exported from the starter catalog, TRACED is a gallery
// of the 6-fold figures with --trace 200. Chromium is looked for at /usr/bin/chromium, or where CHROMIUM says.
import assert from "node:assert/strict";
import { writeFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [gallery, newsletter, traced, screenshots] = process.argv.slice(2);
assert(gallery, "which folder?  node gallery.mjs GALLERY [NEWSLETTER [TRACED [SCREENSHOTS]]]");
const address = (folder, page) => pathToFileURL(resolve(folder, page)).href;
if (screenshots) mkdirSync(screenshots, { recursive: true });

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: [
    "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
  ],
});

const troubles = [];

async function open(address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) troubles.push(`fetched ${request.url()}`);
  });
  page.on("console", (message) => {
    if (message.type() === "error") troubles.push(message.text());
  });
  await page.goto(address);
  return page;
}

async function shot(page, name, options = {}) {
  if (screenshots) await page.screenshot({ path: join(screenshots, `${name}.png`), ...options });
}

/** The 3D view as an image, once it has been drawn again. */
async function view(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return (await page.locator("#stage").screenshot()).toString("base64");
}

const text = (page, selector) => page.locator(selector).innerText();

async function filters() {
  const page = await open(address(gallery, "index.html"));
  assert.match(await text(page, "#status"), /^45 of 45 figures/);
  // Thumbnails are drawn when they are seen: those far below are still blank.
  await page.waitForFunction(() => document.querySelector("#grid canvas").width > 300 || document.querySelector("#grid canvas").height !== 150);
  const drawn = await page.locator("#grid canvas").evaluateAll((all) => all.filter((one) => one.height !== 150).length);
  assert(drawn > 0 && drawn < 45, `${drawn} thumbnails drawn`);
  await shot(page, "index");
  const names = () => page.locator("#grid strong").allInnerTexts();
  await page.getByLabel("Name or signature").fill("TOWER");
  assert.deepEqual(await names(), ["tower"]);
  await page.getByLabel("Name or signature").fill("SOMA-*");
  // Other names count as well: tower is also SOMA-tower-1.
  assert((await names()).includes("tower"));
  assert((await page.locator("#grid a").allInnerTexts()).every((card) => card.includes("SOMA-")));
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.waitForFunction(() => document.querySelector("#status").textContent.startsWith("45 of"));
  await page.getByLabel("Fold: element of order").selectOption("6");
  assert.match(await text(page, "#status"), /^22 of 45/);
  await page.getByLabel("Verdict").selectOption("counted");
  assert.deepEqual(await names(), ["cube"]);
  await page.getByLabel("Fold: element of order").selectOption("");
  await page.getByLabel("Piece set").selectOption("SOMA");
  await page.getByLabel("Sort by").selectOption("count-down");
  assert.deepEqual((await names()).slice(0, 3), ["crystal", "SOMA-building-2", "tower"]);
  await page.getByLabel("count from").fill("200");
  await page.getByLabel("count to").fill("1000");
  assert.deepEqual(await names(), ["tower", "cube"]);
  await page.getByLabel("Class").selectOption("Oh");
  assert.deepEqual(await names(), ["cube"]);
  // Opened by keyboard; going back finds the filters as they were.
  await page.locator("#grid a").focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector("#stage");
  assert.equal(await text(page, "h1"), "cube");
  await page.locator("#back").click();
  await page.waitForSelector("#grid a");
  assert.deepEqual(await names(), ["cube"]);
  await page.getByLabel("Name or signature").fill("nobody");
  assert.match(await text(page, "#status"), /^None of 45 figures matches/);
  await page.context().close();
}

async function figure() {
  const page = await open(address(gallery, "figures/s1-3x3x3-zzzzz3.html"));
  assert(await page.locator("#missing").isHidden(), "no WebGL in this browser");
  const first = await view(page);
  await shot(page, "figure", { fullPage: true });

  // Turned by keyboard, by mouse, and back.
  await page.locator("#stage").focus();
  const calm = await view(page);
  await page.keyboard.press("ArrowLeft");
  const turned = await view(page);
  assert.notEqual(turned, calm);
  await page.keyboard.press("0");
  assert.equal(await view(page), calm);
  await page.mouse.move(300, 300);
  await page.mouse.down();
  await page.mouse.move(420, 340, { steps: 4 });
  await page.mouse.up();
  assert.notEqual(await view(page), calm);
  await page.getByRole("button", { name: "Reset the view" }).click();
  assert.equal(await view(page), first);

  await page.getByLabel("Explode").fill("60");
  assert.notEqual(await view(page), first);
  await shot(page, "exploded");
  await page.getByLabel("Explode").fill("0");
  await page.getByLabel("T", { exact: true }).uncheck();
  assert.notEqual(await view(page), first);
  await page.getByLabel("T", { exact: true }).check();
  assert.equal(await view(page), first);

  // Steps, with the layers as text beside.
  const at = () => text(page, "#at");
  const free = async () => (await text(page, "#layers")).replace(/[^*]/g, "").length;
  assert.equal(await at(), "7 of 7");
  await page.getByRole("button", { name: "Previous" }).click();
  assert.equal(await at(), "6 of 7");
  assert([3, 4].includes(await free()));
  await page.getByLabel("Go to line").fill("2");
  await page.keyboard.press("Enter");
  assert.equal(await at(), "2 of 7");
  assert([19, 20].includes(await free()));
  await shot(page, "step");
  await page.getByRole("button", { name: "Next" }).click();
  assert.equal(await at(), "3 of 7");
  await page.getByRole("slider", { name: "Step" }).fill("0");
  assert.equal(await free(), 27);
  await page.getByLabel("Speed").selectOption("20");
  await page.getByRole("button", { name: "Play" }).click();
  await page.waitForFunction(() => document.querySelector("#at").textContent === "7 of 7");
  await page.waitForSelector("#play:has-text('Play')");
  assert.equal(await free(), 0);
  assert.equal(await view(page), first);
  await page.context().close();
}

/** A trace of four steps in a row of seven cells, the last of which is filled before: the second
 * piece is taken back once. */
const TRACE = {
  name: "row", set: "a set", cells: [0, 1, 2, 3, 4, 5, 6].map((x) => [x, 0, 0]), complete: true, packings: 1,
  placed: [{ piece: "D", cells: [6] }],
  steps: [
    { n: 1, depth: 0, piece: "D", cells: [0, 1], solved: false },
    { n: 2, depth: 1, piece: "Q", cells: [2, 3, 4, 5], solved: false },
    { n: 3, depth: 0, piece: "Q", cells: [0, 1, 2, 3], solved: false },
    { n: 4, depth: 1, piece: "D", cells: [4, 5], solved: true },
  ],
};

async function trace() {
  const page = await open(address(gallery, "figures/s1-3x3x3-zzzzz3.html"));
  const folder = mkdtempSync(join(tmpdir(), "somacat-"));
  const file = (name, content) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  try {
    await page.locator("#trace").setInputFiles(file("trace.json", JSON.stringify(TRACE)));
    await page.waitForFunction(() => document.querySelector("#at").textContent === "0 of 4");
    const states = [];
    for (let step = 1; step <= 4; step++) {
      await page.getByRole("button", { name: "Next" }).click();
      states.push(await text(page, "#layers"));
    }
    assert.deepEqual(states, ["/dd****D", "/ddQQQQD", "/QQQQ**D", "/QQQQddD"]);
    assert.match(await text(page, "#told"), /a packing/);
    await page.getByLabel("Go to line").fill("3");
    await page.getByRole("button", { name: "Go", exact: true }).click();
    assert.equal(await text(page, "#layers"), "/QQQQ**D");
    assert.match(await text(page, "#told"), /2 pieces taken back, Q placed/);
    await shot(page, "trace");
    // Back to the packing; and files that are no traces change nothing.
    await page.getByLabel("Show").selectOption({ index: 0 });
    assert.equal(await text(page, "#at"), "7 of 7");
    const bad = { ...TRACE, steps: [{ n: 1, depth: 1, piece: "<b>", cells: [0] }] };
    for (const [name, content] of [["bad.json", JSON.stringify(bad)], ["no.json", "hello"]]) {
      await page.locator("#trace").setInputFiles(file(name, content));
      await page.waitForFunction((start) => document.querySelector("#trouble").textContent.startsWith(start), `${name}: This file is no trace`);
      assert.equal(await text(page, "#at"), "7 of 7");
    }
    // Also where nothing can be built.
    await page.goto(address(gallery, "figures/s1-5x5x5-000400awe026ec80e7a004000.html"));
    assert(await page.locator("#player").isHidden());
    await page.locator("#trace").setInputFiles(join(folder, "trace.json"));
    await page.getByRole("button", { name: "Next" }).click();
    assert.equal(await text(page, "#layers"), "/dd****D");
  } finally {
    rmSync(folder, { recursive: true });
  }
  await page.context().close();
}

/** Traces that the pages hold themselves, beside a packing and alone. */
async function held() {
  if (!traced) return;
  const page = await open(address(traced, "figures/s1-3x3x3-zzzzz3.html"));
  assert.equal(await text(page, "#at"), "7 of 7");
  const choices = await page.getByLabel("Show").locator("option").allInnerTexts();
  assert.equal(choices.length, 2);
  assert.match(choices[1], /^Trace of a search for cube with SOMA: 200 placements, \d+ packings? found, stopped early$/);
  await page.getByLabel("Show").selectOption({ index: 1 });
  assert.equal(await text(page, "#at"), "0 of 200");
  await page.getByRole("button", { name: "Next" }).click();
  assert.match(await text(page, "#told"), /^Step 1: . placed, 1 in place\.$/);
  await page.getByLabel("Go to line").fill("150");
  await page.getByRole("button", { name: "Go", exact: true }).click();
  assert.equal(await text(page, "#at"), "150 of 200");
  await shot(page, "held-trace");
  // A search that ends without a packing is held whole.
  await page.goto(address(traced, "figures/s1-5x5x5-000400cf402eee804y6004000.html"));
  const whole = await page.locator("#track option").first().textContent();
  const [, length] = whole.match(/^Trace of a search for .* with SOMA: (\d+) placements, 0 packings found$/);
  assert.equal(await text(page, "#at"), `0 of ${length}`);
  await page.getByRole("button", { name: "Next" }).click();
  assert.equal(await text(page, "#at"), `1 of ${length}`);
  await page.context().close();
}

const PHONE = { viewport: { width: 390, height: 800 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true, colorScheme: "dark" };

/** No page is wider than a phone. */
async function phone() {
  const pages = [[gallery, "index.html"], [gallery, "figures/s1-3x3x3-zzzzz3.html"]];
  if (newsletter) pages.push([newsletter, "newsletter.html"]);
  for (const [folder, name] of pages) {
    const page = await open(address(folder, name), PHONE);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert(width <= 390, `${name} is ${width} pixels wide on a phone`);
    await shot(page, `phone-${name.replace(/\W+/g, "-")}`);
    await page.context().close();
  }
  if (newsletter && screenshots) {
    const page = await open(address(newsletter, "newsletter.html"));
    await shot(page, "newsletter");
    await page.pdf({ path: join(screenshots, "newsletter.pdf"), format: "A4" });
    await page.context().close();
  }
}

try {
  for (const test of [filters, figure, trace, held, phone]) {
    await test();
    console.log(`ok ${test.name}`);
  }
  assert.deepEqual(troubles, []);
} finally {
  await browser.close();
}
