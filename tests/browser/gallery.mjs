// Drives an exported gallery in headless Chromium: shelves, filters, hints, solutions, steps, axes, searches, the
// recognizer; without WebGL, without scripts, on paper and on a phone; and checks that nothing is fetched.
//
//   node gallery.mjs PROGRAM GALLERY TRACED
//
// GALLERY was exported from the starter catalog, somacat.db in this folder, with --solutions 300; TRACED holds the 6-fold
// figures with --steps 200. Screenshots go to the folder that SCREENSHOTS names. PICTURE is the picture of the gallery in
// the README: it must show what the gallery shows, and is replaced if RENEW is set.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accessible, address, fewControls, open, run, shot, text } from "./lib.mjs";
import { commented, difference, withComment } from "./png.mjs";

const [program, gallery, traced] = process.argv.slice(2);
assert(traced, "which folders?  node gallery.mjs PROGRAM GALLERY TRACED");
const CUBE = "figures/s1-3x3x3-zzzzz3.html";
const CROSS = "figures/s1-5x5x5-000400awe026ec80e7a004000.html";

/** The 3D view as an image, without what is around it. */
const view = (page) => page.evaluate(() => {
  scene.draw();
  return scene.canvas.toDataURL();
});

/** Opens the first page as it is on a day, and without its figure turning. */
async function openIndex(folder, options = {}) {
  const page = await open("about:blank", { reducedMotion: "reduce", ...options });
  await page.clock.setFixedTime(new Date("2027-05-01T12:00:00Z"));
  await page.goto(address(folder, "index.html"));
  return page;
}

async function filters() {
  const page = await openIndex(gallery);
  assert.equal(await text(page, "#status"), "46 figures, of which 19 can be built. Solutions stay hidden until you ask.");
  // The first view: a row of each shelf with something that no row above has. A row of one or two joins its neighbor.
  assert.deepEqual(await page.locator("#rows h2").allInnerTexts(), ["Good to begin with", "Named figures", "Most symmetric and hardest"]);
  const row = (label) => page.locator("#rows section").filter({ has: page.getByRole("heading", { name: label }) }).locator("strong").allInnerTexts();
  assert.deepEqual(await row("Good to begin with"), ["crystal", "SOMA-building-2", "tower", "SOMA-building", "disjoint"]);
  assert.deepEqual((await row("Named figures")).slice(0, 3), ["cube", "gallows", "monument"]);
  assert.equal((await row("Most symmetric"))[0], "SOMA16aSymmetryDouble");
  const sizes = await page.locator("#rows ul").evaluateAll((all) => all.map((one) => one.children.length));
  assert(sizes.every((size) => size > 2 && size < 7), `rows of ${sizes}`);
  const inRows = await page.locator("#rows strong").allInnerTexts();
  assert.equal(new Set(inRows).size, inRows.length, "a figure is shown twice");
  // A card has two lines below its picture.
  assert.deepEqual((await page.locator("#rows .card").nth(2).innerText()).split("\n"), ["tower", "760 ways · ★"]);
  assert.deepEqual(await page.locator("#rows .card").evaluateAll((all) => all.filter((card) => card.children.length !== 3).length), 0);
  assert.deepEqual(await page.locator("#rows .stars").nth(1).evaluate((one) => [one.ariaLabel, one.textContent]), ["difficulty 2 of 5", "★★"]);
  // Thumbnails are drawn when they are seen: those far below are still blank.
  await page.waitForFunction(() => document.querySelector("#rows canvas").height !== 150);
  const drawn = await page.locator("#rows canvas").evaluateAll((all) => all.filter((one) => one.height !== 150).length);
  assert(drawn > 0 && drawn < await page.locator("#rows canvas").count(), `${drawn} thumbnails drawn`);
  await shot(page, "index");
  const names = () => page.locator("#grid strong").allInnerTexts();
  await page.getByRole("button", { name: "See 24 of 25: Named figures" }).click();
  assert.match(page.url(), /shelf=named/);
  assert.equal((await names()).length, 24);
  assert(await page.locator("#today-box").isHidden(), "the figure of the day is above what was asked for");
  await page.getByRole("button", { name: "Back to the shelves" }).click();
  assert.equal((await row("Named figures")).length, 6);
  await page.getByRole("button", { name: "See all 46 figures" }).click();
  assert.match(await text(page, "#status"), /^46 of 46 figures/);
  // Named figures that can be built come first; shelves and a random figure.
  assert.deepEqual((await names()).slice(0, 3), ["crystal", "cube", "disjoint"]);
  assert((await page.locator("#grid a").first().innerText()).includes("1,400 ways"));
  const shelf = async (id) => {
    await page.goto("about:blank");
    await page.goto(`${address(gallery, "index.html")}#shelf=${id}`);
    await page.waitForSelector("#grid a");
  };
  await shelf("one");
  assert.deepEqual(await names(), ["disjoint"]);
  await shelf("most");
  assert.deepEqual((await names()).slice(0, 3), ["crystal", "SOMA-building-2", "tower"]);
  await shelf("symmetric");
  assert.equal((await names())[0], "cube");
  await shelf("double");
  assert((await page.locator("#grid a").allInnerTexts()).every((card) => card.includes("2xSOMA")));
  // Chips hold together; those that hold for no figure are not there.
  await page.locator("#overview").click();
  const chip = (name) => page.locator("#chips").getByRole("button", { name, exact: true });
  assert.deepEqual(await page.locator("#chips [data-chip]").allInnerTexts(), ["Easy", "Hard", "One solution", "Symmetric", "Tall", "Flat", "Cannot be built"]);
  await chip("Tall").click();
  await chip("Easy").click();
  assert.match(page.url(), /show=tall%2Ceasy/);
  assert.deepEqual(await names(), ["crystal", "SOMA-building", "SOMA-building-2", "tower"]);
  await chip("Symmetric").click();
  await chip("Easy").click();
  await chip("Tall").click();
  await chip("One solution").click();
  assert.match(await text(page, "#status"), /^None of 46 figures matches/);
  await chip("Symmetric").click();
  await chip("One solution").click();
  await chip("Cannot be built").click();
  assert.match(await text(page, "#status"), /^27 of 46 figures/);
  await page.locator("#clear").click();
  assert(await page.locator("#today-box").isVisible());
  await page.locator("#random").click();
  await page.waitForSelector("#stage");
  await page.goBack();
  await page.waitForSelector("#rows a");
  await page.locator("#filters-box summary").click();
  const search = page.getByLabel("Name, title or signature");
  await search.fill("oh-27.1");
  assert.deepEqual(await names(), ["cube"]);
  await search.fill("TOWER");
  assert.deepEqual(await names(), ["tower"]);
  await search.fill("somatower 01");
  assert.deepEqual(await names(), ["tower"]);
  await search.fill("SOMA-*");
  // Other names count as well: tower is also SOMA-tower-1.
  assert((await names()).includes("tower"));
  assert((await page.locator("#grid a").allInnerTexts()).every((card) => card.includes("SOMA-")));
  // The search stays in sight.
  await page.mouse.wheel(0, 900);
  await page.waitForFunction(() => window.scrollY > 300);
  assert((await search.boundingBox()).y < 40);
  await page.locator("#clear").click();
  await page.getByRole("button", { name: "See all 46 figures" }).click();
  await page.getByLabel("Fold: element of order").selectOption("6");
  assert.match(await text(page, "#status"), /^22 of 46/);
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
  await page.getByLabel("Class").selectOption("");
  const boxes = await page.getByLabel("Box that it fills").locator("option").allInnerTexts();
  // As many figures in each box as the program finds.
  for (const box of boxes.slice(1)) {
    const [, sides, number] = /^(\d+×\d+×\d+) \((\d+)\)$/.exec(box);
    const found = execFileSync(program, ["query", "--box", sides.replaceAll("×", "x"), "--jsonl"], { encoding: "utf8" });
    assert.equal(new Set(found.trim().split("\n").map((line) => JSON.parse(line).signature)).size, Number(number), box);
  }
  await page.getByLabel("Box that it fills").selectOption("3×3×3");
  assert.deepEqual(await names(), ["cube"]);
  // Opened by keyboard; going back finds the filters as they were.
  await page.locator("#grid a").focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector("#stage");
  assert.equal(await text(page, "h1"), "cube");
  await page.locator("#back").click();
  await page.waitForSelector("#grid a");
  assert.deepEqual(await names(), ["cube"]);
  await page.getByLabel("Name, title or signature").fill("nobody");
  assert.match(await text(page, "#status"), /^None of 46 figures matches/);
  await page.context().close();
}

