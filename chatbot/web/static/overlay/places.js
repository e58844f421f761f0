// Draws where players take their places while they gather: chairs, stalls, and the corners of a ring.

import { draw, make } from "../dom.js";
import { pulse } from "./motion.js";

const FEWEST = 4;
const MOST = 10;

const box = (name, x, y, width, height, rx = 4) => draw("rect", { class: name, x, y, width, height, rx });
const path = (name, d) => draw("path", { class: name, d });

/** The parts of a chair, 60 wide and 70 high; what is `own` has the colour of whoever takes it. */
export const CHAIR = () => [box("frame", 13, 40, 6, 28), box("frame", 41, 40, 6, 28), box("own", 13, 4, 34, 32, 9), box("own", 8, 38, 44, 11, 5)];

/** The parts of a stall, 60 wide and 70 high: a counter below an awning. */
export const STALL = () => [
  ...[8, 47].map((x) => box("frame", x, 20, 5, 48, 2)),
  path("own", "M12 4h36l9 20a7 7 0 0 1-13.5 2 7 7 0 0 1-13.5 0 7 7 0 0 1-13.5 0 7 7 0 0 1-13.5-2z"),
  box("own", 5, 46, 50, 22, 4),
];

/**
 * Make a row of places of which each is lit when a player has taken it, in the order of the players, and one more is free
 * for whoever comes next.
 * @param {import("./director.js").Context} context
 * @param {() => SVGElement[]} parts
 */
export function createPlaces(context, parts) {
  const row = make("div", { className: "gathering-places", aria: { hidden: "true" } });

  function update({ seats }) {
    const wanted = Math.min(MOST, Math.max(FEWEST, seats.length + 1));
    while (row.childElementCount > wanted) row.lastElementChild?.remove();
    while (row.childElementCount < wanted) row.append(placeOf(parts));
    for (const [index, place] of [...row.children].entries()) take(place, seats[index] && context.player(seats[index].seat));
  }

  return Object.assign(row, { update });
}

function placeOf(parts) {
  const picture = draw("svg", { class: "gathering-place", viewBox: "0 0 60 70" });
  picture.append(...parts());
  return picture;
}

/** Light a place in the colour of a player; without one it is free again. */
function take(place, player) {
  const former = place.dataset.tint;
  if (!player) delete place.dataset.tint;
  else place.dataset.tint = String(player.tint);
  if (player && former === undefined) pulse(place, 1.2, 300);
}

/**
 * Make a ring whose two corners are lit by those who fight in it; `fighters` returns the seats at a table, of which one that
 * has not agreed yet is left out.
 * @param {import("./director.js").Context} context
 * @param {(table: any) => string[]} fighters
 */
export function createRing(context, fighters) {
  const corners = [0, 222].map((left) => draw("g", {}, box("own", left + 4, 6, 20, 84, 6), box("frame", left, 84, 28, 8)));
  const ring = draw("svg", { class: "gathering-ring", viewBox: "0 0 250 92", "aria-hidden": "true" });
  ring.append(...[22, 44, 66].map((y) => box("rope", 24, y, 202, 6, 3)), ...corners);

  function update(table) {
    const seats = fighters(table);
    for (const [index, corner] of corners.entries()) take(corner, seats[index] && context.player(seats[index]));
  }

  return Object.assign(/** @type {any} */ (ring), { update });
}
