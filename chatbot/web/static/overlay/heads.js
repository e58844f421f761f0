// Draws the crowd: round heads and shoulders in the colours of seats; what a head wears tells what it is.

import { draw, tint } from "../dom.js";

const TINTS = 8;
const SHOULDERS = "M6 124V102C6 80 25 70 50 70s44 10 44 32v22z";

/** @typedef {"mask" | "pushed" | "face" | "sad" | "visor"} Wear */

/**
 * Give the seats of a table colours that differ as long as there are enough: those of their names, if they can.
 */
export function createTints() {
  const known = new Map();
  return (seat, name) => {
    if (!known.has(seat)) known.set(seat, free(Number(tint(name)), known));
    return known.get(seat);
  };
}

function free(first, known) {
  if (known.size >= TINTS) return first;
  const taken = new Set(known.values());
  let next = first;
  while (taken.has(next)) next = (next + 1) % TINTS;
  return next;
}

/**
 * Return what a player wears where there are no masks.
 * @returns {Wear}
 */
export const wearOf = ({ house }) => (house ? "visor" : "face");

/**
 * Draw a head, 100 wide and 124 high.
 * @param {{ tint: number, wear?: Wear, number?: number | null, theme?: string }} look
 */
export function drawHead({ tint: colour, wear = "face", number = null, theme = "bank" }) {
  const picture = draw("svg", { class: "head", viewBox: "0 0 100 124", "data-tint": colour, "aria-hidden": "true" });
  picture.append(draw("path", { class: "skin", d: SHOULDERS }));
  if (wear === "mask" && theme === "space") picture.append(...helmet());
  else {
    picture.append(draw("circle", { class: "skin", cx: 50, cy: 42, r: 30 }));
    picture.append(...(wear === "mask" ? mask() : wear === "visor" ? visor() : face(wear === "sad")));
    if (wear === "pushed") picture.append(...(theme === "space" ? raisedGlass() : cap(-7)));
  }
  if (number !== null) picture.append(draw("text", { class: "worn-number", x: 50, y: 116 }, String(number)));
  return picture;
}

const eyes = (y, radius = 4.5) => [39, 61].map((x) => draw("circle", { class: "eye", cx: x, cy: y, r: radius }));

function face(sad) {
  return [...eyes(43), draw("path", { class: "smile", d: sad ? "M40 60q10-8 20 0" : "M39 55q11 9 22 0" })];
}

function cap(up) {
  return [
    draw("path", { class: "cloth", d: `M21 ${34 + up}C20 2 80 2 79 ${34 + up}z` }),
    draw("rect", { class: "cuff", x: 18, y: 26 + up, width: 64, height: 11, rx: 5 }),
  ];
}

function mask() {
  return [
    ...cap(-3),
    draw("path", { class: "cloth", d: "M20 37h60v13c0 6-6 9-13 9-8 0-12-4-17-4s-9 4-17 4c-7 0-13-3-13-9zM78 40l16-5-7 10 7 8-15-4z" }),
    ...[38, 62].map((x) => draw("ellipse", { class: "white", cx: x, cy: 47, rx: 6.5, ry: 5 })),
    ...[39, 61].map((x) => draw("circle", { class: "pupil", cx: x, cy: 47.5, r: 2.6 })),
    draw("path", { class: "smile", d: "M42 65q8 4 16 0" }),
  ];
}

function helmet() {
  return [
    draw("path", { class: "antenna", d: "M74 14l10-12" }),
    draw("circle", { class: "skin", cx: 50, cy: 42, r: 35 }),
    draw("rect", { class: "glass", x: 22, y: 26, width: 56, height: 32, rx: 16 }),
    draw("path", { class: "glint", d: "M32 38q4-6 14-6" }),
    draw("rect", { class: "collar", x: 24, y: 74, width: 52, height: 10, rx: 5 }),
  ];
}

function raisedGlass() {
  return [draw("path", { class: "helm", d: "M17 34C17-6 83-6 83 34q-33-14-66 0z" }), draw("path", { class: "glint", d: "M30 16q8-8 20-9" })];
}

function visor() {
  return [...eyes(50, 4), draw("path", { class: "brim", d: "M20 30q30-20 60 0l9 12q-39-18-78 0z" }), draw("path", { class: "smile", d: "M41 60h18" })];
}