/** The figure of the day turns until it is touched. The same day has the same figure, the next one another. */
async function today() {
  const page = await open(address(gallery, "index.html"));
  const seen = async () => (await page.locator("#stage").screenshot()).toString("base64");
  await page.waitForSelector("#stage:visible");
  const before = await seen();
  while (await seen() === before);
  await page.locator("#stage").press("0");
  const calm = await seen();
  assert.equal(await seen(), calm);
  await page.context().close();
  const days = [];
  for (const day of ["2027-05-01T01:00:00", "2027-05-01T23:00:00", "2027-05-02T01:00:00"]) {
    const other = await open("about:blank", { reducedMotion: "reduce" });
    await other.clock.setFixedTime(new Date(day));
    await other.goto(address(gallery, "index.html"));
    days.push(await text(other, "#today-title"));
    assert.match(await text(other, "#today-told"), /^[\d,]+\+? ways? to build it/);
    if (days.length === 3) {
      await other.getByRole("link", { name: "Build today’s figure" }).click();
      assert.equal(await text(other, "h1"), days[2]);
    }
    await other.context().close();
  }
  assert.equal(days[0], days[1]);
  assert.notEqual(days[1], days[2]);
}

async function figure() {
  const page = await open(address(gallery, CUBE));
  assert(await page.locator("#missing").isHidden(), "no WebGL in this browser");
  assert(await page.locator("#player").isHidden(), "a solution is shown before anybody asks");
  assert(await page.locator("#step-tools").isHidden() && await page.locator("#trace").isHidden(), "rare controls are in the way");
  await fewControls(page);
  // The first line leads to the answers, to what stars are, and to the symmetry.
  assert.equal(await text(page, ".lead"), "240 ways to build it · medium ★★★☆☆ · very symmetric");
  const leads = await page.locator(".lead a").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
  assert.deepEqual(leads, ["#answers", "../glossary.html#difficulty", "#symmetry"]);
  for (const id of ["#answers", "#symmetry"]) assert(await page.locator(id).isVisible(), id);
  assert(readFileSync(join(gallery, "glossary.html"), "utf8").includes('id="difficulty"'), "no explanation of difficulty");
  // One filled button, one quiet one.
  assert.deepEqual(await page.locator("main .filled:visible").allInnerTexts(), ["Build it"]);
  assert.deepEqual(await page.locator("main .quiet:visible").allInnerTexts(), ["Show a solution"]);
  const plain = await view(page);
  await shot(page, "figure", { fullPage: true });
  await accessible(page, CUBE);

  // The wheel scrolls the page until the view has been touched.
  await page.mouse.move(300, 300);
  await page.mouse.wheel(0, 120);
  await page.waitForFunction(() => window.scrollY > 0);
  assert.equal(await view(page), plain);
  await page.evaluate(() => window.scrollTo(0, 0));

  // Turned by keyboard, by mouse, and back.
  await page.locator("#stage").focus();
  const calm = await view(page);
  await page.keyboard.press("ArrowLeft");
  assert.notEqual(await view(page), calm);
  await page.keyboard.press("0");
  assert.equal(await view(page), calm);
  await page.mouse.wheel(0, 120);
  assert.notEqual(await view(page), calm);
  assert.equal(await page.evaluate(() => window.scrollY), 0);
  await page.mouse.down();
  await page.mouse.move(420, 340, { steps: 4 });
  await page.mouse.up();
  await tools(page);
  await page.getByRole("button", { name: "Reset the view" }).click();
  assert.equal(await view(page), plain);

  // Why: the checkerboard with its argument, and axes and mirrors.
  await page.getByLabel("Checkerboard").check();
  assert.match(await text(page, "#told"), /14 black and 13 white cells differ by 1.*together 1, 3, 5/);
  assert.notEqual(await view(page), plain);
  await shot(page, "checkerboard");
  await page.getByLabel("Checkerboard").uncheck();
  await tools(page);
  await symmetries(page, plain);

  // Hints piece by piece.
  const at = () => text(page, "#at");
  const layers = () => page.locator("#soma").textContent();
  const free = async () => (await layers()).replace(/[^*]/g, "").length;
  await page.getByRole("button", { name: "Show a solution" }).click();
  await page.waitForSelector("#player:not([hidden])");
  assert.equal(await at(), "7 of 7");
  await page.getByRole("slider", { name: "Step" }).fill("1");
  assert.equal(await at(), "1 of 7");
  await fewControls(page);
  // The plans have the piece, turned to the visitor like the picture.
  assert([3, 4].includes(await page.locator("#plans .full").count()));
  assert.equal(await page.locator("#plans .free").count() + await page.locator("#plans .full").count(), 27);
  assert([23, 24].includes(await free()));
  assert.match(await text(page, "#told"), /^[A-Z]: layer \d, row \d, columns? \d.*\. 6 pieces to go\.$/);
  assert.match(await text(page, "#order"), /^Every piece is lowered from above, and what is in place stands after each \(loose pieces, friction 0\.5\)\. SOMAP code [A-Z]+\d\.$/);
  await shot(page, "hint");
  await page.getByRole("button", { name: "Next piece" }).click();
  assert.equal(await at(), "2 of 7");
  await page.getByRole("button", { name: "Take back" }).click();
  await page.getByRole("slider", { name: "Step" }).fill("7");
  assert.equal(await free(), 0);
  const complete = await view(page);
  await tools(page);
  await page.getByLabel("Pull apart").fill("60");
  assert.notEqual(await view(page), complete);
  await shot(page, "exploded");
  await page.getByLabel("Pull apart").fill("0");
  await page.getByLabel("T", { exact: true }).uncheck();
  assert.notEqual(await view(page), complete);
  await page.getByLabel("T", { exact: true }).check();
  assert.equal(await view(page), complete);

  // All unique solutions, each a different one; the address contains the number.
  assert.equal(await text(page, "#of"), "Solution 1 of 240");
  await page.getByRole("button", { name: "Next solution" }).click();
  await page.getByRole("button", { name: "Previous solution" }).click();
  // Without a picture of each, which takes a while.
  const seen = await page.getByRole("button", { name: "Next solution" }).evaluate((next) => {
    const all = new Set([document.querySelector("#soma").textContent]);
    for (; !next.disabled; all.add(document.querySelector("#soma").textContent)) next.click();
    return all.size;
  });
  assert.equal(seen, 240);
  assert(await page.getByRole("button", { name: "Next solution" }).isDisabled());
  await page.getByLabel("Solution", { exact: true }).fill("17");
  await page.getByLabel("Solution", { exact: true }).press("Enter");
  await page.getByRole("slider", { name: "Step" }).fill("3");
  const linked = page.url();
  assert.match(linked, /#solution=17&step=3$/);
  const there = await layers();
  await accessible(page, "a solution");
  await page.getByLabel("Speed").selectOption("20");
  await page.getByRole("button", { name: "Watch" }).click();
  await page.waitForFunction(() => document.querySelector("#at").textContent === "7 of 7");
  await page.waitForSelector("#play:has-text('Watch')");
  const other = await open(linked);
  await other.waitForSelector("#player:not([hidden])");
  assert.equal(await other.locator("#soma").textContent(), there);
  await other.context().close();

  // Downloads.
  await page.getByText("Download", { exact: true }).click();
  const saved = async (name) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#download").getByText(name, { exact: true }).click()]);
    return { name: download.suggestedFilename(), content: readFileSync(await download.path()) };
  };
  assert.deepEqual(await saved("SOMA text"), { name: "cube.soma", content: Buffer.from("/SOMA cube\n/111/111/111\n/111/111/111\n/111/111/111\n") });
  const svg = await saved("SVG picture");
  assert(svg.content.toString().startsWith("<svg xmlns=") && svg.content.toString().endsWith("</svg>"));
  const { name: solidName, content: solid } = await saved("STL for 3D printing");
  assert.equal(solidName, "cube.stl");
  assert.equal(solid.length, 84 + 50 * solid.readUInt32LE(80));
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const copied = async (name) => {
    await page.getByRole("button", { name, exact: true }).click();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  await page.getByText("Share", { exact: true }).click();
  assert.equal(await copied("Copy signature"), "s1-3x3x3-zzzzz3");
  assert.match(await copied("Copy the citation"), /^@misc\{somacat-cube,\n(.*\n)+ {2}version = \{\d\S*\},\n {2}note = \{s1-3x3x3-zzzzz3\}\n\}$/);
  await page.keyboard.press("Escape");
  await page.getByText("Copy as text").click();
  assert.equal(await copied("Copy"), `${(await layers()).trim()}\n`);

  // To the next figure and back.
  await page.getByRole("link", { name: "Next figure" }).click();
  await page.waitForFunction(() => document.querySelector("h1").textContent === "disjoint");
  await page.getByRole("link", { name: "Previous figure" }).click();
  await page.waitForFunction(() => document.querySelector("h1").textContent === "cube");
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
  const page = await open(address(gallery, CUBE));
  await page.getByRole("button", { name: "Show a solution" }).click();
  await page.waitForFunction(() => document.querySelector("#at").textContent === "7 of 7");
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
      await page.getByRole("button", { name: "Next step" }).click();
      states.push(await page.locator("#soma").textContent());
    }
    assert.deepEqual(states, ["/dd****D", "/ddQQQQD", "/QQQQ**D", "/QQQQddD"]);
    assert.match(await text(page, "#told"), /a packing/);
    await tools(page);
    await page.getByLabel("Go to step").fill("3");
    await page.getByRole("button", { name: "Go", exact: true }).click();
    assert.equal(await page.locator("#soma").textContent(), "/QQQQ**D");
    assert.match(await text(page, "#told"), /2 pieces taken back, Q placed/);
    await shot(page, "trace");
    // Back to the packing; and files other than traces change nothing.
    await page.locator("#track").selectOption({ index: 0 });
    assert.equal(await text(page, "#at"), "7 of 7");
    const bad = { ...TRACE, steps: [{ n: 1, depth: 1, piece: "<b>", cells: [0] }] };
    for (const [name, content] of [["bad.json", JSON.stringify(bad)], ["no.json", "hello"]]) {
      await page.locator("#trace").setInputFiles(file(name, content));
      await page.waitForFunction((start) => document.querySelector("#trouble").textContent.startsWith(start), `${name}: This file is not a trace`);
      assert.equal(await text(page, "#at"), "7 of 7");
    }
    // Also where nothing can be built.
    await page.goto(address(gallery, CROSS));
    assert(await page.locator("#player").isHidden());
    assert(await page.locator("#solve").isHidden() && await page.locator("#build").isHidden(), "a solution is offered that is not there");
    await page.locator("#trace").setInputFiles(join(folder, "trace.json"));
    await page.getByRole("button", { name: "Next step" }).click();
    assert.equal(await page.locator("#soma").textContent(), "/dd****D");
  } finally {
    rmSync(folder, { recursive: true });
  }
  await page.context().close();
}

