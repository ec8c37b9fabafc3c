// Drives the page of `somacat export page` in headless Chromium, opened from the disk: its rows are those of the program.
//
//   node page.mjs PROGRAM FIGURES
//
// FIGURES is the folder of the starter figures. Screenshots go to the folder that SCREENSHOTS names.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { accessible, address, fewControls, open, run, shot, text } from "./lib.mjs";

const [program, figures] = process.argv.slice(2);
execFileSync(program, ["export", "page", "somacat.html"]);
const PAGE = address(".", "somacat.html");

// The numbers come from a linear congruence, so that every run counts the same figures.
let seed = 62;
const random = (below) => {
  seed = (seed * 16807) % 2147483647;
  return seed % below;
};
/** Returns a random connected figure of 27 cells; every third one has a half turn. */
function grown(_, n) {
  const cells = new Map([["0,0,0", [0, 0, 0]]]);
  while (cells.size < 27) {
    const from = [...cells.values()][random(cells.size)];
    const to = from.map((v, axis) => v + (random(3) === axis ? random(2) * 2 - 1 : 0));
    if (to.some((v, axis) => Math.abs(v) > [2, 1, 1][axis])) continue;
    const both = [to, n % 3 ? to : [-to[0], -to[1], to[2]]];
    if (new Set([...cells.keys(), ...both.map(String)]).size <= 27) both.forEach((cell) => cells.set(String(cell), cell));
  }
  return `f${n}: ${[...cells.values()].map((cell) => cell.join(",")).join(" ")}\n`;
}
writeFileSync("random.cells", Array.from({ length: 1000 }, grown).join(""));
writeFileSync("strange.txt", "cube: 333 333 333\n\"a, b\": 67 77\n=1+1: 345 234 123\nempty: 3a3 3\nbar: 9 9 9\n");
writeFileSync("mine.txt", "X*4: 0,0,0 1,0,0\n");
writeFileSync("refused.soma", "/SOMA x\n/111/111/111\n/1x1/111\n/111\n");

/** The rows of the program, without the time in the column before the last. */
const counted = (args) => spawnSync(program, ["count", "--csv", "-q", ...args], { encoding: "utf8", maxBuffer: 2 ** 27 }).stdout.replace(/,\d*,([^,\n]*)$/gm, ",,$1");

/** Reads files, and waits until all figures are counted. */
async function read(page, files) {
  await page.locator("#files").setInputFiles(files);
  await done(page);
}
const done = (page) => page.waitForFunction(() => !byId("work").hidden && rows.length && rows.every(({ count }) => count) && !byId("status").textContent.startsWith("Counting"), null, { timeout: 120_000 });

async function saved(page, kind) {
  await page.locator("#save summary").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(`[data-save=${kind}]`).click()]);
  return readFileSync(await download.path(), "utf8");
}

async function rowsOfTheProgram() {
  const starter = readdirSync(figures).sort().map((name) => join(figures, name));
  for (const [what, files] of [["starter catalog", starter], ["random figures", ["random.cells"]], ["strange names", ["strange.txt"]]]) {
    const page = await open(PAGE);
    const begun = Date.now();
    await read(page, files);
    const spent = Date.now() - begun;
    const expected = counted(files);
    assert.equal(await saved(page, "csv"), expected, what);
    const rows = JSON.parse(await saved(page, "json"));
    const wanted = JSON.parse(spawnSync(program, ["count", "--json", "-q", ...files], { encoding: "utf8", maxBuffer: 2 ** 27 }).stdout);
    assert.deepEqual(rows, wanted.map((row) => ({ ...row, micros: null })), what);
    console.log(`   ${what}: ${expected.split("\n").length - 2} figures in ${spent} ms`);
    await page.context().close();
  }
}

/** Without a figure there is no list, and the remarks are told above. */
async function refusedFilesAreTold() {
  const page = await open(PAGE);
  await page.locator("#files").setInputFiles("refused.soma");
  await page.waitForFunction(() => byId("trouble").textContent.startsWith("refused.soma:3: x: "));
  assert.equal(await page.locator("#work").isVisible(), false);
  await read(page, ["strange.txt"]);
  assert.equal(await text(page, "#trouble"), "");
  await page.context().close();
}

