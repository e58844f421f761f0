// Draws Poker Market: open hands, a swap between two of them, and the hands in the order of their worth.

import { make, setText } from "../dom.js";
import { cardNamed, cardOf, codeOf } from "./cards.js";
import { drawHead, wearOf } from "./heads.js";
import { enter, glide } from "./motion.js";
import { drawName, together } from "./names.js";
import { createPlaces, STALL } from "./places.js";
import { drawBar, winnersOf } from "./plain.js";
import { CARD_NAMES, createClock, createCrowd, roomFor, text } from "./things.js";

const CARD_WIDTH = 480;
const MOST_PLACES = 5; // hands that are shown at the end: the best
const FEW = 3; // hands for which there is more room
const PLACE_NAME = { size: 32, width: 290, lines: 2 }; // the room of a name beside a hand
const FEW_NAME = { size: 32, width: 190, lines: 3 };
const SWAP_NAME = { size: 36, width: 320, lines: 2 };
const FIRST = 600; // milliseconds
const EACH = 1_000;
const LOOK = 2_000;

function play(context) {
  const clock = createClock();
  const crowd = createCrowd({ width: CARD_WIDTH, most: 10, head: 84, high: CARD_NAMES });
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

// The last swap

const SWAP = { show: 700, rise: 700, cross: 900, look: 1_500 }; // milliseconds

/** Return the hands of a table by seat, as codes of cards. */
function handsOf({ view }) {
  if (view.ranked) return new Map(view.ranked.places.map(({ seat, hand }) => [seat, hand]));
  return new Map((view.market?.hands ?? []).map((hand, index) => [view.players[index], hand.map(codeOf)]));
}

/** Find the one swap that has been made since a table was `former`; null if there was none, or several. */
function swapBetween(former, table) {
  const [before, after] = [handsOf(former), handsOf(table)];
  const gone = (seat) => before.get(seat).filter((card) => !after.get(seat)?.includes(card));
  const seats = [...before.keys()].filter((seat) => gone(seat).length);
  if (seats.length !== 2 || seats.some((seat) => gone(seat).length !== 1)) return null;
  return { seats, hands: seats.map((seat) => before.get(seat)), ends: seats.map((seat) => after.get(seat)), moved: seats.map((seat) => gone(seat)[0]) };
}

/** Keep in mind what was swapped last, and show it large once the market closes. */
function reveal(context, table, former) {
  const made = swapBetween(former, table);
  if (made) context.memory.set("swap", made);
  const swap = context.memory.get("swap");
  if (!table.over || !swap) return null;
  context.memory.delete("swap"); // it is shown once
  return lastSwap(context, swap);
}

function lastSwap(context, { seats, hands, ends, moved }) {
  const players = seats.map((seat) => context.player(seat));
  const lines = together(players.map(({ name }) => name), () => SWAP_NAME);
  const rows = players.map((player, index) => {
    const cards = make("div", { className: "market-cards" }, ...hands[index].map(cardNamed));
    const node = make("div", { className: "swap-hand" }, drawHead({ ...player, wear: wearOf(player) }), drawName("place-name", player.name, lines[index]), cards);
    return { node, cards, card: /** @type {HTMLElement} */ (cards.children[hands[index].indexOf(moved[index])]) };
  });
  const node = make("div", { className: "scene body swap-scene" }, text("title", context.label("overlay-market-last")), ...rows.map((row) => row.node));
  for (const [index, row] of rows.entries()) enter(row.node, `translateX(${index ? 60 : -60}px)`);
  const steps = [
    {
      after: SWAP.show,
      run: () => {
        for (const { card } of rows) card.classList.add("moved");
        context.play("beat");
      },
    },
    {
      after: SWAP.rise,
      run: () => {
        const [one, other] = rows.map(({ card }) => card);
        const from = [one, other].map((card) => card.getBoundingClientRect());
        const gap = make("span", {});
        one.replaceWith(gap);
        other.replaceWith(one);
        gap.replaceWith(other);
        glide(one, from[0]);
        glide(other, from[1]);
        context.play("join");
      },
    },
    {
      after: SWAP.cross,
      run: () => {
        for (const [index, { cards }] of rows.entries()) for (const card of cards.children) card.classList.toggle("alike", isAlike(ends[index], codeOn(card)));
      },
    },
    { after: SWAP.look, run: () => undefined },
  ];
  return { node, steps };
}

const codeOn = (card) => card.dataset.face + card.dataset.suit;
const isAlike = (hand, code) => hand.filter(([rank]) => rank === code[0]).length > 1;

function outcome(context, table) {
  const { ranked, credits } = table.view;
  const list = make("div", { className: "market-places" });
  const node = make("div", { className: "scene body" }, text("title", context.label("overlay-market-closed")), list);
  const best = ranked.places.slice(0, MOST_PLACES);
  list.classList.toggle("few", best.length <= FEW);
  const gains = best.map((place) => (credits ? context.sign(place.credits - credits) : context.label("overlay-points", { points: place.points })));
  roomFor(list, gains);
  const room = best.length <= FEW ? FEW_NAME : PLACE_NAME;
  const lines = together(best.map(({ seat }) => context.player(seat).name), () => room);
  const places = best.map((place, index) => {
    const player = context.player(place.seat);
    return make(
      "div",
      { className: "market-place", data: { rank: place.rank } },
      make("span", { className: "rank", textContent: String(place.rank) }),
      drawHead({ ...player, wear: wearOf(player) }),
      drawName("place-name", player.name, lines[index]),
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
  return hand.map((code) => {
    const card = cardNamed(code);
    card.classList.toggle("alike", isAlike(hand, code));
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
  return { ...winners, announcement: `${table.title}: ${name} ${gain}`, first: { seats: [first.seat], name, hand: cardsOf(first.hand), gain, wear }, best: [] };
}

/** @type {import("./director.js").Drawing} */
export const pokermarket = {
  moment: (table) => (table.view.phase === "lobby" ? "gathering" : "play"),
  finished: (table) => table.view.ranked !== null,
  gathering: (context) => drawBar(context, { extra: createPlaces(context, STALL) }),
  play,
  reveal,
  outcome,
  winner,
  net: ({ view: { ranked, credits } }, seat) => {
    const place = ranked?.places.find((each) => each.seat === seat);
    return place && credits ? place.credits - credits : null;
  },
};
