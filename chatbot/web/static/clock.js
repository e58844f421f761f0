// Counts down between two snapshots of the server, for every table that has a clock.

import { setText } from "./dom.js";

const TICK = 250; // milliseconds
const HURRY = 10; // seconds at which a clock begins to press

const running = new Map();

/** Start the countdown in `digits` and `bar` from `left` seconds, or stop it if `left` is null. */
export function wind(id, { digits, bar, frame }, left, seconds) {
  frame.hidden = left === null;
  digits.hidden = left === null;
  if (left === null) return running.delete(id);
  running.set(id, { digits, bar, frame, seconds, end: performance.now() + left * 1_000 });
  return show(running.get(id));
}

export function stopAllBut(ids) {
  for (const id of running.keys()) if (!ids.has(id)) running.delete(id);
}

setInterval(() => running.forEach(show), TICK);

function show({ digits, bar, frame, seconds, end }) {
  const left = Math.max(0, (end - performance.now()) / 1_000);
  setText(digits, written(Math.ceil(left)));
  bar.style.setProperty("--share", String(Math.min(1, left / (seconds || 1))));
  for (const node of [digits, frame]) node.classList.toggle("pressing", left <= HURRY);
}

function written(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