async function piecesAreChosen() {
  const page = await open(PAGE);
  await page.getByLabel("Or paste figures").fill("22 22\n\n9 0\n");
  await page.getByRole("button", { name: "Read the text" }).click();
  await done(page);
  await page.locator("#options summary").click();
  const recounted = async (name) => {
    await page.waitForFunction((wanted) => byId("set-name").parentElement.textContent === wanted, `Pieces: ${name}`);
    await done(page);
  };
  await page.getByLabel("Piece file").setInputFiles("mine.txt");
  await recounted("mine");
  const cells = (at) => page.locator("#rows tr").nth(at).locator("td").allInnerTexts();
  assert.deepEqual((await cells(0)).slice(5, 9), ["can be built", "9", "2", "2"]);
  assert.equal((await cells(1))[5], "cannot: size");
  await page.getByLabel("Cells may stay empty").check();
  await recounted("mine, cells may stay empty");
  assert.equal((await cells(1))[6], "5");
  await page.getByLabel("Other pieces").fill("V L T2");
  await page.getByLabel("Other pieces").blur();
  await recounted("V L T2, cells may stay empty");
  await page.getByLabel("Other pieces").fill("no such set");
  await page.getByLabel("Other pieces").blur();
  await page.waitForFunction(() => /no such set/.test(byId("set-told").textContent));
  await accessible(page, "the pieces");
}

async function aFigureIsOpened() {
  const page = await open(PAGE);
  await page.waitForFunction(() => about);
  await accessible(page, "the start");
  await shot(page, "page-start");
  await page.getByRole("button", { name: "Try thirteen examples" }).click();
  await done(page);
  assert.match(await text(page, "#status"), /^13 figures, 12 of them different: 11 can be built, 2 cannot\.$/);
  await page.waitForFunction(() => rows.every(({ stars, count }) => stars || count.verdict !== "counted"));
  await accessible(page, "the table");
  const first = () => page.locator("#rows tr .link").first().innerText();
  await page.getByLabel("Sort by").selectOption("unique");
  assert.equal(await first(), "crystal");
  await page.getByRole("button", { name: "Reverse the order" }).click();
  assert.equal(await first(), "chaise-lounge");
  // A click on a head sorts too, and the choice follows it.
  await page.getByRole("columnheader", { name: "Difficulty" }).click();
  assert.equal(await page.getByLabel("Sort by").inputValue(), "difficulty");
  assert.equal(await page.getByRole("columnheader", { name: "Difficulty" }).getAttribute("aria-sort"), "descending");
  await page.getByLabel("Sort by").selectOption("order of the files");
  assert.equal(await first(), "cube");
  // Only what some figure is can be chosen.
  assert.deepEqual(await page.locator("#show option:not([hidden])").allInnerTexts(), ["All (13)", "Can be built (11)", "One way (1)", "Cannot be built (2)", "Duplicates (2)"]);
  await page.locator("#show").selectOption("buildable");
  assert.equal(await page.locator("#rows tr").count(), 11);
  await page.getByLabel("Find by name").fill("oh cube");
  assert.equal(await page.locator("#rows tr").count(), 1);
  await page.getByRole("button", { name: "cube", exact: true }).click();
  assert.match(await text(page, "#answer"), /^240 ways to build it/);
  await page.getByRole("button", { name: "Next piece" }).click();
  await page.waitForFunction(() => /^[A-Z]: layer .*\. 6 pieces to go/.test(byId("told").textContent));
  await page.getByRole("button", { name: "All pieces" }).click();
  await page.waitForFunction(() => byId("of").textContent === "of 240");
  assert.match(await text(page, "#told"), /Complete\. SOMAP code/);
  const packing = await page.evaluate(() => byId("soma").textContent);
  await page.getByRole("button", { name: "Next solution" }).click();
  assert.notEqual(await page.evaluate(() => byId("soma").textContent), packing);
  // All solutions are packings, and different ones.
  const texts = await page.evaluate(() => panel.packings.map(({ soma }) => soma));
  writeFileSync("solutions.soma", texts.map((one, at) => one.replace(/^\S+/, `/SOMA${at + 1}`)).join(""));
  const verified = spawnSync(program, ["import", "solutions.soma", "--no-count", "--db", "solutions.db"], { encoding: "utf8" });
  assert.match(verified.stderr, /240 read, 240 taken, 0 refused/);
  assert.doesNotMatch(verified.stderr, /solutions\.soma:/);
  assert.equal(new Set(texts).size, 240);
  // In the cube T lies in one way up to symmetry.
  await page.getByText("For mathematicians").click();
  await page.getByText("Where can a piece lie?").first().click();
  await page.waitForFunction(() => byId("places").querySelector(".places li"));
  assert.match(await text(page, "#places"), /T 1: 24 places,\s+always/);
  // The map leads to another solution, and from there back.
  await page.locator("#map-box summary").click();
  await page.locator("#moves button").first().waitFor();
  assert.match(await text(page, "#map-told"), /239 solutions are connected, any two of them by at most 8 moves; 1 solution has no neighbor/);
  const from = await page.locator("#solution").inputValue();
  await page.locator("#moves button").first().click();
  assert.notEqual(await page.locator("#solution").inputValue(), from);
  await page.locator("#moves button").filter({ hasText: new RegExp(`→ ${from}$`) }).first().click();
  assert.equal(await page.locator("#solution").inputValue(), from);
  assert.match(await text(page, "#facts"), /s1-3x3x3-zzzzz3/);
  await accessible(page, "the figure");
  await shot(page, "page-figure");
  await page.getByRole("button", { name: "Close the figure" }).click();
  assert(await page.locator("#figure").isHidden());
}

