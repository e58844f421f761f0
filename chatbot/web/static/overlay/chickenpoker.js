// Draws Chicken Poker: who has chosen, and each round, in which the highest card takes all that are shown.

import { draw, make, setText } from "../dom.js";
import { drawBack, drawCard, turnUp } from "./cards.js";
import { drawHead, wearOf } from "./heads.js";
import { counter, enter, isReduced, pulse } from "./motion.js";
import { together, writeLargest } from "./names.js";
import { CHAIR, createPlaces } from "./places.js";
import { drawBar, winnersOf } from "./plain.js";
import { CARD_NAMES, createClock, createCrowd, text } from "./things.js";

const CARD_WIDTH = 480;
const IN_A_ROW = 5;
const INSIDE = 1_012; // pixels of a stage between its edges
const TAKER = { size: 40, width: 800, wide: true }; // the room of a name in the two lines that say who takes a round
const GAP = 12; // between two names
const TURN = 700; // milliseconds before the cards turn
const COMPARE = 900;
const TAKE = 700;
const LOOK = 1_700;
const CALM = 2; // rounds that are shown at this pace; the last one ends together with the one before it
const BRISK = 1 / 3; // of these times for those before them, which have ended while others were shown
const BUMP = 400; // equal highest cards fly at each other, and back
const REBOUND = 0.06; // of their way

const numberOf = (view, seat) => (view.phase === "lobby" ? null : view.players.indexOf(seat) + 1);

function play(context) {
  const clock = createClock();
  const crowd = createCrowd({ width: CARD_WIDTH, most: 10, head: 92, high: CARD_NAMES });
  const title = text("title", "");
  const chosen = text("large-count", "");
  const leader = text("stake-line", "");
  const body = make("div", { className: "body" }, make("div", { className: "card-head" }, title), make("div", { className: "card-row" }, clock.node, make("div", {}, chosen, text("small", context.label("overlay-chosen")))), leader);
  const node = make("div", { className: "scene" }, crowd.node, body);

  function update({ view, pot }) {
    const all = view.players.length;
    const count = context.label("overlay-count-of", { count: view.ready.length, all });
    if (chosen.textContent && chosen.textContent !== count) pulse(chosen, 1.08);
    setText(chosen, count);
    setText(title, context.label("overlay-round", { round: view.history.length + 1, rounds: view.cards }));
    const [best] = [...view.players].sort((one, other) => view.totals[other] - view.totals[one]);
    const points = view.totals[best] ?? 0;
    setText(leader, points ? context.label("overlay-leads", { name: context.player(best).name, points }) : pot ? context.label("overlay-in-pot", { amount: context.write(pot) }) : "");
    crowd.update(
      view.players.map((seat) => context.player(seat)),
      (player) => ({ ...player, wear: wearOf(player), number: numberOf(view, player.seat), state: view.ready.includes(player.seat) ? "ready" : "waiting" }),
    );
  }

  return { node, update, tick: clock.tick };
}

/** Show the rounds that have ended since the table was `former`. */
function reveal(context, table, former) {
  const rounds = table.view.history.slice(former.view.history?.length ?? 0);
  if (!rounds.length) return null;
  const node = make("div", { className: "scene body" });
  const before = former.view.totals ?? {};
  const steps = rounds.flatMap((round, index) => {
    const pace = index < rounds.length - CALM ? BRISK : 1;
    return roundSteps(context, table.view, node, round, index ? rounds[index - 1].totals : before).map(({ after, run }) => ({ after: after * pace, run }));
  });
  steps[0].run();
  return { node, steps: steps.slice(1) };
}

function roundSteps(context, view, node, round, totals) {
  const title = text("title", context.label("overlay-round", { round: round.number, rounds: round.of }));
  const prize = text("verdict", "");
  const rows = round.shown.length > IN_A_ROW ? 2 : 1;
  const seats = round.shown.map((shown) => seatOf(context, view, shown, totals[shown.seat] ?? 0));
  const row = make("div", { className: "round-seats", data: { rows } }, ...seats.map((each) => each.node));
  const columns = Math.ceil(seats.length / rows);
  row.style.setProperty("--columns", String(columns));
  const { most } = writeLargest(seats.map(({ name }) => name), seats.map(({ player }) => player.name), [34, 32], () => ({ width: INSIDE / columns - GAP, lines: 2 }));
  row.dataset.lines = String(most);
  const short = together(seats.map(({ player }) => player.name), () => TAKER);
  const called = new Map(seats.map(({ seat }, index) => [seat, short[index].join("")]));
  const highest = Math.max(...round.shown.map(({ card }) => card));
  const best = seats.filter(({ card }) => card === highest);
  return [
    { after: 0, run: () => node.replaceChildren(make("div", { className: "round-head" }, title, prize), row) },
    {
      after: TURN,
      run: () => {
        for (const each of seats) each.turn();
        context.play("join");
      },
    },
    {
      after: COMPARE,
      run: () => {
        for (const each of seats) each.face.classList.add(each.card === highest ? "best" : "beaten");
        if (best.length > 1) collide(best);
        if (best.length > 1) context.play("bad");
      },
    },
    {
      after: TAKE,
      run: () => {
        for (const each of best) if (each.seat !== round.winner) each.face.classList.replace("best", "beaten");
        seats.find(({ seat }) => seat === round.winner)?.take(round.totals[round.winner]);
        setText(prize, context.label("overlay-takes", { name: called.get(round.winner) ?? "", points: round.points }));
        enter(prize, "translateX(40px)");
        context.play("good");
      },
    },
    { after: LOOK, run: () => undefined },
  ];
}