/** Hidden layers, the net with the numbers of the cells, the codes of solutions, and the places of pieces. */
async function inside() {
  const page = await open(address(gallery, CUBE));
  // A column for each piece, once they are near.
  await page.locator("#mathematics").scrollIntoViewIfNeeded();
  const rows = page.locator("#places li");
  await rows.first().waitFor();
  assert.deepEqual(await page.locator("#places h3").allInnerTexts(), Array.from("VLTZABP"));
  const kinds = await rows.evaluateAll((all) => all.map((one) => one.textContent));
  assert(kinds.some((row) => /^T 1: \d+ places, always$/.test(row)), `${kinds}`);
  assert(kinds.some((row) => /^V \d+: \d+ places, never$/.test(row)), `${kinds}`);
  assert.match(await text(page, "#places"), /V must cover two black cells/);
  await page.locator("#places").scrollIntoViewIfNeeded();
  await shot(page, "places");
  await page.getByRole("button", { name: "Show a solution" }).click();
  await page.waitForFunction(() => document.querySelector("#at").textContent === "7 of 7");
  assert.match(await text(page, "#order"), /SOMAP code [BYOURA]{1,2}[0-7]\./);
  await tools(page);
  await page.getByText("The net of the cells").click();
  const numbers = () => page.locator("#net text").allTextContents();
  await page.waitForFunction(() => document.querySelectorAll("#net rect").length === 54);
  assert.equal(new Set(await numbers()).size, 26, "all but the central cell");
  const colors = await page.locator("#net rect").evaluateAll((all) => new Set(all.map((one) => one.getAttribute("fill"))).size);
  assert.equal(colors, 7);
  await page.getByLabel("top", { exact: true }).uncheck();
  assert((await numbers()).includes("13"), "the central cell");
  assert.equal(await page.locator("#net rect").count(), 2 * 9 + 4 * 6);
  await shot(page, "net");
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "SVG of the net" }).click();
  assert.match((await saved).suggestedFilename(), /-net\.svg$/);
  // Another solution shows all layers.
  await page.getByRole("button", { name: "Next solution" }).click();
  assert.equal(await page.locator("#net rect").count(), 54);
  await page.context().close();
}

