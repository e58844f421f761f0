// Draws what several games use: the clock as a ring of bolts, a crowd of heads, and titles.

import { draw, follow, make, setText } from "../dom.js";
import { drawHead } from "./heads.js";
import { enter, pulse, shift } from "./motion.js";
import { breadth, together, writeName } from "./names.js";

const BOLTS = 12;
const LAST_SECONDS = 5;
const HEAD_HEIGHT = 1.28; // of a head of width 1, with a little room above it
const MARGIN = 40; // pixels from a crowd to the edge of its plate
const MOST_NAMED = 12; // heads that all have their names above them
const TAG = { size: 32, line: 38, edge: 14, above: 6, beside: 8 }; // pixels: letters, a line of them, and the space around
const LEVELS = 4; // rows of names above each other
const HIGH = 270; // pixels that all rows may take
export const CARD_NAMES = 200; // and those above a card
const CUTS = [300, 240, 190, 150, 120, 100, 88]; // pixels of names that are cut, as long as all have room by that

/** Make a clock: a ring whose bolts slide home as time passes, with the seconds in it. */
export function createClock() {
  const ring = drawRing("clock-ring");
  const seconds = make("span", { className: "clock-seconds" });
  const node = make("div", { className: "clock" }, ring.picture, seconds);

  function tick(left, total) {
    setText(seconds, left > 99 ? minutes(left) : String(left));
    ring.shut(Math.round(BOLTS * (1 - left / Math.max(1, total))));
    node.classList.toggle("urgent", left <= LAST_SECONDS);
    if (left <= LAST_SECONDS && left > 0) pulse(seconds, 1.15);
  }

  return { node, tick };
}

const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** Draw a ring with bolts; `shut(count)` slides so many of them home. */
export function drawRing(name) {
  const bolts = Array.from({ length: BOLTS }, (_, index) =>
    draw("g", { transform: `rotate(${(360 / BOLTS) * index} 100 100)` }, draw("rect", { class: "bolt", x: 94, y: 4, width: 12, height: 26, rx: 4 })),
  );
  const picture = draw("svg", { class: name, viewBox: "0 0 200 200", "aria-hidden": "true" });
  picture.append(draw("circle", { class: "ring-frame", cx: 100, cy: 100, r: 88 }), draw("circle", { class: "ring-field", cx: 100, cy: 100, r: 72 }), ...bolts);

  function shut(count) {
    for (const [index, bolt] of bolts.entries()) bolt.firstElementChild?.classList.toggle("shut", index < count);
  }

  return { picture, shut };
}

/**
 * Make a row of heads, as it stands behind the upper edge of a plate: the newest `most`, and a number for the others.
 * If there is room, names are `high` pixels at most, all have their names above them, and otherwise, with `newestNamed`,
 * the newest. They are at most `apart` from each other,
 * in pixels, and names end at most `margin` beside the crowd.
 */
export function createCrowd({ width, most, head, newestNamed = false, apart = head * 1.5, high = HIGH, margin = MARGIN }) {
  const node = make("div", { className: "crowd" });
  let first = true;

  function update(people, look) {
    const shown = people.slice(Math.max(0, people.length - most));
    const gap = Math.min(apart, (width - head) / Math.max(1, shown.length - 1));
    const left = (width - head - gap * (shown.length - 1)) / 2;
    const wanted = shown.map(({ name }, index) => ({ name, middle: left + index * gap + head / 2 }));
    const all = shown.length <= MOST_NAMED ? tagsOf(wanted, width, high, margin) : null;
    const newest = newestNamed && wanted.length ? tagsOf(wanted.slice(-1), width, high, margin) : null;
    const tags = all ?? (newest ? [...shown.slice(1).map(() => null), newest[0]] : []);
    follow(
      node,
      shown,
      ({ seat }) => seat,
      (person) => build(look(person)),
      (box, person) => {
        const index = shown.indexOf(person);
        const known = box.style.left;
        const x = left + index * gap;
        box.style.left = `${x}px`;
        box.style.width = `${head}px`;
        if (known && Number.parseFloat(known) !== x) shift(box, Number.parseFloat(known) - x);
        box.dataset.state = look(person).state ?? "";
        name(box, person, tags[index] ?? null, x);
      },
    );
    node.style.marginTop = `${TAG.above + Math.max(TAG.line + TAG.above, ...tags.map((tag) => (tag ? tag.up + tag.height : 0)))}px`;
    node.dataset.more = people.length > shown.length ? `+${people.length - shown.length}` : "";
    first = false;
  }

  function name(box, person, tag, x) {
    box.classList.toggle("named", tag !== null);
    if (!tag) return;
    const [node, stem] = /** @type {HTMLElement[]} */ ([...box.children]);
    writeName(node, person.name, tag.lines);
    Object.assign(node.style, { left: `${tag.left - x}px`, width: `${tag.width}px`, bottom: `${head * HEAD_HEIGHT + tag.up}px` });
    // A name that is further up has a stem, which leads to its head.
    Object.assign(stem.style, { bottom: `${head * HEAD_HEIGHT}px`, height: `${tag.up}px` });
  }

  function build(look) {
    const box = make("div", { className: "in-crowd", data: { tint: look.tint } }, make("bdi", { className: "tag" }), make("i", { className: "stem" }), drawHead(look));
    if (!first) enter(/** @type {any} */ (box.lastElementChild), "translateY(90px)");
    return box;
  }

  return { node, update };
}