function seatOf(context, view, { seat, card }, total) {
  const player = context.player(seat);
  const back = drawBack();
  const face = drawCard(card);
  const points = make("span", { className: "round-points" });
  const name = make("bdi", { className: "round-name" });
  const count = counter(points, (value) => context.label("overlay-points", { points: value }));
  count.set(total);
  const node = make(
    "div",
    { className: "round-seat" },
    back,
    make("span", { className: "break" }),
    drawHead({ ...player, wear: wearOf(player), number: view.players.indexOf(seat) + 1 }),
    make("span", { className: "break" }),
    name,
    points,
  );

  function take(value) {
    node.classList.add("takes");
    count.set(value);
    pulse(points, 1.2);
  }

  return { node, name, player, seat, card, face, turn: () => turnUp(back, face), take };
}

/** Let equal highest cards fly at each other, bump, and fly back in a puff of smoke. */
function collide(seats) {
  if (isReduced()) return;
  const boxes = seats.map(({ face }) => face.getBoundingClientRect());
  const ratio = boxes[0].width / Math.max(1, seats[0].face.offsetWidth);
  const middle = (of) => boxes.reduce((sum, box) => sum + of(box), 0) / boxes.length;
  const [x, y] = [middle(({ left }) => left), middle(({ top }) => top)];
  for (const [index, { node, face }] of seats.entries()) {
    // So that they bump into each other rather than lie on each other, each stops short of the middle.
    const [across, down] = [(x - boxes[index].left) / ratio, (y - boxes[index].top) / ratio];
    const part = Math.max(0, 1 - face.offsetWidth / 2 / Math.max(1, Math.hypot(across, down)));
    const there = `translate(${across * part}px, ${down * part}px)`;
    const back = `translate(${-across * REBOUND}px, ${-down * REBOUND}px) rotate(${across < 0 ? 5 : -5}deg)`;
    face.animate([{ transform: "none", easing: "ease-in" }, { transform: there, offset: 0.45, easing: "ease-out" }, { transform: back, offset: 0.8 }, { transform: "none" }], { duration: BUMP });
    const smoke = draw("svg", { class: "smoke", viewBox: "0 0 100 100", "aria-hidden": "true" });
    smoke.append(...[[30, 55, 20], [55, 40, 24], [70, 62, 18], [48, 68, 20]].map(([cx, cy, r]) => draw("circle", { cx, cy, r })));
    node.append(smoke);
    const puff = smoke.animate([{ opacity: 0.9, transform: `${there} scale(0.4)` }, { opacity: 0, transform: `${there} translateY(-50px) scale(1.3)` }], { duration: 400, delay: BUMP * 0.45, easing: "ease-out", fill: "both" });
    puff.onfinish = () => smoke.remove();
  }
}

/** @returns {import("./winner.js").Winners} */
function winner(context, table) {
  const { shares, credits, totals, players } = table.view;
  const points = (seat) => context.label("overlay-points", { points: totals[seat] });
  if (credits) {
    const winners = winnersOf(context, table, new Map(players.map((seat) => [seat, (shares[seat] ?? 0) - credits])));
    if (winners.first) winners.first.how = points(winners.first.seats[0]);
    return winners;
  }
  const winners = winnersOf(context, table, new Map(players.map((seat) => [seat, totals[seat]])));
  if (winners.first) winners.first.gain = points(winners.first.seats[0]);
  return { ...winners, best: winners.best.map((each) => ({ ...each, gain: points(each.seat) })) };
}

/** @type {import("./director.js").Drawing} */
export const chickenpoker = {
  moment: (table) => (table.view.phase === "lobby" ? "gathering" : "play"),
  finished: (table) => table.view.phase === "over" && table.view.history.length > 0,
  gathering: (context) => drawBar(context, { extra: createPlaces(context, CHAIR) }),
  play,
  reveal,
  winner,
  net: ({ view }, seat) => (view.credits ? (view.shares[seat] ?? 0) - view.credits : null),
};