/** Searches that the pages contain, with and without solutions. */
async function held() {
  const page = await open(address(traced, CUBE));
  await page.getByRole("button", { name: "Show a solution" }).click();
  await page.waitForFunction(() => document.querySelector("#at").textContent === "7 of 7");
  await tools(page);
  const choices = await page.locator("#track").locator("option").allInnerTexts();
  assert.equal(choices.length, 2);
  assert.match(choices[1], /^Search for cube with SOMA: 200 placements, \d+ solutions? found, stopped early$/);
  await page.locator("#track").selectOption({ index: 1 });
  assert.equal(await text(page, "#at"), "0 of 200");
  await page.getByRole("button", { name: "Next step" }).click();
  assert.match(await text(page, "#told"), /^Step 1: . placed, 1 in place\.$/);
  await page.getByLabel("Go to step").fill("150");
  await page.getByRole("button", { name: "Go", exact: true }).click();
  assert.equal(await text(page, "#at"), "150 of 200");
  assert.match(page.url(), /#search=1&step=150$/);
  await shot(page, "search");
  // A search that ends without a solution is held whole.
  await page.goto(address(traced, "figures/s1-5x5x5-000400cf402eee804y6004000.html"));
  const whole = await page.locator("#track option").first().textContent();
  const [, length] = whole.match(/^Search for .* with SOMA: (\d+) placements, 0 solutions found$/);
  assert.equal(await text(page, "#at"), `0 of ${length}`);
  await page.getByRole("button", { name: "Next step" }).click();
  assert.equal(await text(page, "#at"), `1 of ${length}`);
  // What the catalog knows of maps is a shelf of its own.
  await page.goto(`${address(traced, "index.html")}#shelf=families`);
  await page.waitForSelector("#grid a");
  assert.deepEqual(await page.locator("#grid strong").allInnerTexts(), ["cube"]);
  await page.context().close();
}

/** Opens or closes the rarer controls. */
const tools = (page) => page.getByText("More ways to look at it").click();

/** Shows each symmetry of the cube, with the motion that leads the cube to itself. */
async function symmetries(page, plain) {
  const button = page.locator("#show-element");
  const told = page.locator("#element-told");
  const seen = [];
  for (let n = 1; n <= 30; n++) {
    await button.click();
    await told.filter({ hasText: `${n} of 30.` }).waitFor();
    seen.push((await told.innerText()).replace(/^\d+ of 30\. /, ""));
    assert.notEqual(await page.evaluate(() => scene.overlay), null);
  }
  const number = (start) => seen.filter((one) => one.startsWith(start)).length;
  assert.deepEqual(["A mirror", "A diagonal mirror", "An axis: a half turn", "An axis: a third turn", "The center"].map(number), [3, 6, 6, 4, 1]);
  assert.equal(seen.filter((one) => /^An axis: a quarter turn about it leaves/.test(one)).length, 3);
  assert.equal(seen.filter((one) => /together with a mirror across it/.test(one)).length, 7);
  await shot(page, "axes");
  await button.click();
  assert.equal(await text(page, "#element-told"), "");
  assert.equal(await view(page), plain);
  // The figure moves, and is where it was in the end.
  await button.click();
  await page.waitForFunction(() => scene.motion !== null);
  await page.waitForFunction(() => scene.motion === null);
  // Each motion ends at a symmetry: it maps the cells to themselves.
  const ends = await page.evaluate(() => symmetry.tour.map(({ motion }) => {
    const around = (cell) => cell.map((v, axis) => v + 0.5 - scene.center[axis]);
    const own = new Set(cells.map((cell) => String(around(cell))));
    const map = motion(1);
    return cells.every((cell) => own.has(String(map.map((row) => Math.round(row.reduce((sum, v, axis) => sum + v * around(cell)[axis], 0) * 1e6) / 1e6 + 0))));
  }));
  assert.equal(ends.length, 30);
  assert(ends.every(Boolean), `${ends}`);
  await page.evaluate(() => symmetry.leave());
  // Who prefers less motion sees none.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await button.click();
  assert.equal(await page.evaluate(() => scene.motion), null);
  await page.evaluate(() => symmetry.leave());
  await page.emulateMedia({ reducedMotion: null });
  assert.equal(await view(page), plain);
}

/** Why figures cannot be built, step by step: colors, marks, cases; and figures that nobody named. */
async function stories() {
  const page = await open(address(gallery, CROSS));
  assert.equal(await text(page, "h1"), "C3i-27.2");
  assert.deepEqual(await page.locator("main .filled:visible").allInnerTexts(), ["Why can this not be built?"]);
  assert.equal(await page.locator("#why .plans .full").count(), 27, "a checkered plan");
  await fewControls(page);
  const plain = await view(page);
  const tell = page.locator("#tell-why");
  const told = () => text(page, "#told");
  await tell.click();
  assert.match(await told(), /^Color the cells like a checkerboard: 7 are black and 20 are white, a difference of 13\.$/);
  const checkered = await view(page);
  assert.notEqual(checkered, plain);
  const words = [];
  for (let n = 0; n < 7; n++) {
    await tell.click();
    words.push(await told());
    assert.equal(await page.locator("#why .cards .now").count(), 1);
  }
  assert.equal(words[0], "V: 1 more of one color. So far the difference can be 1; 13 is needed.");
  assert.equal(words[6], "P: 2 more of one color. So far the difference can be 1, 3 or 5; 13 is needed.");
  await tell.click();
  assert.match(await told(), /^Together the pieces reach a difference of 1, 3 or 5, but never of 13\./);
  assert.equal(await text(page, "#tell-why"), "From the beginning");
  await accessible(page, "a story");
  await page.locator("#show-element").click();
  await page.locator("#element-told").filter({ hasText: "1 of" }).waitFor();
  assert.equal(await text(page, "#tell-why"), "Why can this not be built?", "the symmetries end the story");
  // Marks.
  await page.goto(address(gallery, "figures/s1-3x5x5-00w00w0yz0e0zf0.html"));
  for (let n = 0; n < 8; n++) await page.locator("#tell-why").click();
  assert.equal(await told(), "P: at most 1. So far at most 9 of 10 marks.");
  await shot(page, "why-marks");
  await page.locator("#tell-why").click();
  assert.equal(await told(), "Together the pieces cover at most 9 marks, but there are 10. So they cannot fill the figure.");
  await page.getByText("Download", { exact: true }).click();
  const proof = await page.getByRole("link", { name: "Certificate of the proof" }).evaluate((link) => link.pathname);
  const checked = execFileSync(program, ["verify", "--certificate", decodeURIComponent(proof)], { encoding: "utf8" });
  assert.match(checked, /marks/);
  await page.context().close();
}

/** Opens the tab with the puzzle. */
async function play(page, act = "click") {
  await page.getByRole("tab", { name: "Play" })[act]();
  await page.locator("#board button").first().waitFor();
}

/** The places of pieces as in an encoded solution: letters, and the cells. */
async function placesOf(page, packing) {
  const [, letters, owners] = /^(\w+)[=!:;](.*)$/.exec(packing);
  const cells = await page.evaluate(() => cells);
  const where = Array.from(owners, (sign, at) => ({ piece: sign.charCodeAt(0) - 48, cell: cells[at] }));
  return Array.from(letters, (letter, piece) => ({ letter, cells: where.filter((one) => one.piece === piece).map(({ cell }) => cell) }));
}
const nameOf = ([x, y, z]) => `layer ${z + 1}, row ${y + 1}, column ${x + 1}:`;

/** Places pieces as in an encoded solution, by keyboard and by clicks. */
async function rebuild(page, packing, number = Infinity) {
  for (const { letter, cells } of (await placesOf(page, packing)).slice(0, number)) {
    const wanted = cells.map(nameOf);
    const done = () => page.evaluate(([wanted, letter]) => {
      const labels = wanted.map((start) => document.querySelector(`#board [aria-label^="${start}"]`).getAttribute("aria-label"));
      return new Set(labels.map((label) => label.split(": ")[1])).size === 1 && labels[0].includes(`: ${letter}`);
    }, [wanted, letter]);
    await page.locator(`#tray button:not(.placed)`).filter({ hasText: new RegExp(`^${letter}\\d*$`) }).first().click();
    await page.locator(`#board [aria-label^="${wanted[0]}"]`).click();
    for (let n = 0; n < 100 && !await done(); n++) await page.keyboard.press("r");
    assert(await done(), `${letter} was not placed`);
  }
}

const solutionsOf = (signature) => {
  const script = readFileSync(join(gallery, `solutions/${signature}.js`), "utf8");
  return JSON.parse(script.slice("showSolutions(".length, script.lastIndexOf(")")))[0].packings;
};

/** Chooses from the menu of the puzzle. */
async function more(page, name) {
  await page.locator("#puzzle-menu summary").click();
  await page.getByRole("button", { name }).click();
}

async function ways(page) {
  await more(page, "Ways to finish?");
  await page.waitForFunction(() => /way/i.test(document.querySelector("#told").textContent), null, { timeout: 60_000 });
  return text(page, "#told");
}

/** A reader solves the cube on the page, by keyboard and by clicks. */
async function solveMyself() {
  const page = await open(address(gallery, CUBE));
  const told = () => text(page, "#told");
  const plain = await view(page);
  await page.getByRole("tab", { name: "Explore" }).focus();
  await page.keyboard.press("ArrowLeft");
  const squares = page.locator("#board button");
  await squares.first().waitFor();
  assert.equal(await squares.count(), 27);
  await fewControls(page);
  const square = (layer, row, column) => page.getByLabel(`layer ${layer}, row ${row}, column ${column}:`);
  await square(1, 1, 1).press("Enter");
  assert.match(await told(), /^V: layer 1, row 1, column.*\. 6 pieces to go\.$/);
  assert.notEqual(await view(page), plain);
  await accessible(page, "the puzzle");
  await shot(page, "puzzle", { fullPage: true });
  // Turned, taken back, and placed where it cannot be.
  const lying = async () => (await squares.allInnerTexts()).map((letter) => letter.trim() || ".").join("");
  const first = await lying();
  await page.keyboard.press("r");
  assert.match(await told(), /^V: layer 1, .* Place 2 of \d+\./);
  assert.notEqual(await lying(), first);
  await page.keyboard.press("Shift+R");
  assert.equal(await lying(), first);
  await page.keyboard.press("Backspace");
  assert.equal(await told(), "V is taken back. 7 pieces to go.");
  assert.equal(await ways(page), "11,520 ways to finish.");
  // T always has two corners of the cube, so it cannot have the center.
  await page.locator("#tray button").nth(2).click();
  await square(2, 2, 2).click();
  const center = await lying();
  assert.equal(await ways(page), "No way from here. Take back T: with it, the figure cannot be finished.");
  await page.getByRole("button", { name: "Hint" }).click();
  await page.waitForFunction(() => document.querySelector("#told").textContent.startsWith("Take back T"));
  assert.equal(await lying(), center, "a hint takes nothing away");
  assert.equal(await page.locator("#board .mistake").count(), 4);
  await more(page, "Start again");
  // Every solution of the page can be built, has its number, and is kept.
  await rebuild(page, solutionsOf("s1-3x3x3-zzzzz3")[56]);
  await page.waitForFunction(() => /This is/.test(document.querySelector("#told").textContent));
  assert.match(await told(), /^Solved in \d+:\d\d\. This is solution 57 of 240\.$/);
  // The pieces are still there after a visit elsewhere, and the index has a tick.
  await page.goto(address(gallery, "index.html"));
  assert.match(await text(page, "#status"), /^1 of 19 buildable figures solved by you$/);
  const card = page.locator("#rows a").filter({ hasText: "cube" }).first();
  assert.match(await card.innerText(), /✓ \d+:\d\d · 240 ways/);
  // Its picture shows the pieces as they were placed.
  await card.scrollIntoViewIfNeeded();
  await page.waitForFunction(() => {
    const canvas = [...document.querySelectorAll("#rows a")].find((one) => one.textContent.includes("✓")).querySelector("canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let colored = 0;
    for (let at = 0; at < data.length; at += 4) colored += Number(Math.max(data[at], data[at + 1], data[at + 2]) - Math.min(data[at], data[at + 1], data[at + 2]) > 120);
    return colored > 500;
  });
  await page.locator("#chips").getByRole("button", { name: "Solved by you" }).click();
  assert.equal(await page.locator("#grid a").count(), 1);
  await page.goto(address(gallery, CUBE));
  await play(page);
  assert(!(await lying()).includes("."));
  // A figure as wide as eleven squares fits on a phone.
  const phone = await open(address(gallery, "figures/s1-2x5x11-am84800p24a08p0g20ag2p.html"), SIZES[0]);
  await play(phone, "tap");
  await phone.locator("#board button").first().tap();
  assert.match(await text(phone, "#told"), /^V: .*\. 6 pieces to go\.$/);
  assert.equal(await phone.evaluate(() => document.documentElement.scrollWidth), 390);
  await accessible(phone, "the puzzle on a phone");
  await shot(phone, "puzzle-390", { fullPage: true });
  await phone.context().close();
  await page.goto(address(gallery, CROSS));
  assert(await page.locator("#tabs").isHidden(), "a puzzle without a solution");
  await page.context().close();
}

/** Hints complete what the reader has placed: all pieces in place stay, up to the last. */
async function hints() {
  const page = await open(address(gallery, CUBE));
  await play(page);
  const squares = page.locator("#board button");
  const lying = async () => (await squares.allInnerTexts()).map((letter) => letter.trim() || ".").join("");
  const told = () => text(page, "#told");
  // The pieces of a solution that is not the page's first.
  const packing = solutionsOf("s1-3x3x3-zzzzz3")[200];
  await rebuild(page, packing, 2);
  for (let before = await lying(), number = 2; number < 7; number++) {
    await page.getByRole("button", { name: "Hint" }).click();
    await page.waitForFunction((n) => document.querySelectorAll("#tray .placed").length === n, number + 1);
    const now = await lying();
    assert(Array.from(before).every((letter, at) => letter === "." || letter === now[at]), `${before} became ${now}`);
    if (number < 6) assert.match(await told(), new RegExp(`^Hint: [A-Z]: layer .*\\. ${6 - number} pieces? to go\\.$`));
    before = now;
  }
  await page.waitForFunction(() => /This is solution \d+ of 240/.test(document.querySelector("#told").textContent));
  await page.context().close();
}

/** All seven pieces by keyboard, from the address on, in at most 60 keys. Each piece of a solution covers the first free
 * square, so that its letter and some turns are enough. */
async function fewKeys() {
  const page = await open(address(gallery, CUBE));
  let keys = 0;
  const press = async (key) => {
    keys += 1;
    await page.keyboard.press(key);
  };
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.closest("[id]")?.id);
  const until = async (key, id) => {
    for (let n = 0; n < 20 && await focused() !== id; n++) await press(key);
    assert.equal(await focused(), id);
  };
  // The link over the head of the page, the view, the tabs, the pieces, the squares.
  await press("Tab");
  await press("Enter");
  await until("Tab", "tab-explore");
  await press("ArrowLeft");
  await page.locator("#board button").first().waitFor();
  await until("Tab", "tray");
  for (let n = 0; n < 12 && await focused() !== "board"; n++) await press("Tab");
  assert.equal(await focused(), "board");
  const reading = ([x, y, z]) => 10_000 * z + 100 * y + x;
  const pieces = (await placesOf(page, solutionsOf("s1-3x3x3-zzzzz3")[56]))
    .map((one) => ({ ...one, first: Math.min(...one.cells.map(reading)) })).sort((a, b) => a.first - b.first);
  for (const { letter, cells } of pieces) {
    await press(letter);
    const wanted = cells.map(String).sort().join(" ");
    const lies = () => page.evaluate((own) => {
      const { place } = puzzle.where(puzzle.pieces.findIndex((one) => one.letter === own)) ?? {};
      return place?.cells.map((cell) => String(cells[cell])).sort().join(" ");
    }, letter);
    // The shorter way round.
    const [forwards, all] = await page.evaluate(([own, target]) => {
      const last = puzzle.placed.at(-1);
      const places = puzzle.fitting(last.piece, last.cell, last);
      const at = places.findIndex((place) => place.cells.map((cell) => String(cells[cell])).sort().join(" ") === target);
      return [(at - places.indexOf(last.place) + places.length) % places.length, places.length];
    }, [letter, wanted]);
    for (let n = 0; n < 100 && await lies() !== wanted; n++) await press(2 * forwards <= all ? "r" : "Shift+R");
    assert.equal(await lies(), wanted, letter);
  }
  await page.waitForFunction(() => /This is solution 57/.test(document.querySelector("#told").textContent));
  assert(keys <= 60, `${keys} keys`);
  console.log(`   the cube in ${keys} keys`);
  await page.context().close();
}

/** A puzzle of two sets: fourteen pieces, and counts of the ways to finish. */
async function twoSets() {
  const page = await open(`${address(gallery, "embed.html")}?figure=SOMA-double-001`);
  const link = await page.locator("#link").getAttribute("href");
  await page.goto(address(gallery, link));
  const all = /at least ([\d,]+) unique solutions/.exec(await text(page, ".answer"))[1];
  await play(page);
  assert.deepEqual(await page.locator("#tray button").allInnerTexts(), Array.from("VLTZABP").flatMap((letter) => [letter, `${letter}2`]));
  // Counted to the end, which the program's catalog did not.
  const [, counted] = /^([\d,]+) ways to finish\.$/.exec(await ways(page));
  assert(Number(counted.replaceAll(",", "")) > Number(all.replaceAll(",", "")), `${counted} of at least ${all}`);
  const [packing] = solutionsOf(/figures\/(.*)\.html/.exec(link)[1]);
  await rebuild(page, packing, 9);
  assert.match(await ways(page), /^[\d,]+ ways? to finish\.$/);
  await accessible(page, "the puzzle of two sets");
  await shot(page, "puzzle-two-sets", { fullPage: true });
  await more(page, "Start again");
  await rebuild(page, packing);
  await page.waitForFunction(() => /This is/.test(document.querySelector("#told").textContent));
  assert.match(await text(page, "#told"), new RegExp(`^Solved in \\d+:\\d\\d\\. This is one of at least ${all} unique solutions\\.$`));
  await page.context().close();
}

const middle = async (locator) => {
  const { x, y, width, height } = await locator.boundingBox();
  return [x + width / 2, y + height / 2];
};

/** Pieces are dragged onto the ghost in the 3D view and onto the board, turned on the way, and dragged away. */
async function dragging() {
  const page = await open(address(gallery, CUBE), { viewport: { width: 1280, height: 1100 } });
  await play(page);
  const told = () => text(page, "#told");
  const taken = () => page.locator("#board .taken");
  const lying = async () => (await page.locator("#board button").allInnerTexts()).map((letter) => letter.trim() || ".").join("");
  const tray = (at) => page.locator("#tray button").nth(at);
  const lift = async (from) => {
    await page.mouse.move(...await middle(from));
    await page.mouse.down();
  };
  const ghost = await middle(page.locator("#stage"));
  const empty = await view(page);
  // Before the button is released, the piece is seen where it snaps to, and R turns it.
  await lift(tray(1));
  await page.mouse.move(...ghost, { steps: 5 });
  const seen = new Set([empty, await view(page)]);
  const snapped = new Set([await lying()]);
  for (let n = 0; n < 4; n++) {
    await page.keyboard.press("r");
    seen.add(await view(page));
    snapped.add(await lying());
  }
  assert(seen.size > 4 && snapped.size > 3, "R does not turn a dragged piece");
  await shot(page, "dragged");
  const there = await lying();
  await page.mouse.up();
  assert.match(await told(), /^L: layer .*\. 6 pieces to go\.$/);
  assert.equal(await lying(), there);
  assert.equal(await taken().count(), 4);
  // Another place in the 3D view is another place in the figure.
  await lift(taken().first());
  await page.mouse.move(ghost[0] + 120, ghost[1] + 100, { steps: 5 });
  await page.mouse.up();
  assert.match(await told(), /^L: layer .*\. 6 pieces to go\.$/);
  assert.notEqual(await lying(), there);
  // Dragged away, or with Escape back to where it was.
  const kept = await lying();
  await lift(taken().first());
  await page.mouse.move(5, 5, { steps: 5 });
  assert.equal(await taken().count(), 0);
  await page.keyboard.press("Escape");
  await page.mouse.up();
  assert.equal(await lying(), kept);
  await lift(taken().first());
  await page.mouse.move(5, 5, { steps: 5 });
  await page.mouse.up();
  assert.equal(await told(), "L is taken back. 7 pieces to go.");
  assert.equal(await page.locator(".dragged").count(), 0);
  // On the board the piece has a cell on the square; a click still only chooses.
  const square = page.getByLabel("layer 3, row 3, column 3:");
  await lift(tray(2));
  await page.mouse.move(...await middle(square), { steps: 5 });
  await page.mouse.up();
  assert.match(await square.getAttribute("aria-label"), /: T$/);
  await tray(3).click();
  assert.equal(await told(), "Z is chosen. 6 pieces to go.");
  await page.context().close();
  // A finger drags too; the page does not scroll meanwhile, and the figure stays in sight of the pieces below.
  const phone = await open(address(gallery, CUBE), SIZES[0]);
  await play(phone, "tap");
  await drawFinger(phone, await middle(phone.locator("#tray button").first()), await middle(phone.locator("#stage")));
  assert.match(await text(phone, "#told"), /^V: .*\. 6 pieces to go\.$/);
  assert.equal(await phone.evaluate(() => window.scrollY), 0);
  // Figure and announcements stay in sight of the last square, and of the layers to hide.
  const stays = async () => {
    for (const id of ["#stage", "#told"]) {
      const { y, height } = await phone.locator(id).boundingBox();
      assert(y >= 0 && y + height < SIZES[0].viewport.height / 2, `${id} is out of sight`);
    }
  };
  await phone.locator("#puzzle .note").last().scrollIntoViewIfNeeded();
  await stays();
  await shot(phone, "dragged-390");
  await phone.getByRole("tab", { name: "Explore" }).click();
  await phone.getByRole("button", { name: "Show a solution" }).click();
  await phone.waitForFunction(() => document.querySelector("#at").textContent === "7 of 7");
  await tools(phone);
  await phone.getByLabel("front", { exact: true }).evaluate((one) => one.scrollIntoView({ block: "end" }));
  await stays();
  await phone.context().close();
}

async function drawFinger(page, from, to) {
  const touch = await page.context().newCDPSession(page);
  const at = (part) => [{ x: from[0] + (to[0] - from[0]) * part, y: from[1] + (to[1] - from[1]) * part }];
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0) });
  for (let n = 1; n <= 10; n++) await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(n / 10) });
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

