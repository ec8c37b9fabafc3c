// The figures of the gallery: how they are found by name, and their outcomes in words.
"use strict";

/** Removes blanks, hyphens, underscores, and the leading zeros of numbers. */
const simplified = (text) => text.replace(/[\s_-]+/g, "").replace(/(?<!\d)0+(?=\d)/g, "");

/** Returns a test for texts: for a part, also of the simplified text, or with * and ? for the whole. */
function matcher(text) {
  const wanted = text.trim().toLowerCase();
  if (!/[*?]/.test(wanted)) {
    const part = simplified(wanted);
    const escaped = part.replace(/[.+^${}()|[\]\\]/g, "\\$&");
    // A number at the end is a whole number.
    const within = /\p{L}/u.test(part) ? new RegExp(/\d$/.test(part) ? `${escaped}(?!\\d)` : escaped) : null;
    return (candidate) => candidate.includes(wanted) || (within?.test(simplified(candidate)) ?? false);
  }
  const pattern = wanted.replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*/g, ".*").replace(/\?/g, ".");
  const whole = new RegExp(`^${pattern}$`, "s");
  return (candidate) => whole.test(candidate);
}

/** @typedef {object} GalleryOutcome
 * @property {string} set
 * @property {string} verdict
 * @property {string} reason
 * @property {string} raw a decimal text, as `rotation` and `unique`
 * @property {string} rotation
 * @property {string} unique a lower bound if the verdict is `at-least`
 * @property {number | null} effort of a plain search
 * @property {number | null} families of the solutions
 * @property {number} difficulty */
/** @typedef {object} GalleryFigure
 * @property {string} signature
 * @property {string} page
 * @property {string[]} names
 * @property {string} title
 * @property {string} className
 * @property {string} symmetry in words
 * @property {string} allen
 * @property {number} order
 * @property {number[]} folds
 * @property {number} cells
 * @property {number} parity
 * @property {string} shape for `cellsOf`
 * @property {GalleryOutcome[]} outcomes
 * @property {[number, number][]} images positions of the names of mirror images, and of the names that they mirror
 * @property {[number, string][]} titles positions of names, with their titles
 * @property {string} number */

/** Returns a function that gives the values of a list their names.
 * @param {string[]} names */
const named = (names) => (values) => {
  const made = {};
  for (let at = 0; at < names.length; at++) made[names[at]] = values[at];
  return made;
};

/** Decodes data.js, which is short because 10,000 figures are in it: lists, with the names of their values once.
 * @returns {GalleryFigure[]} */
function decodedFigures() {
  const [classOf, figureOf, outcomeOf] = ["class", "figure", "outcome"].map((kind) => named(GALLERY.fields[kind]));
  const classes = GALLERY.classes.map(classOf);
  return GALLERY.figures.map((values) => {
    const figure = figureOf(values);
    const outcomes = figure.outcomes.map((outcome) => {
      const made = outcomeOf(outcome);
      made.set = GALLERY.sets[made.set];
      return made;
    });
    return Object.assign(figure, classes[figure.class], { page: figure.page || figure.signature, outcomes });
  });
}
const FIGURES = decodedFigures();

/** Returns the texts by which a figure is found: signature, title, names, titles of the names, and number. */
const textsOf = ({ signature, names, title, titles, number }) => (
  [signature, title, ...names, ...titles.map(([, text]) => text), number].map((text) => text.toLowerCase()));

/** Returns whether a text may be a name: one line with a letter. */
const isNameLike = (text) => /\p{L}/u.test(text) && !text.trim().includes("\n");

/** Returns the figures that have a text as a whole name or number. */
function figuresCalled(text) {
  if (!isNameLike(text)) return [];
  const name = simplified(text.trim().replace(/^\//, "").toLowerCase());
  return FIGURES.filter(({ names, number }) => [...names, number].some((known) => simplified(known.toLowerCase()) === name));
}

/** Returns the figures that a text names: by a whole name or number if there is one, else by a part. */
function figuresNamed(text) {
  if (!isNameLike(text)) return [];
  const named = figuresCalled(text);
  const fits = matcher(text.trim().replace(/^\//, ""));
  return named.length ? named : FIGURES.filter((figure) => textsOf(figure).some(fits));
}

const VERDICTS = {
  counted: "solutions counted", "at-least": "solutions, at least", unsolvable: "cannot be built", unknown: "undecided",
  failed: "search failed",
};
const grouped = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ",");

/** Returns what pages call a figure: its title, its name, its number or its signature; the first that there is.
 * @param {GalleryFigure} figure */
const titleOf = ({ title, names, number, signature }) => title || names[0] || number || signature;

/** Says in how many ways a figure can be built: `7 ways`, or `9,424+ ways` if there may be more.
 * @param {GalleryOutcome} outcome */
function waysOf({ verdict, unique }) {
  if (verdict === "counted") return unique === "1" ? "1 way" : `${grouped(unique)} ways`;
  if (verdict === "at-least") return `${grouped(unique)}+ ways`;
  if (verdict === "unsolvable") return "cannot be built";
  return VERDICTS[verdict] || "not counted";
}

const uniqueSolutions = (unique) => (unique === "1" ? "1 unique solution" : `${grouped(unique)} unique solutions`);

/** Describes an outcome in a few words. */
function told({ verdict, reason, unique }) {
  if (verdict === "counted") return uniqueSolutions(unique);
  if (verdict === "at-least") return `at least ${uniqueSolutions(unique)}`;
  if (verdict === "unsolvable") return `cannot be built (${reason})`;
  return VERDICTS[verdict] || "not counted";
}