/** The puzzle of the open figure: a hint completes what is in place; and why another figure cannot be built. */
async function aFigureIsPlayed() {
  const page = await open(PAGE, { viewport: { width: 390, height: 844 } });
  await page.getByRole("button", { name: "Try thirteen examples" }).click();
  await done(page);
  await page.getByRole("button", { name: "cube", exact: true }).click();
  await page.getByRole("tab", { name: "Play" }).click();
  const told = (words) => page.waitForFunction((wanted) => new RegExp(wanted).test(byId("told").textContent), words);
  // T along an edge is in every packing of the cube.
  await page.getByRole("toolbar", { name: "Pieces" }).getByRole("button", { name: "T" }).click();
  await page.getByLabel("layer 1, row 1, column 2:").click();
  const lies = () => page.evaluate(() => panel.puzzle.placed[0].place.cells.map((cell) => panel.row.cells[cell]));
  const isAlongEdge = (cells) => cells.filter((cell) => cell.filter((v) => v === 1).length <= 1).length === 4 || cells.filter((cell) => cell.every((v) => v !== 1)).length === 2;
  for (let n = 0; n < 40 && !isAlongEdge(await lies()); n++) await page.getByRole("button", { name: "Turn", exact: true }).click();
  const first = await lies();
  await fewControls(page);
  await accessible(page, "the puzzle");
  await shot(page, "page-puzzle");
  for (let rest = 5; rest > 0; rest--) {
    await page.getByRole("button", { name: "Hint" }).click();
    await told(`^Hint: [A-Z]: layer .* ${rest} pieces? to go\\.$`);
  }
  await page.getByRole("button", { name: "Hint" }).click();
  await told("^Solved in .* This is one of 240 ways\\.$");
  assert.deepEqual(await lies(), first);
  await page.getByRole("tab", { name: "Explore" }).click();
  await page.getByText("Look closer").click();
  await page.getByLabel("Axes and mirrors").check();
  await page.waitForFunction(() => /6 axes of half turns/.test(byId("elements-told").textContent));
  await page.getByRole("button", { name: "Close the figure" }).click();
  await page.getByRole("button", { name: "W-wall", exact: true }).click();
  await page.getByRole("button", { name: "Why can this not be built?" }).click();
  await page.waitForFunction(() => /^Mark 10 cells\. V covers at most 1, L 2,/.test(byId("why-told").textContent));
  assert(await page.getByRole("tab", { name: "Play" }).isHidden());
  await accessible(page, "a reason");
  await shot(page, "page-why");
}

