// Says how a table has ended for one player, in the language of the room.

import { drawings } from "./overlay/drawings.js";
import { written } from "./overlay/motion.js";

const CAUGHT = "caught";

/**
 * Return the sentence for the player at `seat` and whether they have won, drawn or lost; null for somebody who did not
 * play, or for no credits. `credits` is what they have now, in words.
 * @param {any} table
 * @param {string} seat
 * @param {(id: string, values?: Record<string, string | number>) => string} label
 * @param {string} credits
 */
export function finishOf(table, seat, label, credits) {
  const drawing = drawings[table.game];
  const net = table.seats.some((each) => each.seat === seat) ? (drawing?.net?.(table, seat) ?? null) : null;
  if (net === null) return null;
  const amount = written(Math.abs(net), document.documentElement.lang);
  if (net > 0) return { kind: "won", text: label("overlay-you-won", { amount }) };
  if (net === 0) return { kind: "drawn", text: label("overlay-you-even", { credits }) };
  const caught = table.view.outcomes?.some((each) => each.seat === seat && each.fate === CAUGHT);
  return { kind: "lost", text: label(caught ? "overlay-you-caught" : "overlay-you-lost", { amount, credits }) };
}
