// Prints a newsletter of twelve figures on A4 and Letter and checks the pages.
//
//   node newsletter.mjs NEWSLETTER MIXED CARDS GRID6 GRID12 FEW …
//
// MIXED has five figures, of which two cannot be built, and no numbers; CARDS has eleven figures as cards; GRID6 and GRID12
// have seven and fourteen; each FEW has one to five figures.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { accessible, address, open, run, shot } from "./lib.mjs";

// Only texts are read, for which no geometry of the browser is needed; the package looks for it all the same.
globalThis.DOMMatrix ??= class {};
const { getDocument } = await import("pdfjs-dist/legacy/build/pdf.mjs");

const [newsletter, mixed, cards, grid6, grid12, ...few] = process.argv.slice(2);
assert(few.length > 0);

/** The texts of each page with their heights above the lower edge, as a share of the page. */
async function textsOf(pdf) {
  const file = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise;
  return Promise.all(Array.from({ length: file.numPages }, async (_, at) => {
    const page = await file.getPage(at + 1);
    const [, , width, height] = page.view;
    const { items } = await page.getTextContent();
    return items.filter(({ str }) => str.trim()).map(({ str, transform, height: size }) => ({ text: str.trim(), up: transform[5] / height, left: transform[4] / width, size }));
  }));
}

/** The figure's number if this text begins a heading. A line of a sentence, which is set smaller, can begin with "5." too. */
const numberOf = ({ text, size }) => (size > 9 ? /^(\d+)\./.exec(text)?.[1] : undefined);

/** The numbers of the figures that begin on each page. */
const numbersOn = (pages) => pages.map((items) => items.map(numberOf).filter(Boolean).join(""));

async function print() {
  const page = await open(address(newsletter, "newsletter.html"));
  const headings = await page.locator("main h3").allInnerTexts();
  assert.equal(headings.length, 24, "twelve figures and twelve answers");
  for (const format of ["A4", "Letter"]) {
    const pdf = await page.pdf({ format, printBackground: false });
    if (process.env.SCREENSHOTS) writeFileSync(join(process.env.SCREENSHOTS, `newsletter-${format}.pdf`), pdf);
    const pages = await textsOf(pdf);
    // One of challenges, two of answers, one of numbers.
    assert.equal(pages.length, 4, `${pages.length} pages of ${format}`);
    const onPage = (text) => pages.flatMap((items, at) => (items.some((item) => item.text.includes(text)) ? [at] : []));
    // All challenges on the first page, the answers behind it, the table with its heading, its explanation and rows.
    assert.deepEqual(onPage("Answers"), [1]);
    const numbers = onPage("The numbers");
    assert.deepEqual(numbers, [pages.length - 1]);
    assert.deepEqual(onPage("can be built"), numbers, "the table's explanation stands alone");
    for (let number = 1; number <= 12; number++) {
      const begins = pages.map((items) => items.filter(({ text }) => text.startsWith(`${number}.`)).length);
      assert(begins[0] >= 1 && begins.slice(1).reduce((a, b) => a + b) >= 1, `figure ${number} on ${begins} of ${format}`);
    }
    filled(pages, format);
  }
  await wellFilled(page);
  await page.context().close();
}

/** Nothing reaches beyond its place, so an answer has all its layers there, numbers drawn next to layers are as high as
 * in text of seven points, and something is on two fifths of the height of each page. */
async function wellFilled(page) {
  await page.setViewportSize({ width: 688, height: 956 });
  await page.emulateMedia({ media: "print" });
  const over = await page.locator(".entry").evaluateAll((all) => all.filter((one) => one.scrollHeight > one.clientHeight + 1).map((one) => one.innerText));
  assert.deepEqual(over, []);
  // The first stroke of the first number is as high as a capital. A stroke of two points is a dot or the bold edge.
  const capitals = await page.locator('svg path[stroke="#767676"]').evaluateAll((all) => all.map((path) => {
    const ups = [...path.getAttribute("d").slice(1).split("M")[0].matchAll(/ ([\d.]+)/g)].map(([, up]) => Number(up));
    if (ups.length < 3) return 0;
    const svg = path.ownerSVGElement;
    return 0.75 * (Math.max(...ups) - Math.min(...ups)) * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  }));
  const least = Math.min(...capitals.filter((height) => height > 0));
  assert(least >= 0.7 * 7 - 0.05, `${page.url()}: numbers of layers are ${least} points high`);
  for (const sheet of await page.locator(".page, main > .numbers").all()) {
    const png = (await sheet.screenshot()).toString("base64");
    const share = await page.evaluate(async (url) => {
      const picture = new Image();
      picture.src = url;
      await picture.decode();
      const canvas = Object.assign(document.createElement("canvas"), { width: picture.width, height: picture.height });
      const context = canvas.getContext("2d");
      context.drawImage(picture, 0, 0);
      // In bands of a centimeter.
      const band = 38;
      let filled = 0;
      for (let top = 0; top < picture.height; top += band) {
        if (context.getImageData(0, top, picture.width, Math.min(band, picture.height - top)).data.some((value, at) => at % 4 === 0 && value < 235)) filled += band;
      }
      return filled / 956;
    }, `data:image/png;base64,${png}`);
    assert(share >= 0.4, `${page.url()}: a page is ${Math.round(100 * share)} % full`);
  }
}