/** A new visitor places the first piece with three actions: a figure, the puzzle, a square. */
async function threeActions() {
  for (const [size, act] of [[{}, "click"], [SIZES[0], "tap"]]) {
    const page = await open(address(gallery, "index.html"), size);
    await page.locator("#rows a").first()[act]();
    await page.getByRole("tab", { name: "Play" })[act]();
    await page.locator("#board button").first()[act]();
    assert.match(await text(page, "#told"), /^V: .*\. 6 pieces to go\.$/);
    await page.context().close();
  }
}

/** A figure is drawn by dragging, by mouse and by finger, with its picture in sight. */
async function drawing() {
  const page = await open(address(gallery, "recognize.html"));
  const squares = (on) => on.locator("#layers button");
  const drawn = (on) => on.locator("#text").inputValue();
  const drag = async (from, to) => {
    await page.mouse.move(...await middle(squares(page).nth(from)));
    await page.mouse.down();
    await page.mouse.move(...await middle(squares(page).nth(to)), { steps: 20 });
    await page.mouse.up();
  };
  const empty = await view(page);
  await drag(0, 4);
  await drag(5, 9);
  assert.equal(await drawn(page), "/11111\n/11111");
  assert.notEqual(await view(page), empty);
  // A drag from a full square empties.
  await drag(9, 7);
  assert.equal(await drawn(page), "/11111\n/11...");
  // A click changes one square, and so does a key.
  await squares(page).nth(1).click();
  await squares(page).nth(2).press("Enter");
  assert.equal(await drawn(page), "/1..11\n/11...");
  // Arrow keys lead through the layers; one square takes a step of the Tab key.
  assert.equal(await page.locator("#layers button[tabindex='0']").count(), 1);
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "Space"]) await page.keyboard.press(key);
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "layer 2, row 3, column 1");
  await page.keyboard.press("PageUp");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "layer 1, row 3, column 1");
  await page.context().close();
  const phone = await open(address(gallery, "recognize.html"), SIZES[0]);
  await phone.getByLabel("layer 2, row 1, column 1").evaluate((one) => one.scrollIntoView({ block: "end" }));
  const before = await phone.evaluate(() => window.scrollY);
  await drawFinger(phone, await middle(squares(phone).nth(25)), await middle(squares(phone).nth(29)));
  assert.equal(await drawn(phone), "/11111");
  assert.equal(await phone.evaluate(() => window.scrollY), before);
  for (const id of ["#stage", "#verdict", "#solutions"]) {
    const { y, height } = await phone.locator(id).boundingBox();
    assert(y >= 0 && y + height < SIZES[0].viewport.height, `${id} is out of sight`);
  }
  await shot(phone, "drawing-390");
  await phone.context().close();
}

