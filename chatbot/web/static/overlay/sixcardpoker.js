// Draws Six Card Poker: two corners of a ring, and three hands that are shown one after the other.

import { make, setText } from "../dom.js";
import { drawBack, drawCard, turnUp } from "./cards.js";
import { drawHead, wearOf } from "./heads.js";
import { enter, pulse } from "./motion.js";
import { writeLargest } from "./names.js";
import { createRing } from "./places.js";
import { drawBar, winnersOf } from "./plain.js";
import { createClock, createCrowd, text } from "./things.js";

const APART = 250; // pixels between the two heads, each of which is above its own cards
const NAME_WIDTH = 270; // pixels of a name beside its head
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
    return make("div", { className: `duel-player ${index ? "second" : "first"}` }, drawHead({ ...player, wear: wearOf(player) }), make("bdi", {}));
  });
  const names = [first, second].map(({ seat }) => context.player(seat).name);
  writeLargest([left, right].map((each) => /** @type {HTMLElement} */ (each.lastElementChild)), names, [36, 32], () => ({ width: NAME_WIDTH, lines: 2 }));
  const score = text("duel-score", "0\u20130");
  const table = make("div", { className: "duel-rows" });
  const rows = SIZES.map((size, hand) => {
    const backs = [first, second].map(() => Array.from({ length: size }, drawBack));
    const [own, other] = backs.map((cards) => make("div", { className: "duel-row" }, ...cards));
    const title = text("title", context.label(NAMES[hand]));
    table.append(own, title, other);
    return { backs, title };
  });
  const node = make("div", { className: "scene body" }, make("div", { className: "duel-head" }, left, score, right), table);
  const points = [0, 0];
  const steps = rows.map(({ backs, title }, hand) => ({
    after: hand ? BETWEEN : BETWEEN / 2,
    run: () => {
      const result = results[RESULTS[hand]];
      for (const each of rows) each.title.classList.toggle("now", each.title === title);
      enter(title, "scale(1.4)");
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

/** What each side has won of the three hands, such as 2–1; half of a hand that is tied. */
function scoreOf({ outcome: results }) {
  const first = RESULTS.reduce((sum, hand) => sum + (results[hand] + 1) / 2, 0);
  return [first, RESULTS.length - first];
}

const written = (points) => points.map(pointsOf).join("\u2013");

/** @returns {import("./winner.js").Winners} */
function winner(context, table) {
  const { revealed } = table.view;
  const { first, second, credits, payouts } = revealed;
  const seats = [first.seat, second.seat];
  const points = scoreOf(revealed);
  const winners = winnersOf(context, table, new Map());
  if (points[0] === points[1]) {
    const score = written(points);
    return { ...winners, first: null, best: [], verdict: context.label(credits ? "overlay-draw" : "overlay-draw-honour", { score }) };
  }
  const [seat, other] = points[0] > points[1] ? seats : [...seats].reverse();
  const { name, house } = context.player(seat);
  const score = written(points[0] > points[1] ? points : [...points].reverse());
  // What the house wins is what the other loses.
  const won = house ? credits - (payouts[other] ?? 0) : (payouts[seat] ?? 0) - credits;
  const gain = credits ? context.sign(won) : score;
  const beaten = context.player(other).name;
  const how = context.label(credits ? "overlay-sixcard-beats-by" : "overlay-sixcard-beats", { name: beaten, score });
  return { ...winners, announcement: `${table.title}: ${name} ${how} (${gain})`, first: { seats: [seat], name, how, gain, wear: wearOf({ house }) }, best: [] };
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