/** The numbers of few figures follow their answers on the last page. */
async function fewFigures() {
  for (const folder of few) {
    const page = await open(address(folder, "newsletter.html"));
    for (const format of ["A4", "Letter"]) {
      const pages = await textsOf(await page.pdf({ format }));
      filled(pages, format);
      const has = (pattern) => pages.flatMap((items, at) => (items.some(({ text }) => pattern.test(text)) ? [at] : []));
      assert.deepEqual(has(/^The numbers$/), [pages.length - 1], folder);
      assert.equal(has(/^\d+\./).at(-1), pages.length - 1, `${folder}: the numbers have a page of their own`);
    }
    // Text beside a picture as wide as half the page is larger than that of the numbers.
    const texts = await textsOf(await page.pdf({ format: "A4" }));
    for (const { text, size } of texts.flat().filter(({ text: words }) => /^(One of|The only|It cannot)/.test(words))) assert(size >= 10.9, `${folder}: ${text} has ${size} points`);
    await wellFilled(page);
    await shot(page, folder, { fullPage: true });
    await page.context().close();
  }
}

/** Cards: each back lies behind its front if the paper is turned over its long edge, and both pages have the same cuts. */
async function turned() {
  const page = await open(address(cards, "newsletter.html"));
  await accessible(page, "cards");
  for (const format of ["A4", "Letter"]) {
    const pdf = await page.pdf({ format });
    if (process.env.SCREENSHOTS) writeFileSync(join(process.env.SCREENSHOTS, `cards-${format}.pdf`), pdf);
    const pages = await textsOf(pdf);
    assert.equal(pages.length, 4);
    for (const [front, back] of [[0, 1], [2, 3]]) {
      const places = (at) => new Map(pages[at].flatMap((item) => {
        const number = numberOf(item);
        return number ? [[number, { left: item.left < 0.5, row: Math.floor((1 - item.up) * 4) }]] : [];
      }));
      const [fronts, backs] = [places(front), places(back)];
      assert.deepEqual([...fronts.keys()].sort(), [...backs.keys()].sort());
      assert.equal(fronts.size, front ? 5 : 6);
      for (const [number, place] of fronts) assert.notEqual(place.left, backs.get(number).left, `card ${number} of ${format}`);
    }
  }
  await page.setViewportSize({ width: 688, height: 956 });
  await page.emulateMedia({ media: "print" });
  const boxes = await page.locator(".entry").evaluateAll((all) => all.map((one) => {
    const page = one.closest(".page").getBoundingClientRect();
    const box = one.getBoundingClientRect();
    return [box.left, box.top - page.top, box.width, box.height].map(Math.round).join(" ");
  }));
  assert.equal(boxes.length, 32);
  for (let at = 8; at < 32; at += 8) assert.deepEqual(boxes.slice(at, at + 8), boxes.slice(0, 8));
  await wellFilled(page);
  await page.context().close();
}

/** Figures beyond a page are divided equally. */
async function grids() {
  for (const [folder, challenges] of [[grid6, ["1234", "567"]], [grid12, ["1234567", "891011121314"]]]) {
    const page = await open(address(folder, "newsletter.html"));
    for (const format of ["A4", "Letter"]) {
      const pages = await textsOf(await page.pdf({ format }));
      filled(pages, format);
      assert.deepEqual(numbersOn(pages).slice(0, 2), challenges, `${folder} on ${format}`);
    }
    await wellFilled(page);
    await page.context().close();
  }
}

/** No page holds a stray rest, nothing is too small to be read, and pages are numbered. */
function filled(pages, format) {
  pages.forEach((items, at) => {
    const isFoot = ({ up }) => up < 0.045;
    const lowest = Math.min(...items.filter((item) => !isFoot(item)).map(({ up }) => up));
    assert(lowest < 0.6, `page ${at + 1} of ${format} is nearly empty`);
    const least = Math.min(...items.map(({ size }) => size));
    assert(least >= 6.99, `text of ${least} points on page ${at + 1} of ${format}`);
    assert.equal(items.filter(isFoot).map(({ text }) => text).join("").replaceAll(" ", ""), `${at + 1}/${pages.length}`);
  });
}

/** Four figures a page; those that cannot be built follow on a page of their own. */
async function sections() {
  const page = await open(address(mixed, "newsletter.html"));
  for (const format of ["A4", "Letter"]) {
    const pdf = await page.pdf({ format });
    if (process.env.SCREENSHOTS) writeFileSync(join(process.env.SCREENSHOTS, `mixed-${format}.pdf`), pdf);
    const pages = await textsOf(pdf);
    filled(pages, format);
    assert.deepEqual(numbersOn(pages), ["123", "45", "12345"]);
    assert(pages[0].some(({ text }) => text.includes("Issue 7")) && pages[1].some(({ text }) => text === "Can you prove it?"));
  }
  await page.context().close();
}

async function screens() {
  for (const [width, colorScheme] of [[390, "light"], [390, "dark"], [768, "light"], [1440, "dark"]]) {
    const page = await open(address(newsletter, "newsletter.html"), { viewport: { width, height: 900 }, colorScheme });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert(wide <= width, `the newsletter is ${wide} pixels wide in ${width}`);
    await accessible(page, "newsletter.html");
    await shot(page, `newsletter-${width}-${colorScheme}`);
    await page.context().close();
  }
}

await run([print, fewFigures, grids, turned, sections, screens]);
