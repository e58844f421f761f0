// Draws Poker Market: open hands, a swap between two of them, and the hands in the order of their worth.

import { make, setText } from "../dom.js";
import { cardNamed, cardOf, codeOf } from "./cards.js";
import { drawHead, wearOf } from "./heads.js";
import { enter } from "./motion.js";
import { createPlaces, STALL } from "./places.js";
import { drawBar, winnersOf } from "./plain.js";
import { createClock, createCrowd, roomFor, text } from "./things.js";

const CARD_WIDTH = 500;
const MOST_PLACES = 5; // hands that are shown at the end: the best
const FEW = 3; // hands for which there is more room
const FIRST = 600; // milliseconds
const EACH = 1_000;
const LOOK = 2_000;

function play(context) {
  const clock = createClock();
  const crowd = createCrowd({ width: CARD_WIDTH, most: 10, head: 84 });
  const title = text("title", "");
  const hands = make("div");
  const node = make("div", { className: "scene" }, crowd.node, make("div", { className: "body" }, make("div", { className: "plain-head" }, title, clock.node), hands));
  let before = "";

  function update({ view }) {
    const { market, proposed, players } = view;
    if (!market) return;
    const acting = market.turn % players.length;
    setText(title, context.label("overlay-round", { round: Math.floor(market.turn / players.length) + 1, rounds: view.rounds }));
    const answers = proposed ? proposed.partner : acting;
    crowd.update(
      players.map((seat) => context.player(seat)),
      (player) => ({ ...player, wear: wearOf(player), state: player.seat === players[answers] ? "ready" : "waiting" }),
    );
    const now = JSON.stringify([market, proposed]);
    if (now === before) return;
    before = now;
    const shown = proposed ? [hand(acting, proposed.give), hand(proposed.partner, proposed.take)] : [hand(acting, null)];
    shown[0].classList.toggle("alone", !proposed);
    hands.replaceChildren(...shown);
    for (const each of shown) enter(each, "translateX(40px)");

    function hand(number, moved) {
      const { name } = context.player(players[number]);
      const label = proposed ? (number === acting ? "overlay-market-offers" : "overlay-market-answers") : "overlay-market-turn";
      const cards = market.hands[number].map((card) => {
        const drawn = cardOf(card);
        if (moved !== null && codeOf(card) === codeOf(moved)) drawn.classList.add("moved");
        return drawn;
      });
      return make("div", { className: "market-hand" }, text("small", context.label(label, { name })), make("div", { className: "market-cards" }, ...cards));
    }
  }

  return { node, update, tick: clock.tick };
}

function outcome(context, table) {
  const { ranked, credits } = table.view;
  const list = make("div", { className: "market-places" });
  const node = make("div", { className: "scene body" }, text("title", context.label("overlay-market-closed")), list);
  const best = ranked.places.slice(0, MOST_PLACES);
  list.classList.toggle("few", best.length <= FEW);
  const gains = best.map((place) => (credits ? context.sign(place.credits - credits) : context.label("overlay-points", { points: place.points })));
  roomFor(list, gains);
  const places = best.map((place, index) => {
    const player = context.player(place.seat);
    return make(
      "div",
      { className: "market-place", data: { rank: place.rank } },
      make("span", { className: "rank", textContent: String(place.rank) }),
      drawHead({ ...player, wear: wearOf(player) }),
      make("bdi", { textContent: player.name }),
      make("div", { className: "market-cards" }, ...cardsOf(place.hand)),
      make("span", { className: "best-gain", textContent: gains[index] }),
    );
  });
  // The poorest first, at the bottom; each better one above it.
  const steps = places.reverse().map((place, index) => ({
    after: index ? EACH : FIRST,
    run: () => {
      list.append(place);
      enter(place, "translateY(40px)");
      context.play(index === places.length - 1 ? "good" : "join");
    },
  }));
  return { node, steps: [...steps, { after: LOOK, run: () => undefined }] };
}

/** Draw a hand, in which cards of the same rank stand out: they are what most hands are worth. */
function cardsOf(hand) {
  const alike = (code) => hand.filter(([rank]) => rank === code[0]).length > 1;
  return hand.map((code) => {
    const card = cardNamed(code);
    card.classList.toggle("alike", alike(code));
    return card;
  });
}

/** @returns {import("./winner.js").Winners} */
function winner(context, table) {
  const { ranked, credits } = table.view;
  const gains = new Map(ranked.places.map(({ seat, points, credits: share }) => [seat, credits ? share - credits : points]));
  const winners = winnersOf(context, table, gains);
  const [first] = ranked.places;
  const { name, house } = context.player(first.seat);
  const gain = credits ? context.sign(first.credits - credits) : context.label("overlay-points", { points: first.points });
  const wear = wearOf({ house });
  return { ...winners, announcement: `${table.title}: ${name} ${gain}`, first: { seats: [first.seat], name, gain, wear }, best: [] };
}

/** @type {import("./director.js").Drawing} */
export const pokermarket = {
  moment: (table) => (table.view.phase === "lobby" ? "gathering" : "play"),
  finished: (table) => table.view.ranked !== null,
  gathering: (context) => drawBar(context, { extra: createPlaces(context, STALL) }),
  play,
  outcome,
  winner,
  net: ({ view: { ranked, credits } }, seat) => {
    const place = ranked?.places.find((each) => each.seat === seat);
    return place && credits ? place.credits - credits : null;
  },
};
