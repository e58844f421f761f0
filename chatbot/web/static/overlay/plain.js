// Draws a game that has no drawing of its own, from what is public of every table: its seats and lines.

import { make, setText } from "../dom.js";
import { wearOf } from "./heads.js";
import { createClock, createCrowd, figure, roomFor, text } from "./things.js";
import { counter } from "./motion.js";

const MOST_LINES = 4;
const BAR_WIDTH = 1_340;
const CARD_WIDTH = 480;

const isLobby = (table) => table.phase?.name === "lobby";

/**
 * What a bar shows besides the players: what they wear, another drawing, the number that matters, and how to
 * join (`note`) while somebody can.
 * @typedef {{
 *   wear?: import("./heads.js").Wear,
 *   extra?: (HTMLElement & { update: (table: any) => void }) | null,
 *   value?: (table: any) => number | null,
 *   caption?: string,
 *   joins?: (table: any) => boolean,
 *   note?: (table: any) => string,
 * }} BarOptions
 */

/**
 * Make a bar: title, a line of what happens now, the pot and a clock, with the players behind its upper edge.
 * @param {import("./director.js").Context} context
 * @param {BarOptions} options
 */
export function drawBar(context, options = {}) {
  const { wear = "face", extra = null, value = (table) => table.pot, caption = "overlay-pot", joins = isLobby, note = (table) => table.lines.at(-1) ?? "" } = options;
  const clock = createClock();
  const crowd = createCrowd({ width: BAR_WIDTH, most: 24, head: 104, newestNamed: true });
  const stakes = figure("stakes", context.label(caption));
  const count = counter(stakes.value, context.write);
  const title = text("title", "");
  const line = text("small", "");
  const body = make("div", { className: "body bar-body" }, make("div", { className: "bar-text" }, title, line), ...(extra ? [extra] : []), stakes.node, clock.node);
  const node = make("div", { className: "scene" }, crowd.node, body);
  let before = 0;

  function update(table) {
    setText(title, table.title);
    // A line of a board is a sentence, and a bar has no full stops.
    setText(line, joins(table) ? note(table).replace(/\.$/, "") : (table.phase?.words ?? ""));
    const amount = value(table);
    stakes.node.hidden = !amount;
    roomFor(stakes.value, [context.write(amount ?? 0)]);
    if (amount) count.set(amount);
    extra?.update(table);
    const people = table.seats.map(({ seat }) => context.player(seat));
    crowd.update(people, (player) => ({ ...player, wear: player.house ? "visor" : wear, theme: context.theme }));
    if (people.length > before && before > 0) context.play("join");
    before = people.length;
  }

  return { node, update, tick: clock.tick };
}

function play(context) {
  const clock = createClock();
  const crowd = createCrowd({ width: CARD_WIDTH, most: 12, head: 84 });
  const title = text("title", "");
  const list = make("div", { className: "plain-lines" });
  const node = make("div", { className: "scene" }, crowd.node, make("div", { className: "body" }, make("div", { className: "plain-head" }, title, clock.node), list));

  function update(table) {
    setText(title, table.title);
    list.replaceChildren(...table.lines.slice(1, 1 + MOST_LINES).map((each) => text("small", each)));
    crowd.update(
      table.seats.map(({ seat }) => context.player(seat)),
      (player) => ({ ...player, wear: player.house ? "visor" : "face", theme: context.theme }),
    );
  }

  return { node, update, tick: clock.tick };
}

/** Return the winners of a table from the marks of its seats; details, such as "gets 50 credits", are its gains. */
export function winnersOf(context, table, gains = new Map()) {
  const gain = ({ seat, detail }) => (gains.has(seat) ? context.sign(gains.get(seat)) : detail);
  const rank = ({ seat, mark }) => (gains.has(seat) ? gains.get(seat) : mark === "won" ? 1 : mark === "lost" ? -1 : 0);
  const ordered = [...table.seats].sort((one, other) => rank(other) - rank(one));
  const won = ordered.filter(({ mark }) => mark === "won");
  const name = won.map((each) => each.name).join(" & ");
  const detail = won.length ? (gains.has(won[0].seat) ? gain(won[0]) : "") : "";
  return {
    caption: table.title,
    announcement: won.length ? `${table.title}: ${name} ${detail}` : `${table.title}: ${context.label("overlay-nobody-won")}`,
    first: won.length ? { seats: won.map(({ seat }) => seat), name, gain: detail, wear: wearOf(won[0]) } : null,
    seats: ordered.map(({ seat }) => seat),
    best: ordered.map((each) => ({ seat: each.seat, gain: gains.has(each.seat) ? gain(each) : "", lost: each.mark === "lost" })),
    wear: /** @type {const} */ ("face"),
  };
}

/** @type {import("./director.js").Drawing} */
export const plain = {
  moment: (table) => (isLobby(table) ? "gathering" : "play"),
  finished: (table) => table.seats.some(({ mark }) => mark === "won" || mark === "lost" || mark === "drawn"),
  gathering: (context) => drawBar(context),
  play,
  winner: winnersOf,
};