async function workIsKeptAndContinued() {
  const page = await open(PAGE);
  await page.locator("#files").setInputFiles("random.cells");
  // Within the page: the rest is counted in less time than a click from here takes.
  await page.waitForFunction(() => {
    const enough = rows.filter(({ count }) => count).length > 20;
    if (enough) byId("stop").click();
    return enough;
  });
  const before = await page.evaluate(() => rows.filter(({ count }) => count).length);
  assert(before < 1000, "stopped too late");
  await page.evaluate(() => keep());
  await page.reload();
  await page.waitForFunction(() => /^From your last visit/.test(byId("status").textContent));
  assert.equal(await page.evaluate(() => rows.filter(({ count }) => count).length), before);
  // All that the table ever has in sight: a stopped count, an order that can be reversed, and several pages.
  await page.getByLabel("Sort by").selectOption("unique");
  await fewControls(page);
  await page.getByRole("button", { name: "Continue" }).click();
  await done(page);
  assert.equal(await saved(page, "csv"), counted(["random.cells"]));
  await page.getByRole("button", { name: "Start over" }).click();
  await page.locator("#start").waitFor();
  await page.reload();
  await page.waitForFunction(() => about);
  assert(await page.locator("#start").isVisible());
}

async function duplicatesAreRecognized() {
  const page = await open(PAGE);
  // A piece, its mirror image, and the piece turned.
  await page.getByLabel("Or paste figures").fill("a: 0,0,0 1,0,0 0,1,0 1,0,1\nb: 0,0,0 1,0,0 0,1,0 0,1,1\nc: 1,0,0 1,1,0 0,0,0 1,1,1\n");
  await page.getByRole("button", { name: "Read the text" }).click();
  await page.waitForFunction(() => rows.length === 3);
  assert.deepEqual(await page.evaluate(() => rows.map(({ twin }) => twin)), ["", "the mirror image of a", "the same as a"]);
}

async function filesAreDroppedAndPasted() {
  const page = await open(PAGE);
  await page.waitForFunction(() => about);
  const give = (kind, name, text) => page.evaluate(([event, file, content]) => {
    const data = new DataTransfer();
    if (file) data.items.add(new File([content], file));
    else data.setData("text", content);
    const [Kind, key] = event === "drop" ? [DragEvent, "dataTransfer"] : [ClipboardEvent, "clipboardData"];
    document.body.dispatchEvent(new Kind(event, { [key]: data, bubbles: true, cancelable: true }));
  }, [kind, name, text]);
  await give("drop", "a.txt", "cube: 333 333 333\n");
  await give("paste", "b.soma", "/SOMA tower\n/.1/11\n/11/11\n/11/11\n/11/11\n/11/11\n/11/11\n/11/11\n");
  await give("paste", "", "67 77\n");
  await page.waitForFunction(() => rows.length === 3);
  await done(page);
  assert.deepEqual(await page.evaluate(() => rows.map(({ count }) => count.unique)), ["240", "760", "760"]);
  assert.match(await saved(page, "soma"), /^\/SOMA cube\n\/111\/111\/111\n/);
  await page.getByRole("button", { name: "cube", exact: true }).click();
  await page.getByText("Look closer").click();
  const [svg] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "SVG picture" }).click()]);
  assert.match(readFileSync(await svg.path(), "utf8"), /^<svg xmlns=.*<\/svg>$/s);
}

/** What a pupil draws for a friend is counted with the pieces of the friend, by keyboard too. */
async function aFigureIsDrawn() {
  const page = await open(PAGE);
  await page.waitForFunction(() => about);
  await page.locator("#options summary").click();
  await page.getByLabel("Other pieces").fill("V L");
  await page.getByLabel("Other pieces").blur();
  await page.locator("#options summary").click();
  await page.getByText("Or draw one").click();
  await fewControls(page);
  await accessible(page, "the squares");
  await shot(page, "page-draw");
  const cells = ["0,0,0", "0,0,1", "1,0,1", "0,1,1", "1,1,1", "2,0,1", "2,1,1"];
  const squares = cells.map((cell) => cell.split(",").map((v) => Number(v) + 1)).map(([x, y, z]) => page.getByLabel(`layer ${z}, row ${y}, column ${x}`));
  for (const one of squares.slice(1)) await one.click();
  await squares[0].press("Space");
  // A second click empties a square.
  await page.getByLabel("layer 5, row 5, column 5").click();
  await page.getByLabel("layer 5, row 5, column 5").click();
  await page.getByRole("button", { name: "Count the drawing" }).click();
  await done(page);
  writeFileSync("drawing.cells", `drawing: ${cells.join(" ")}\n`);
  const expected = counted(["--set", "V L", "drawing.cells"]);
  assert.match(expected, /,counted,/);
  assert.equal(await saved(page, "csv"), expected);
}

