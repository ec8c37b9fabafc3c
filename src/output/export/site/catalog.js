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

/** Returns an outcome of a row as an object. */
const outcomeOf = ([set, verdict, reason, raw, rotation, unique, effort, families, difficulty]) => (
  { set: GALLERY.sets[set], verdict, reason, raw, rotation, unique, effort, families, difficulty });

/** The figures of data.js as objects. `images` has the names of mirror images, `titles` those of names, by position. */
const FIGURES = GALLERY.figures.map(([signature, page, names, title, classAt, cells, parity, position, outcomes, images, titles, number]) => {
  const [className, symmetry, allen, order, folds] = GALLERY.classes[classAt];
  return {
    signature, page: page || signature, names, title, className, symmetry, allen, order, folds, cells, parity, position,
    outcomes: outcomes.map(outcomeOf), images, titles, number,
  };
});

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

/** Describes an outcome in a few words. */
function told({ verdict, reason, raw, unique }) {
  if (verdict === "counted") return unique === "1" ? "1 unique solution" : `${grouped(unique)} unique solutions`;
  if (verdict === "at-least") return `at least ${grouped(raw)} solutions`;
  if (verdict === "unsolvable") return `cannot be built (${reason})`;
  return VERDICTS[verdict] || "not counted";
}
