// Fits names into the room that there is: whole, in lines, or cut so that two people stay distinguishable.

import { make } from "../dom.js";

const PLAIN = '"Rabble Plain", "Segoe UI", "Malgun Gothic", "Apple SD Gothic Neo", "Noto Sans CJK KR", sans-serif';
const WIDE = '"Rabble Wide", "Arial Black", "Malgun Gothic", "Apple SD Gothic Neo", "Noto Sans CJK KR", sans-serif';
const CUT = "\u2026";
const WORDED = 0.55; // of the size of letters may be given up for lines that end with a word
const LONGEST_END = 8; // letters of the end of a cut name
// Where a line of a name may best end: before a capital letter or a digit that follows others, and after a sign.
const JOINTS = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=\p{N})|(?<=[_\s-])/u;
// Each syllable or sign of these scripts stands for itself, so a line may end after any of them.
const ANYWHERE = /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const segmenter = new Intl.Segmenter();

/** @type {CanvasRenderingContext2D | null} */
let pen = null;

/**
 * The room of a name: letters of so many pixels, in at most so many `lines` that are `width` wide; `wide` is the face
 * of titles.
 * @typedef {{ size: number, width: number, lines?: number, wide?: boolean }} Room
 */

/** Return how wide a text is, in pixels. */
export function breadth(text, { size, wide = false }) {
  pen ??= /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  pen.font = wide ? `800 ${size}px ${WIDE}` : `600 ${size}px ${PLAIN}`;
  return pen.measureText(text).width;
}

const letters = (text) => Array.from(segmenter.segment(text), ({ segment }) => segment);

/**
 * Divide a name into lines; null if it has no room.
 * @param {string} name
 * @param {Room} room
 * @returns {string[] | null}
 */
export const linesOf = (name, room) => atJoints(name, room) ?? ((room.lines ?? 1) > 1 ? wrapped(letters(name), room) : null);

/** The same with lines that end where a word of the name does. */
function atJoints(name, room) {
  if (breadth(name, room) <= room.width) return [name];
  return (room.lines ?? 1) > 1 ? wrapped(name.split(JOINTS), room) : null;
}

function wrapped(parts, room) {
  const done = [];
  let line = "";
  for (const part of parts.flatMap((each) => (ANYWHERE.test(each) ? letters(each) : [each]))) {
    if (breadth(line + part, room) > room.width && line) {
      done.push(line);
      line = "";
    }
    line += part;
    if (breadth(line, room) > room.width) return null;
  }
  done.push(line);
  return done.length <= (room.lines ?? 1) ? done : null;
}

/**
 * Return the lines of names that are shown together: whole where there is room, and otherwise cut, with as much of their
 * ends as tells them apart. `roomOf(index)` is the room of each.
 * @param {string[]} names
 * @param {(index: number) => Room} roomOf
 * @returns {string[][]}
 */
export function together(names, roomOf) {
  const shown = names.map((name, index) => linesOf(name, roomOf(index)));
  const cut = new Set([...names.keys()].filter((index) => shown[index] === null));
  for (let end = 0; end <= LONGEST_END; end += 1) {
    const known = new Map();
    for (const index of cut) shown[index] = cutTo(names[index], end, roomOf(index));
    for (const lines of shown) known.set(lines?.join(""), (known.get(lines?.join("")) ?? 0) + 1);
    for (const index of cut) if (known.get(shown[index]?.join("")) === 1) cut.delete(index);
    if (!cut.size) break;
  }
  return /** @type {string[][]} */ (shown);
}

/** Cut a name to as many letters of its beginning as there is room for besides `end` letters of its end. */
function cutTo(name, end, room) {
  const all = letters(name);
  const last = end ? all.slice(-end).join("") : "";
  for (let count = all.length - end - 1; count > 0; count -= 1) {
    const found = linesOf(all.slice(0, count).join("") + CUT + last, room);
    if (found) return found;
  }
  return [all[0] + CUT + last];
}

/** Make an element with a name in lines; `name` is the whole of it. */
export function drawName(className, name, lines) {
  return writeName(make("bdi", { className }), name, lines);
}

/** Write a name into an element, unless it has these lines already. */
export function writeName(node, name, lines) {
  const now = lines.join("\n");
  if (node.dataset.lines === now) return node;
  node.dataset.lines = now;
  node.dataset.name = name;
  node.classList.add("name-lines");
  node.replaceChildren(...lines.map((line) => make("span", { className: "name-line", textContent: line })));
  return node;
}

/**
 * Return the largest of some sizes of letters at which all names are whole, and their lines; if there is none, the
 * smallest, at which some are cut. Somewhat smaller ones are preferred to a name that is divided within a word.
 * `roomOf(index, size)` is the room of each.
 * @param {string[]} names
 * @param {number[]} sizes
 * @param {(index: number, size: number) => Omit<Room, "size">} roomOf
 */
export function largest(names, sizes, roomOf) {
  const roomAt = (size) => (index) => ({ size, ...roomOf(index, size) });
  const best = (divide) => sizes.find((size) => names.every((name, index) => divide(name, roomAt(size)(index)))) ?? 0;
  const [whole, worded] = [best(linesOf), best(atJoints)];
  const size = (worded >= whole * WORDED ? worded : whole) || sizes[sizes.length - 1];
  return { size, lines: together(names, roomAt(size)) };
}

/** Write names into elements, all in letters of the same size; returns that size, and the most lines of a name. */
export function writeLargest(nodes, names, sizes, roomOf) {
  const { size, lines } = largest(names, sizes, roomOf);
  for (const [index, node] of nodes.entries()) {
    writeName(node, names[index], lines[index]);
    node.style.fontSize = `${size}px`;
  }
  return { size, most: Math.max(1, ...lines.map((each) => each.length)) };
}
