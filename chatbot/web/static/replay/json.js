// Reads JSON without losing how numbers are written, and writes it in the one form that hashes are made of: keys sorted
// by code points, no blanks, numbers as Python writes them. `JSON.parse` would make 1 of 1.0, and round large numbers.

const DEEPEST = 200; // levels of arrays and objects in each other
const BLANK = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y; // what may stand in it is for `JSON.parse`
const WORDS = { true: true, false: false, null: null };
const SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** A number as it is written. */
export class Numeral {
  /** @param {string} text @param {boolean} isWhole */
  constructor(text, isWhole) {
    this.text = text;
    this.isWhole = isWhole;
  }
}

/**
 * Read a text; objects become maps, and numbers become numerals.
 * @param {string} text
 * @returns {any}
 */
export function parse(text) {
  let at = 0;
  const fail = () => {
    throw new SyntaxError(`no JSON at character ${at}`);
  };
  const take = (pattern) => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match;
  };
  const skip = () => take(BLANK);
  const expect = (sign) => {
    if (text[at] !== sign) fail();
    at += 1;
  };

  function string() {
    const match = take(STRING) ?? fail();
    const value = JSON.parse(match[0]);
    return SURROGATE.test(value) ? fail() : value; // half a character is no text
  }

  function list(end, item) {
    at += 1;
    skip();
    if (text[at] === end) at += 1;
    else {
      for (;;) {
        item();
        skip();
        if (text[at] === end) break;
        expect(",");
        skip();
      }
      at += 1;
    }
  }

  function value(depth) {
    if (depth > DEEPEST) fail();
    skip();
    if (text[at] === "{") {
      const map = new Map();
      list("}", () => {
        const key = string();
        skip();
        expect(":");
        map.set(key, value(depth + 1));
      });
      return map;
    }
    if (text[at] === "[") {
      /** @type {any[]} */
      const items = [];
      list("]", () => items.push(value(depth + 1)));
      return items;
    }
    if (text[at] === '"') return string();
    for (const [word, meaning] of Object.entries(WORDS)) {
      if (text.startsWith(word, at)) {
        at += word.length;
        return meaning;
      }
    }
    const match = take(NUMBER) ?? fail();
    return numeral(match[0], match[1] === undefined && match[2] === undefined);
  }

  const result = value(0);
  skip();
  return at === text.length ? result : fail();
}

/** Write a value that `parse` has read, or one of plain arrays, maps, texts, numerals and whole numbers. */
export function canonical(value) {
  if (value instanceof Map) {
    const keys = [...value.keys()].sort(byCodePoints);
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value.get(key))}`).join(",")}}`;
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value instanceof Numeral) return value.text;
  if (typeof value === "number" && !Number.isSafeInteger(value)) throw new RangeError("write other numbers as numerals");
  return JSON.stringify(value);
}

/** Return what a value is for programs: objects for maps, and numbers for numerals. */
export function plain(value) {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [key, plain(each)]));
  if (Array.isArray(value)) return value.map(plain);
  return value instanceof Numeral ? Number(value.text) : value;
}

/** Return the whole number that a value is. */
export function whole(value) {
  if (!(value instanceof Numeral) || !value.isWhole) throw new TypeError("a whole number was expected");
  return BigInt(value.text);
}

function byCodePoints(one, other) {
  const [first, second] = [[...one], [...other]];
  for (let at = 0; at < Math.min(first.length, second.length); at += 1) {
    const difference = Number(first[at].codePointAt(0)) - Number(second[at].codePointAt(0));
    if (difference) return difference;
  }
  return first.length - second.length;
}

function numeral(text, isWhole) {
  return new Numeral(isWhole ? String(BigInt(text)) : float(Number(text)), isWhole);
}

/** Write a double as Python does: with a point, or with an exponent where it is large or small. */
function float(number) {
  if (!Number.isFinite(number)) throw new SyntaxError("a number is too large");
  if (number === 0) return Object.is(number, -0) ? "-0.0" : "0.0";
  const [mantissa, power] = Math.abs(number).toExponential().split("e");
  const [digits, exponent, sign] = [mantissa.replace(".", ""), Number(power), number < 0 ? "-" : ""];
  if (exponent < -4 || exponent >= 16) return `${sign}${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const before = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${before}.${digits.slice(exponent + 1) || "0"}`;
}