/**
 * Place names above the middles of their heads, whole if that is possible, none over another; null if they have no room.
 * @param {{ name: string, middle: number }[]} wanted
 */
function tagsOf(wanted, width, high, margin) {
  const most = width + 2 * margin - 2 * TAG.edge;
  const ways = [{ width: most, lines: 1 }, ...[most, ...CUTS].map((each) => ({ width: Math.min(each, most), lines: 2 })), ...CUTS.map((each) => ({ width: each, lines: 1 }))];
  // What is whole, in however many lines, is better than what is cut.
  const tries = ways.map((way) => ({ lines: together(wanted.map(({ name }) => name), () => ({ size: TAG.size, ...way })) }));
  const isWhole = ({ lines }) => lines.every((each, index) => each.join("") === wanted[index].name);
  for (const { lines } of [...tries.filter(isWhole), ...tries.filter((each) => !isWhole(each))]) {
    for (let count = 1; count <= LEVELS; count += 1) {
      const placed = place(wanted, lines, width, margin, count) ?? pushed(wanted, lines, width, margin, count);
      if (placed?.every(({ up, height }) => up + height <= high)) return placed;
    }
  }
  return null;
}

/** Place names from left to right, each on the lowest level where it has room. */
function place(wanted, lines, width, margin, levels) {
  const ends = Array.from({ length: levels }, () => -margin);
  const tags = [];
  for (const [index, { middle }] of wanted.entries()) {
    const tag = tagOf(middle, lines[index], width, margin);
    tag.level = ends.findIndex((end) => end <= tag.left);
    if (tag.level < 0) return null;
    ends[tag.level] = tag.left + tag.width + TAG.beside;
    tags.push(tag);
  }
  return raised(tags, levels);
}

/** Place names on levels in turn, beside the middles of their heads where they have no room above them. */
function pushed(wanted, lines, width, margin, levels) {
  const tags = wanted.map(({ middle }, index) => ({ ...tagOf(middle, lines[index], width, margin), level: index % levels }));
  for (let level = 0; level < levels; level += 1) {
    const row = tags.filter((tag) => tag.level === level);
    let end = -margin;
    for (const tag of row) {
      tag.left = Math.max(tag.left, end);
      end = tag.left + tag.width + TAG.beside;
    }
    let next = width + margin + TAG.beside;
    for (const tag of row.reverse()) {
      tag.left = Math.min(tag.left, next - TAG.beside - tag.width);
      next = tag.left;
    }
  }
  // The stem of a name rises from its head, and must end in it.
  const fits = tags.every(({ left, width: wide, middle }) => left >= -margin && left + TAG.edge <= middle && middle <= left + wide - TAG.edge);
  return fits ? raised(tags, levels) : null;
}

/** Return a name above the middle of its head, or as far aside as the edges of the plate want it. */
function tagOf(middle, lines, width, margin) {
  const wide = Math.ceil(Math.max(...lines.map((line) => breadth(line, { size: TAG.size })))) + 2 * TAG.edge;
  const left = Math.max(-margin, Math.min(middle - wide / 2, width + margin - wide));
  return { level: 0, left, width: wide, middle, lines, height: TAG.line * lines.length + TAG.above, up: 0 };
}

function raised(tags, levels) {
  const heights = Array.from({ length: levels }, (_, level) => Math.max(0, ...tags.filter((tag) => tag.level === level).map(({ height }) => height + TAG.above)));
  for (const tag of tags) tag.up = heights.slice(0, tag.level).reduce((sum, height) => sum + height, 0);
  return tags;
}

/** Make a label with a large number. */
export function figure(name, caption) {
  const value = make("span", { className: "figure-value" });
  const node = make("div", { className: `figure ${name}` }, value, make("span", { className: "figure-caption", textContent: caption }));
  return { node, value };
}

/** Let a node know how long the longest of some texts is, so that its style can make room for all of it. */
export function roomFor(node, texts) {
  // The unit of a large number, such as M, is as wide as two digits.
  const breadth = (written) => written.replace(/[\p{Lu}\p{Lo}]/gu, "00").length;
  node.style.setProperty("--letters", String(Math.max(1, ...texts.map(breadth))));
}

export const text = (className, content) => make("p", { className, textContent: content });
