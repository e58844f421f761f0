// Says how a table has ended for one player, in the language of the room.

import { drawings } from "./overlay/drawings.js";
import { isAway, spentOf, went } from "./overlay/fates.js";
import { written } from "./overlay/motion.js";

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
  const own = table.view.outcomes?.find((each) => each.seat === seat);
  if (own && went(own) && isAway(own)) {
    const spent = spentOf(own);
    const text = spent ? label("overlay-you-spent", { amount: written(spent, document.documentElement.lang), credits }) : label("overlay-you-away", { credits });
    return { kind: "drawn", text };
  }
  if (net === 0) return { kind: "drawn", text: label("overlay-you-even", { credits }) };
  return { kind: "lost", text: label(own ? "overlay-you-caught" : "overlay-you-lost", { amount, credits }) };
}