/** A figure that is drawn or pasted is recognized, however it lies. */
async function recognizer() {
  const page = await open(address(gallery, "recognize.html"));
  const says = (words, selector = "#verdict") => page.waitForFunction(([where, wanted]) => {
    const { textContent } = document.querySelector(where);
    return wanted.startsWith("^") ? new RegExp(wanted, "s").test(textContent) : textContent === wanted;
  }, [selector, words]);
  await says("Nothing is drawn yet.");
  await page.getByText("As text").click();
  await page.getByText("For mathematicians").click();
  await fewControls(page);
  const paste = (given) => page.locator("#text").fill(given);
  await paste("67 77");
  await says("This is the tower.");
  await paste("/.1/11\n/11/11\n/11/11\n/11/11\n/11/11\n/11/11\n/11/11");
  await says("This is the tower, turned.");
  await paste("Oh-27.1");
  await says("This is the cube.");
  await paste("67 77");
  await says("^.*SOMA-tower-1", "#facts");
  // The page counts what it recognizes, shows a solution piece by piece, and its address leads back to the figure.
  const solutions = async (words) => {
    await page.waitForFunction((begin) => document.querySelector("#solutions").textContent.startsWith(begin), words);
    return text(page, "#solutions");
  };
  assert.equal(await solutions("Can be built"), "Can be built: 760 solutions up to rotation and reflection (1,520 raw packings).");
  const plain = await view(page);
  await page.getByRole("button", { name: "Next piece" }).click();
  assert.notEqual(await view(page), plain);
  const marks = async () => [...new Set((await text(page, "#solution")).replace(/[/\s.]/g, ""))].sort().join("");
  assert.match(await marks(), /^\*[ABLPTVZ]$/);
  await page.getByRole("button", { name: "Show a solution" }).click();
  assert.equal(await marks(), "ABLPTVZ");
  assert.match(page.url(), /#s1-/);
  await page.reload();
  await solutions("Can be built");
  await page.getByText("As text").click();
  await page.getByText("For mathematicians").click();
  await paste("s1-2x2x9-eqvxeqv1");
  await solutions("Cannot be built: every possibility was tried.");
  const why = async (words) => {
    const before = await view(page);
    await page.getByRole("button", { name: "Why can this not be built?" }).click();
    await says(words, "#why-told");
    assert.notEqual(await view(page), before);
    await accessible(page, "a reason");
  };
  await paste("s1-3x5x5-00w00w0yz0e0zf0");
  await solutions("Cannot be built: every possibility was tried.");
  await why("Mark 10 cells. V covers at most 1, L 2, T 2, Z 1, A 1, B 1, P 1: together at most 9 of 10.");
  await shot(page, "why");
  await paste("s1-3x5x5-041je1tzbge9g40");
  await solutions("Cannot be built: |black - white| = 7; the pieces reach only 1, 3, 5.");
  await why("^Color the cells like a checkerboard: 10 are black and 17 white, a difference of 7\\. .* Together they reach a difference of 1, 3 or 5, not of 7\\.$");
  assert(await page.locator("#help-to-build").isHidden());
  await paste("333 333 332");
  await solutions("Cannot be built: no choice of the seven pieces has 26 cells.");
  await paste("111 111 111 111 111");
  await solutions("Can be built with 1 of 20 choices of pieces.");
  assert.equal(await text(page, "#choices"), "V L T Z: 4 solutions up to rotation and reflection (16 raw packings)");
  await page.getByRole("button", { name: "Show a solution" }).click();
  assert.equal(await marks(), "LTVZ");
  // Pieces without a tick are not used.
  await page.getByText("Pieces to use").first().click();
  await accessible(page, "a choice of pieces");
  await page.getByLabel("Z", { exact: true }).uncheck();
  await solutions("Cannot be built: every possibility was tried with each of 10 choices of pieces.");
  await page.getByLabel("V", { exact: true }).uncheck();
  await solutions("No choice of these pieces has 15 cells.");
  await page.getByLabel("V", { exact: true }).check();
  await page.getByLabel("Z", { exact: true }).check();
  await solutions("Can be built with 1 of 20 choices of pieces.");
  await paste("333 333 333 100");
  await solutions("Not counted here: 28 cells are more than the 27 of the seven pieces, and not the 54 of two sets.");
  assert(await page.locator("#choices").isHidden() && await page.locator("#use-box").isHidden());
  // With two sets, a packing is sought.
  await paste("666 666 666");
  await solutions("Can be built with two sets.");
  await page.getByRole("button", { name: "Show a solution" }).click();
  assert.equal(await marks(), "1234567ABLPTVZ");
  await paste(Array.from({ length: 54 }, (_, at) => `${2 * at},0,0`).join(" "));
  await solutions("Cannot be built with two sets: ");
  await paste("333 333 332");
  await says("Not in this catalog.");
  await says("^.*s1-3x3x3-.*C3v.*black − white", "#facts");
  await paste("hello world");
  await says("^Cannot detect the format: line 1 is `hello world`.* No name in this catalog fits it either\\.$");
  // Pieces in place are obeyed: the other cells are counted, and the hints begin after them.
  await paste("/1**/***/***\n/11*/***/***\n/***/***/***");
  await solutions("Can be built with V in place: 207 raw packings.");
  await page.getByRole("button", { name: "Next piece" }).click();
  assert.match(await marks(), /^\*[ABLPTZ]V$|^\*V[ABLPTZ]$/);
  await page.getByRole("button", { name: "Show a solution" }).click();
  assert.equal(await marks(), "ABLPTVZ");
  await paste("***/***/***\n***/*4*/***\n***/***/***");
  await solutions("Not counted: mark 4 covers 1 cell, a piece Z has 4");
  await paste("/1*\n/11");
  await solutions("Not counted here: only figures of 27 cells are counted with pieces in place.");
  await paste("/*****/~***~");
  await solutions("Not counted here: the text has cells that may stay empty (~).");
  // Names are looked up however they are spelled; of several figures one is chosen.
  for (const name of ["tower", "soma tower 01", "/SOMA-TOWER-1"]) {
    await paste(name);
    await says("This is the tower.");
  }
  assert.equal(await page.locator("#text").inputValue(), "/SOMA-TOWER-1");
  assert.match(page.url(), /#s1-2x2x7-yzzzz7$/);
  await paste("building");
  await says("2 figures have such a name: SOMA-building, SOMA-building-2.");
  await accessible(page, "a choice of names");
  assert.equal(await page.locator("#layers [aria-pressed=true]").count(), 0);
  assert(await page.locator("#more").isHidden());
  await paste("/SOMA1\n/11/1.\n\n/SOMA2\n/11/11");
  await says("The first of 2 figures is shown.", "#more");
  await paste("67 77\n\n333 333 333");
  await page.locator("#more").waitFor();
  await says("This is the tower.");
  await paste("half: 0,0,0 1,0,x");
  await says("^Line 1: half: `x` in `1,0,x` is not a whole number");
  // A figure without any mirror, and its mirror image.
  const chiral = readFileSync(join(gallery, "figures/s1-2x5x11-am84800p24a08p0g20ag2p.html"), "utf8");
  const rows = chiral.split("/SOMA disjoint\n")[1].split("</pre>")[0].split("\n");
  await paste(rows.join("\n"));
  await says("This is the disjoint.");
  await paste(rows.toReversed().join("\n"));
  await says("This is the disjoint, mirrored.");
  // A name in the address opens the figure.
  await page.goto("about:blank");
  await page.goto(`${address(gallery, "recognize.html")}#tower`);
  await says("This is the tower.");
  await page.goto("about:blank");
  await page.goto(`${address(gallery, "recognize.html")}#building`);
  await says("2 figures have such a name: SOMA-building, SOMA-building-2.");
  assert.equal(await text(page, "h1"), "Draw a figure");
  // Drawn by hand, square by square, by keyboard too.
  await page.getByRole("button", { name: "Clear" }).click();
  for (const [id, value] of [["width", 3], ["depth", 3], ["height", 3]]) {
    await page.locator(`#${id}`).fill(String(value));
    await page.locator(`#${id}`).press("Tab");
  }
  const squares = page.locator("#layers button");
  assert.equal(await squares.count(), 27);
  for (let at = 0; at < 27; at++) {
    if (at % 2) await squares.nth(at).click();
    else await squares.nth(at).press("Space");
  }
  await says("This is the cube.");
  await shot(page, "recognize", { fullPage: true });
  await accessible(page, "recognize.html");
  await page.getByRole("link", { name: "cube" }).click();
  await page.waitForSelector("#stage");
  await page.getByRole("link", { name: "Draw a variation" }).click();
  await page.waitForFunction(() => document.querySelector("#verdict")?.textContent.startsWith("This is the cube"));
  await page.context().close();
}

/** A figure in a frame of another page, by name or signature, and its link; and without WebGL. */
async function embedded() {
  const page = await open(address(gallery, CUBE));
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByText("Share", { exact: true }).click();
  await page.getByRole("button", { name: "Copy code to embed" }).click();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(code, /^<iframe src="file:[^"]*\/embed\.html\?figure=s1-3x3x3-zzzzz3" title="cube"[^>]*><\/iframe>$/);
  await page.context().close();
  const folder = mkdtempSync(join(tmpdir(), "somacat-"));
  try {
    writeFileSync(join(folder, "other.html"), `<!doctype html><html lang="en"><title>Another page</title>${code}`);
    const other = await open(address(folder, "other.html"));
    const frame = other.frameLocator("iframe");
    assert.equal(await frame.locator("#told").innerText(), "27 cells; SOMA: 240 unique solutions");
    const seen = async () => (await frame.locator("#stage").screenshot()).toString("base64");
    const calm = await seen();
    await frame.locator("#stage").focus();
    await other.keyboard.press("ArrowLeft");
    await other.waitForTimeout(200);
    assert.notEqual(await seen(), calm);
    await shot(other, "embedded");
    const [opened] = await Promise.all([other.context().waitForEvent("page"), frame.getByRole("link", { name: "cube" }).click()]);
    await opened.waitForSelector("#stage");
    assert.equal(await text(opened, "h1"), "cube");
    await other.context().close();
  } finally {
    rmSync(folder, { recursive: true });
  }
  const embed = address(gallery, "embed.html");
  // Every figure of the gallery by the name of its page.
  const { FIGURES: all, cellsOf } = new Function(["data", "catalog", "cells"].map((name) => readFileSync(join(gallery, `${name}.js`), "utf8")).join("\n") + "\nreturn { FIGURES, cellsOf };")();
  // Their cells are those of the figures' pages, and the figures that the signatures stand for.
  const lines = all.map(({ shape }) => `${cellsOf(shape).map((cell) => cell.join(",")).join(" ")}\n`).join("");
  const rows = execFileSync(program, ["count", "--jsonl", "-q", "--limit", "1", "--format", "cells", "-"], { input: lines, encoding: "utf8", stdio: ["pipe", "pipe", "ignore"] }).trim().split("\n");
  assert.deepEqual(rows.map((row) => JSON.parse(row).signature), all.map(({ signature }) => signature));
  for (const { page, shape } of all) {
    const { cells } = JSON.parse(/<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(readFileSync(join(gallery, `figures/${page}.html`), "utf8"))[1]);
    assert.equal(cells, shape, page);
  }
  const one = await open(embed);
  assert.equal(await text(one, "#told"), "This gallery has no such figure.");
  await one.addInitScript(() => { HTMLCanvasElement.prototype.getContext = () => null; });
  for (const { signature, page: stem, names } of all) {
    await one.goto(`${embed}?figure=${encodeURIComponent(stem)}`);
    assert.equal(await text(one, "#link"), names[0] ?? signature);
    assert((await one.locator("#link").getAttribute("href")).endsWith(`figures/${stem}.html`));
  }
  for (const [width, colorScheme] of [[390, "light"], [390, "dark"], [240, "light"]]) {
    const small = await open(`${embed}?figure=soma-tower%2001`, { viewport: { width, height: 300 }, colorScheme });
    assert.equal(await text(small, "#link"), "tower");
    assert.deepEqual(await small.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]), [width, 300]);
    await accessible(small, "embed.html");
    await shot(small, `embed-${width}-${colorScheme}`);
    await small.context().close();
  }
  await one.goto(`${embed}?figure=cube`);
  assert(await one.locator("#picture svg").isVisible());
  await one.context().close();
}

