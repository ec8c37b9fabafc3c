// Checks the scripts of pages: types by TypeScript, for each page with the scripts that it has, and rules by ESLint.
//
//   node scripts.mjs SITE SOURCES
//
// SITE has the scripts, SOURCES the Rust files that name those of `figure.js`, `embed.js` and the one page.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [site, sources] = process.argv.slice(2).map((path) => resolve(path));
const read = (folder, name) => readFileSync(join(folder, name), "utf8");
const scriptsIn = (text) => Array.from(text.matchAll(/include_str!\("\.\.\/site\/(\w+\.js)"\)/g), ([, name]) => name);

/** The scripts of each page, in order. */
const pages = {
  ...Object.fromEntries(["index.html", "recognize.html"].map((page) => [
    page, Array.from(read(site, page).matchAll(/src="(\w+\.js)"/g), ([, name]) => name).filter((name) => !["data.js", "somacat.js"].includes(name))])),
  ...Object.fromEntries(Array.from(read(sources, "gallery.rs").matchAll(/"(\w+\.js)",\s*concat!\(([^;]*?)\n {8}\)/g), ([, name, list]) => [name, scriptsIn(list)])),
  "somacat.html": scriptsIn(read(sources, "one_page.rs")),
  "view_3d": scriptsIn(read(sources, "view_3d.rs")),
};
assert.deepEqual(Object.keys(pages).sort(), ["embed.js", "figure.js", "index.html", "recognize.html", "somacat.html", "view_3d"]);
for (const [page, names] of Object.entries(pages)) assert(names.length > 2, `${page} has the scripts ${names}`);

const run = (tool, args) => {
  const { status, stdout, stderr } = spawnSync(join(here, "node_modules/.bin", tool), args, { cwd: site, encoding: "utf8" });
  return status ? `${stdout}${stderr}` : "";
};
const flags = ["--noEmit", "--allowJs", "--checkJs", "--target", "es2023", "--lib", "es2023,dom,dom.iterable", "--typeRoots", "none", "--moduleDetection", "legacy", "--noImplicitReturns", "--noUnusedParameters", "--noFallthroughCasesInSwitch"];
const all = new Set();
for (const [page, names] of Object.entries(pages)) {
  names.forEach((name) => all.add(name));
  // `Cell` is a type of cells.js.
  const files = [...new Set(["cells.js", ...names])].map((name) => join(site, name));
  const faults = run("tsc", [...flags, join(here, "globals.d.ts"), ...files]);
  assert.equal(faults, "", `types of the scripts of ${page}:\n${faults}`);
}
const faults = run("eslint", ["--no-config-lookup", "--max-warnings", "0", "--config", join(here, "eslint.config.mjs"), ...[...all].map((name) => join(site, name))]);
assert.equal(faults, "", `rules of scripts:\n${faults}`);
console.log(`ok ${all.size} scripts of ${Object.keys(pages).length} pages`);
