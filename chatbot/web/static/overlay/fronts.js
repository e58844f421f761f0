// Draws the five targets of a heist and the door of a vault, in the two looks of the game.

import { draw } from "../dom.js";
import { drawRing } from "./things.js";

const wall = (d) => draw("path", { class: "wall", d });
const light = (x, y, width, height) => draw("rect", { class: "light", x, y, width, height, rx: 2 });
const lights = (...rows) => rows.map(([x, y, width, height]) => light(x, y, width, height));
const columns = (from, to, count, top, bottom) =>
  Array.from({ length: count }, (_, index) => {
    const x = from + ((to - from) / Math.max(1, count - 1)) * index;
    return draw("rect", { class: "wall", x: x - 4, y: top, width: 8, height: bottom - top });
  });
const temple = (left, right, top, count) => [
  light(left + 6, top + 22, right - left - 12, 84 - top - 22),
  wall(`M${left - 6} ${top + 20}L60 ${top}L${right + 6} ${top + 20}v6H${left - 6}z`),
  ...columns(left + 6, right - 6, count, top + 24, 86),
  wall(`M${left - 6} 86h${right - left + 12}v10H${left - 6}z`),
];

// Banks, from a counter with an awning to a reserve with towers.
const BANKS = [
  () => [wall("M34 52h52v44H34z"), draw("path", { class: "light", d: "M30 40h60l4 14H26z" }), ...lights([42, 62, 14, 34], [62, 62, 18, 16])],
  () => temple(34, 86, 36, 2),
  () => temple(24, 96, 30, 4),
  () => [wall("M60 2a20 20 0 0 1 20 20v6H40v-6A20 20 0 0 1 60 2z"), ...temple(18, 102, 26, 5)],
  () => [
    wall("M8 40h22v56H8zM90 40h22v56H90zM57 0h3v14h-3z"),
    draw("path", { class: "light", d: "M60 0l18 5-18 5z" }),
    ...lights([13, 48, 5, 9], [21, 48, 5, 9], [13, 64, 5, 9], [21, 64, 5, 9], [95, 48, 5, 9], [103, 48, 5, 9], [95, 64, 5, 9], [103, 64, 5, 9]),
    ...temple(30, 90, 12, 4),
  ],
];

// Targets in space, from a cargo ship to a star fort.
const STATIONS = [
  () => [wall("M20 66l34-14h28l22 14-22 14H54z"), draw("circle", { class: "light", cx: 84, cy: 66, r: 7 }), ...lights([38, 62, 8, 8], [52, 62, 8, 8], [66, 62, 8, 8])],
  () => [wall("M50 40h20v40H50zM56 24h8v16h-8zM36 56h48v6H36z"), ...lights([8, 46, 28, 26], [84, 46, 28, 26], [55, 48, 10, 10])],
  () => [wall("M14 84a46 46 0 0 1 92 0v10H14z"), draw("path", { class: "light", d: "M32 84a28 28 0 0 1 56 0z" }), wall("M56 54h8v32h-8zM58 24h4v18h-4z")],
  () => [draw("circle", { class: "wall", cx: 60, cy: 56, r: 30 }), draw("ellipse", { class: "orbit", cx: 60, cy: 58, rx: 52, ry: 14, transform: "rotate(-14 60 58)" }), ...lights([46, 40, 9, 9], [62, 36, 9, 9], [70, 52, 9, 9], [50, 62, 9, 9])],
  () => [
    wall("M60 4l14 26 30-6-12 28 22 18-28 8-2 22-24-12-24 12-2-22-28-8 22-18-12-28 30 6z"),
    draw("circle", { class: "light", cx: 60, cy: 54, r: 15 }),
    draw("circle", { class: "wall", cx: 60, cy: 54, r: 7 }),
  ],
];

/** Draw one of the five targets, by its number from 0. */
export function drawFront(theme, number) {
  const picture = draw("svg", { class: "front", viewBox: "0 0 120 100", "aria-hidden": "true" });
  picture.append(...(theme === "space" ? STATIONS : BANKS)[number]());
  return picture;
}

/** Draw the door of a vault, with a wheel that `turn(steps)` turns, and bolts that `shut(count)` slides home. */
export function drawVault(theme) {
  const { picture, shut } = drawRing("vault-ring");
  const wheel = draw("g", { class: "wheel" }, ...(theme === "space" ? iris() : spokes()));
  picture.append(draw("circle", { class: "vault-disc", cx: 100, cy: 100, r: 60 }), wheel);
  const turn = (steps) => {
    wheel.style.transform = `rotate(${steps * 60}deg)`;
  };
  return { picture, shut, turn };
}

function spokes() {
  const arm = (angle) => draw("g", { transform: `rotate(${angle} 100 100)` }, draw("rect", { class: "brass", x: 94, y: 40, width: 12, height: 60, rx: 4 }), draw("circle", { class: "brass", cx: 100, cy: 40, r: 12 }));
  const rivets = Array.from({ length: 12 }, (_, index) => draw("circle", { class: "rivet", cx: 100, cy: 47, r: 3.5, transform: `rotate(${index * 30 + 15} 100 100)` }));
  return [...rivets, ...[0, 120, 240].map(arm), draw("circle", { class: "brass", cx: 100, cy: 100, r: 24 }), draw("circle", { class: "hub", cx: 100, cy: 100, r: 12 })];
}

function iris() {
  const blades = [0, 60, 120, 180, 240, 300].map((angle) => draw("path", { class: "blade", d: "M100 100L100 46 147 73z", transform: `rotate(${angle} 100 100)` }));
  return [...blades, draw("circle", { class: "core", cx: 100, cy: 100, r: 16 })];
}

/** Draw a bag of money. */
export function drawBag() {
  const picture = draw("svg", { class: "bag", viewBox: "0 0 100 110", "aria-hidden": "true" });
  picture.append(
    draw("path", { class: "sack", d: "M36 30C8 50 4 104 22 106h56c18-2 14-56-14-76z" }),
    draw("path", { class: "sack", d: "M32 8q18 12 36 0l-6 20H38z" }),
    draw("rect", { class: "cord", x: 33, y: 25, width: 34, height: 8, rx: 4 }),
    draw("circle", { class: "coin", cx: 50, cy: 70, r: 17 }),
    draw("circle", { class: "coin-mark", cx: 50, cy: 70, r: 8 }),
  );
  return picture;
}

/** Draw a coin. */
export function drawCoin() {
  const picture = draw("svg", { class: "loose-coin", viewBox: "0 0 40 40", "aria-hidden": "true" });
  picture.append(draw("circle", { class: "coin", cx: 20, cy: 20, r: 17 }), draw("circle", { class: "coin-mark", cx: 20, cy: 20, r: 8 }));
  return picture;
}