/** Without WebGL, without scripts and on paper there are picture and layers, and no dead control. */
async function plain() {
  const page = await open(address(gallery, CUBE), { javaScriptEnabled: false });
  assert(await page.locator("#picture svg").isVisible());
  assert(await page.locator("#plans svg").isVisible());
  await page.getByText("Copy as text").click();
  assert.match(await text(page, "#soma"), /^\/SOMA cube\n\/111\/111\/111/);
  await page.getByText("For mathematicians").click();
  assert.match(await text(page, "#bibtex"), /^@misc\{somacat-cube,/);
  assert.match(await text(page, "#mathematics"), /raw\s+11,520\s+every packing/);
  assert.equal(await page.locator("button, input, select, canvas").count(), 0);
  // A figure that nobody named: its layers are drawn too, because the gallery is small.
  await page.goto(address(gallery, CROSS));
  assert(await page.locator("#plans svg").isVisible());
  await page.getByText("Copy as text").click();
  assert.match(await text(page, "#soma"), /^\/SOMA s1-5x5x5-000400awe026ec80e7a004000\n/);
  assert.match(await text(page, "#why"), /Color the cells like a checkerboard/);
  await page.goto(address(gallery, "index.html"));
  assert.equal(await page.locator("button:visible, input:visible, select:visible, canvas:visible").count(), 0);
  const first = page.locator("noscript li").filter({ hasText: "cube" }).first();
  assert.match(await first.innerText(), /240 ways to build it · ★★★/);
  assert(await first.locator("img").evaluate((img) => img.decode().then(() => img.naturalWidth > 0)));
  assert.equal(await page.locator("noscript li").count(), 24);
  await page.getByRole("link", { name: "a plain list of all figures" }).click();
  assert.equal(await page.locator("main li a").count(), 46);
  await page.locator("main li img").last().scrollIntoViewIfNeeded();
  const loaded = await page.locator("main li img").evaluateAll((all) => Promise.all(all.map((img) => img.decode().then(() => img.naturalWidth > 0))));
  assert.deepEqual(loaded, Array(46).fill(true));
  assert.match(await page.locator("main li").filter({ hasText: "cube" }).first().innerText(), /240 unique solutions/);
  await page.goto(address(gallery, "recognize.html"));
  assert.equal(await page.locator("button:visible, input:visible, textarea:visible").count(), 0);
  await page.context().close();

  const without = await open("about:blank");
  await without.addInitScript(() => { HTMLCanvasElement.prototype.getContext = () => null; });
  await without.goto(address(gallery, CUBE));
  assert(await without.locator("#picture svg").isVisible());
  assert(await without.locator("#stage").isHidden() && await without.locator("#turns").isHidden());
  // The flat picture is large.
  assert((await without.locator("#picture svg").boundingBox()).width > 400);
  assert(await without.locator("#show-element").isHidden());
  await without.getByRole("button", { name: "Show a solution" }).click();
  await without.waitForFunction(() => document.querySelector("#at").textContent === "7 of 7");
  await without.getByRole("slider", { name: "Step" }).fill("1");
  // Each step and each switch changes the picture, and the layers are in sight.
  const pictures = new Set();
  const drawn = async () => pictures.add(await without.locator("#picture").innerHTML());
  await drawn();
  assert(await without.locator("#plans .full").first().isVisible());
  assert.match(await without.locator("#picture svg").getAttribute("aria-label"), /^cube with . in place$/);
  await without.getByRole("button", { name: "Next piece" }).click();
  await drawn();
  await without.getByRole("slider", { name: "Step" }).fill("7");
  await drawn();
  await tools(without);
  await without.getByLabel("Checkerboard").check();
  await drawn();
  assert.equal(pictures.size, 4);
  // So is that of the figure of the day.
  await without.close();
  const flat = await openIndex(gallery);
  await flat.addInitScript(() => {
    const get = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind) { return kind === "webgl" ? null : get.call(this, kind); };
  });
  await flat.reload();
  await flat.waitForTimeout(0);
  assert(await flat.locator("#flat").isVisible() && await flat.locator("#stage").isHidden());
  assert((await flat.locator("#flat").boundingBox()).width > 400);
  await flat.context().close();

  const paper = await open(address(gallery, CUBE), { colorScheme: "dark" });
  await paper.emulateMedia({ media: "print" });
  assert(await paper.locator("#picture svg").isVisible() && await paper.locator("#plans svg").isVisible());
  assert(await paper.locator("#bibtex").isVisible(), "what mathematicians want is on paper too");
  assert.equal(await paper.locator("button:visible, input:visible, canvas:visible, .text summary:visible, #tools summary:visible, .menu summary:visible").count(), 0);
  assert.equal(await paper.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
  await shot(paper, "print", { fullPage: true });
  // With the pieces in place, if a solution is shown; and their layers.
  await paper.emulateMedia({ media: "screen" });
  await paper.getByRole("button", { name: "Show a solution" }).click();
  await paper.waitForFunction(() => document.querySelector("#at").textContent === "7 of 7");
  await paper.pdf();
  await paper.emulateMedia({ media: "print" });
  assert.match(await paper.locator("#picture svg").getAttribute("aria-label"), /^cube with .* in place$/);
  assert(await paper.locator("#picture svg").isVisible() && await paper.locator("#plans .full").first().isVisible());
  assert.equal(await paper.locator("button:visible, input:visible, canvas:visible").count(), 0);
  await shot(paper, "print-solution", { fullPage: true });
  // All cards of the index are on the paper, each with its picture.
  await paper.emulateMedia({ media: "screen" });
  await paper.goto(address(gallery, "index.html"));
  await paper.pdf();
  await paper.emulateMedia({ media: "print" });
  await paper.setViewportSize({ width: 700, height: 1000 });
  const cards = await paper.locator("#rows .card").evaluateAll((all) => all.map((card) => ({
    right: card.getBoundingClientRect().right, drawn: card.querySelector("canvas").height !== 150,
  })));
  assert(cards.length > 12 && cards.every(({ right, drawn }) => right <= 700 && drawn), JSON.stringify(cards));
  await paper.context().close();
}

/** The picture in the README shows what the first page shows: what it says is kept in the picture, and compared word for
 * word; how it looks is compared roughly, because no two machines have the same fonts. */
async function picture() {
  const path = process.env.PICTURE;
  if (!path) return;
  const page = await openIndex(gallery, { viewport: { width: 1180, height: 905 }, colorScheme: "light" });
  await page.waitForFunction(() => document.querySelector("#rows canvas").height !== 150 && document.querySelector("#stage").offsetWidth);
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  const shown = await page.evaluate(() => {
    const seen = [...document.querySelectorAll("h1, #today-box p, #today-box h2, #chips button, #rows h2, #rows a")].filter((one) => one.getBoundingClientRect().top < innerHeight);
    return seen.map((one) => one.innerText.replace(/\s+/g, " ").trim()).join("\n");
  });
  const now = withComment(await page.screenshot(), shown);
  if (process.env.RENEW) writeFileSync(path, now);
  const kept = readFileSync(path);
  assert.equal(commented(kept), shown, `${path} shows something else; RENEW=1 replaces it`);
  const differ = await difference(page, kept, now);
  assert(differ < 0.03, `${path} looks different (${differ}); RENEW=1 replaces it`);
  await page.context().close();
}

/** On a phone a swipe turns the view without a tap before, and an upright swipe scrolls the page. */
async function swipes() {
  const page = await open(address(gallery, CUBE), SIZES[0]);
  const from = await middle(page.locator("#stage"));
  const swipe = (dx, dy) => drawFinger(page, from, [from[0] + dx, from[1] + dy]);
  const calm = await view(page);
  await swipe(100, 0);
  assert.notEqual(await view(page), calm);
  assert.equal(await page.evaluate(() => window.scrollY), 0);
  await swipe(0, -150);
  await page.waitForFunction(() => window.scrollY > 50);
  await page.context().close();
}

const SIZES = [
  { viewport: { width: 390, height: 800 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
  { viewport: { width: 768, height: 1024 } },
  { viewport: { width: 1280, height: 900 } },
];

/** Every page at every size, light and dark: never wider than the window, and accessible. */
async function sizes() {
  const pages = ["index.html", "index.html#shelf=named", CUBE, CROSS, "figures/s1-2x5x11-am84800p24a08p0g20ag2p.html", "recognize.html", "glossary.html", "all.html", "sets/bedlam.html", "sets/conway.html"];
  for (const size of SIZES) {
    const page = await open("about:blank", size);
    for (const name of pages) {
      await page.emulateMedia({ colorScheme: "light" });
      const [file, filters] = name.split("#");
      await page.goto("about:blank");
      await page.goto(`${address(gallery, file)}${filters ? `#${filters}` : ""}`);
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert(width <= size.viewport.width, `${name} is ${width} pixels wide in ${size.viewport.width}`);
        await accessible(page, name);
        await shot(page, `${size.viewport.width}-${colorScheme}-${name.replace(/^figures.|\W+/g, "-")}`);
      }
    }
    await page.context().close();
  }
}

/** Tens of thousands of figures: the index opens, and filters, with 540 copies of each figure of the catalog. The
 * time is printed, not asserted. */
async function large() {
  const folder = mkdtempSync(join(tmpdir(), "somacat-"));
  try {
    cpSync(gallery, folder, { recursive: true });
    const script = readFileSync(join(folder, "data.js"), "utf8");
    const [before, rest] = script.split('"figures": [');
    const rows = rest.slice(0, rest.lastIndexOf("]"));
    writeFileSync(join(folder, "data.js"), `${before}"figures": [${Array.from({ length: 540 }, () => rows).join(",")}]};`);
    const start = performance.now();
    const page = await open(address(folder, "index.html"));
    await page.waitForFunction(() => document.querySelector("#status").textContent.startsWith("24,840 figures"));
    const opened = performance.now();
    await page.evaluate(() => {
      document.querySelector("#name").value = "cube";
      document.querySelector("#filters").dispatchEvent(new Event("input"));
    });
    const filtered = performance.now();
    assert.match(await text(page, "#status"), /^540 of 24,840 figures/);
    console.log(`24,840 figures open in ${Math.round(opened - start)} ms, filter in ${Math.round(filtered - opened)} ms`);
    await page.context().close();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

await run([filters, today, picture, figure, stories, trace, inside, held, solveMyself, hints, fewKeys, twoSets, dragging, threeActions, drawing, recognizer, embedded, plain, swipes, large, sizes]);
