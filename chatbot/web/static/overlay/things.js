// Draws what several games use: the clock as a ring of bolts, a crowd of heads, and titles.

import { draw, follow, make, setText } from "../dom.js";
import { drawHead } from "./heads.js";
import { enter, pulse, shift } from "./motion.js";

const BOLTS = 12;
const LAST_SECONDS = 5;
const HEAD_HEIGHT = 1.28; // of a head of width 1, with a little room above it
const NAME_WIDTH = 124; // pixels between heads from which each has its name above it
const MARGIN = 40; // pixels from a crowd to the edge of its plate

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
 * If there is room all have their names above them, and otherwise, with `newestNamed`, the newest. They are at most `apart`
 * from each other, in pixels.
 */
export function createCrowd({ width, most, head, newestNamed = false, apart = head * 1.5 }) {
  const node = make("div", { className: "crowd" });
  let first = true;
  let newest = "";

  function update(people, look) {
    const shown = people.slice(Math.max(0, people.length - most));
    const gap = Math.min(apart, (width - head) / Math.max(1, shown.length - 1));
    const roomy = gap >= NAME_WIDTH;
    if (people.length) newest = people.at(-1).seat;
    const left = (width - head - gap * (shown.length - 1)) / 2;
    follow(
      node,
      shown,
      ({ seat }) => seat,
      (person) => build(person, look(person)),
      (box, person) => {
        const index = shown.indexOf(person);
        const known = box.style.left;
        const x = left + index * gap;
        box.style.left = `${x}px`;
        box.style.width = `${head}px`;
        if (known && Number.parseFloat(known) !== x) shift(box, Number.parseFloat(known) - x);
        box.classList.toggle("named", roomy || (newestNamed && person.seat === newest));
        box.dataset.state = look(person).state ?? "";
        const tag = /** @type {HTMLElement} */ (box.firstElementChild);
        tag.style.maxWidth = `${roomy ? gap - 10 : 260}px`;
        tag.style.bottom = `${head * HEAD_HEIGHT}px`;
        tag.style.marginLeft = "0";
      },
    );
    if (!roomy) keepOnPlate(shown.length);
    node.dataset.more = people.length > shown.length ? `+${people.length - shown.length}` : "";
    first = false;
  }

  /** Let the name of the newest, who stands at the right edge, end where the plate does. */
  function keepOnPlate(count) {
    const box = /** @type {HTMLElement} */ (node.children[count - 1]);
    const tag = /** @type {HTMLElement} */ (box.firstElementChild);
    const beyond = Number.parseFloat(box.style.left) + (head + tag.offsetWidth) / 2 - width - MARGIN;
    tag.style.marginLeft = `${-Math.max(0, beyond)}px`;
  }

  function build(person, look) {
    const box = make("div", { className: "in-crowd" }, make("bdi", { className: "tag", textContent: person.name }), drawHead(look));
    if (!first) enter(/** @type {any} */ (box.lastElementChild), "translateY(90px)");
    return box;
  }

  return { node, update };
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