async function phoneAndDark() {
  for (const [width, scheme] of [[390, "light"], [390, "dark"], [800, "light"], [800, "dark"], [1440, "light"], [1440, "dark"]]) {
    const page = await open(PAGE, { viewport: { width, height: width === 390 ? 844 : 900 }, colorScheme: scheme });
    const name = `page-${width}-${scheme}`;
    const narrow = async () => assert(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${name} scrolls sideways`);
    await page.waitForFunction(() => about);
    await narrow();
    await shot(page, `${name}-start`);
    await page.getByRole("button", { name: "Try thirteen examples" }).click();
    await done(page);
    await page.waitForTimeout(300);
    await narrow();
    await fewControls(page);
    await shot(page, `${name}-table`);
    await page.getByRole("button", { name: "tower", exact: true }).click();
    await page.getByRole("button", { name: "All pieces" }).click();
    await page.waitForFunction(() => /Complete/.test(byId("told").textContent));
    await page.waitForTimeout(300);
    await narrow();
    await page.locator("#numbers").waitFor();
    await fewControls(page);
    await accessible(page, name);
    await shot(page, `${name}-figure`);
    await page.context().close();
  }
}

async function oneFileIsSmall() {
  const { size } = statSync("somacat.html");
  assert(size <= 1_500_000, `somacat.html has ${size} bytes`);
  console.log(`   somacat.html has ${size} bytes`);
  // Nothing is fetched, and no path of a machine is in it: `open` notices requests.
  assert.doesNotMatch(readFileSync("somacat.html", "utf8"), /\/root\/|\/home\/|\/work\//);
}

async function olderBrowsers() {
  const old = async (script) => {
    const page = await open("about:blank");
    await page.addInitScript(script);
    await page.goto(PAGE);
    return page;
  };
  const without = await old("delete window.WebAssembly");
  await without.waitForFunction(() => /too old for this page: it lacks WebAssembly/.test(byId("trouble").textContent));
  // What is asked for before the program is there waits for it.
  const slow = await old("const { compile } = WebAssembly; WebAssembly.compile = async (...all) => { await new Promise((done) => { window.go = done; }); return compile(...all); }");
  await slow.getByRole("button", { name: "Try thirteen examples" }).click();
  await slow.waitForFunction(() => window.go);
  await slow.evaluate(() => window.go());
  await done(slow);
  assert.equal(await text(slow, "#trouble"), "");
  // Without workers the program runs in the page; without WebGL, pictures take the place of the 3D view.
  const plain = await old("window.Worker = undefined; HTMLCanvasElement.prototype.getContext = ((get) => function (kind, ...more) { return kind === 'webgl' ? null : get.call(this, kind, ...more); })(HTMLCanvasElement.prototype.getContext)");
  await plain.getByRole("button", { name: "Try thirteen examples" }).click();
  await done(plain);
  await plain.getByRole("button", { name: "cube", exact: true }).click();
  await plain.getByRole("button", { name: "All pieces" }).click();
  await plain.waitForFunction(() => /Complete/.test(byId("told").textContent));
  assert(await plain.locator("#stage").isHidden());
  assert.match(await plain.locator("#picture svg").getAttribute("aria-label"), /cube with .* in place/);
  await accessible(plain, "the figure without WebGL");
}

async function byKeyboard() {
  const page = await open(PAGE);
  await page.waitForFunction(() => about);
  await page.getByRole("button", { name: "Try thirteen examples" }).focus();
  await page.keyboard.press("Enter");
  await done(page);
  await page.getByRole("button", { name: "crystal", exact: true }).focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "figure");
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "crystal");
  await page.emulateMedia({ media: "print" });
  assert(await page.locator("#show").isHidden() && await page.getByText("gallows", { exact: true }).isVisible());
  await shot(page, "page-print");
}

await run([oneFileIsSmall, rowsOfTheProgram, refusedFilesAreTold, piecesAreChosen, aFigureIsOpened, aFigureIsPlayed, workIsKeptAndContinued, duplicatesAreRecognized, filesAreDroppedAndPasted, aFigureIsDrawn, olderBrowsers, byKeyboard, phoneAndDark]);
