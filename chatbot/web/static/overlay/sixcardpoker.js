// Draws Six Card Poker: two corners of a ring, and three hands that are shown one after the other.

import { make, setText } from "../dom.js";
import { drawBack, drawCard, turnUp } from "./cards.js";
import { drawHead, wearOf } from "./heads.js";
import { enter, pulse } from "./motion.js";
import { createRing } from "./places.js";
import { drawBar, winnersOf } from "./plain.js";
import { createClock, createCrowd, text } from "./things.js";

const APART = 250; // pixels between the two heads, each of which is above its own cards
const SIZES = [3, 2, 1];
const NAMES = ["overlay-sixcard-high", "overlay-sixcard-middle", "overlay-sixcard-low"];
const RESULTS = ["high", "middle", "low"];
const BETWEEN = 1_200; // milliseconds between hands
const LOOK = 1_800;
const HALF = "\u00bd";

/** Write points, which are whole or half ones. */
const pointsOf = (value) => (value % 1 ? `${Math.floor(value) || ""}${HALF}` : String(value));

function gathering(context) {
  return drawBar(context, {
    extra: createRing(context, ({ view }) => (view.phase === "challenge" ? [view.player] : [view.player, view.rival])),
    joins: ({ view }) => view.phase === "challenge",
    note: ({ view }) => (view.rival ? context.label("overlay-sixcard-accept", { name: context.player(view.rival).name }) : ""),
  });
}

function play(context, table) {
  const clock = createClock();
  const crowd = createCrowd({ width: 480, most: 2, head: 100, apart: APART });
  const sides = make("div", { className: "duel-backs" });
  const body = make("div", { className: "body" }, make("div", { className: "plain-head" }, text("title", table.title), clock.node), sides);
  const node = make("div", { className: "scene" }, crowd.node, body);

  function update({ view }) {
    const seats = [view.player, view.rival].filter((seat) => seat !== null);
    sides.replaceChildren(
      ...seats.map((seat) => {
        const ready = view.ready.includes(seat);
        const rows = SIZES.map((size) => make("div", { className: "duel-row" }, ...Array.from({ length: size }, drawBack)));
        return make("div", { className: "duel-side", data: { ready } }, ...rows);
      }),
    );
    crowd.update(
      seats.map((seat) => context.player(seat)),
      (player) => ({ ...player, wear: wearOf(player), state: view.ready.includes(player.seat) ? "ready" : "waiting" }),
    );
  }

  return { node, update, tick: clock.tick };
}

function outcome(context, { view }) {
  const { first, second, outcome: results } = view.revealed;
  const [left, right] = [first, second].map(({ seat }, index) => {
    const player = context.player(seat);
    return make("div", { className: `duel-player ${index ? "second" : "first"}` }, drawHead({ ...player, wear: wearOf(player) }), make("bdi", { textContent: player.name }));
  });
  const score = text("duel-score", "0\u20130");
  const table = make("div", { className: "duel-rows" });
  const rows = SIZES.map((size, hand) => {
    const backs = [first, second].map(() => Array.from({ length: size }, drawBack));
    const [own, other] = backs.map((cards) => make("div", { className: "duel-row" }, ...cards));
    table.append(own, text("title", context.label(NAMES[hand])), other);
    return backs;
  });
  const node = make("div", { className: "scene body" }, make("div", { className: "duel-head" }, left, score, right), table);
  const points = [0, 0];
  const steps = rows.map((backs, hand) => ({
    after: hand ? BETWEEN : BETWEEN / 2,
    run: () => {
      const result = results[RESULTS[hand]];
      [first, second].forEach(({ arrangement }, side) => {
        const own = side ? -result : result;
        points[side] += (own + 1) / 2;
        backs[side].forEach((back, index) => {
          const card = turnUp(back, drawCard(arrangement[hand][index]));
          if (own) card.classList.add(own > 0 ? "best" : "beaten");
        });
      });
      setText(score, points.map(pointsOf).join("\u2013"));
      pulse(score, 1.2);
      left.classList.toggle("leads", points[0] > points[1]);
      right.classList.toggle("leads", points[1] > points[0]);
      context.play(result ? "good" : "bad");
    },
  }));
  enter(score);
  return { node, steps: [...steps, { after: LOOK, run: () => undefined }] };
}

/** @returns {import("./winner.js").Winners} */
function winner(context, table) {
  const { first, second, credits, payouts } = table.view.revealed;
  const seats = [first.seat, second.seat];
  const staked = seats.filter((seat) => !context.player(seat).house && credits);
  const winners = winnersOf(context, table, new Map(staked.map((seat) => [seat, (payouts[seat] ?? 0) - credits])));
  return winners.first ? { ...winners, best: [] } : { ...winners, best: [], verdict: context.label("overlay-draw") };
}

/** @type {import("./director.js").Drawing} */
export const sixcardpoker = {
  moment: (table) => (table.view.phase === "arrangement" ? "play" : "gathering"),
  finished: (table) => table.view.revealed !== null,
  gathering,
  play,
  outcome,
  winner,
  net: ({ view: { revealed } }, seat) => (revealed?.credits ? (revealed.payouts[seat] ?? 0) - revealed.credits : null),
};
