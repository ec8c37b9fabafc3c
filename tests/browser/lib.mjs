// What the browser tests share: the browser, pages that notice every trouble, screenshots, accessibility.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  // Without a graphics card, putting pages together in software takes a fifth of the time that WebGL's software takes for it.
  args: [
    "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing",
  ],
});

/** Errors of pages and requests to elsewhere, of all tests. */
export const troubles = [];
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const screenshots = process.env.SCREENSHOTS;
if (screenshots) mkdirSync(screenshots, { recursive: true });

export const address = (folder, page) => pathToFileURL(resolve(folder, page)).href;
export const text = (page, selector) => page.locator(selector).innerText();

export async function open(address, options = {}) {
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

export async function shot(page, name, options = {}) {
  if (screenshots) await page.screenshot({ path: join(screenshots, `${name}.png`), ...options });
}

/** Fails if axe-core finds anything. */
export async function accessible(page, name) {
  if (!await page.evaluate(() => "axe" in window)) await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    // Style sheets are not fetched again, which pages of the file system may not.
    const { violations } = await window.axe.run({ preload: false, resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
  });
  assert.deepEqual(found, [], `${name} is not accessible`);
}

/** Fails if more than twelve controls are in sight, without the rows of a table, the pieces and the squares. */
export async function fewControls(page) {
  const seen = await page.locator("body").locator("button:visible, input:visible, select:visible, textarea:visible, summary:visible")
    .evaluateAll((all) => all.filter((one) => !one.closest("#rows, #tray, #board, #layers, #pad")).map((one) => one.textContent.trim() || one.id));
  assert(seen.length <= 12, `${seen.length} controls: ${seen.join(", ")}`);
}

/** Runs tests one after the other and ends the browser. Pages of a test that ended would draw on. */
export async function run(tests) {
  try {
    for (const test of tests) {
      await test();
      console.log(`ok ${test.name}`);
      await Promise.all(browser.contexts().map((context) => context.close()));
    }
    assert.deepEqual(troubles, []);
  } finally {
    await browser.close();
  }
}
