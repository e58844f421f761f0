// Draws High Show: the card that is shown, those that were kept, and what came of it.

import { make, setText } from "../dom.js";
import { drawCard } from "./cards.js";
import { enter, glide, isReduced, leave } from "./motion.js";
import { drawName, together } from "./names.js";
import { drawBar, winnersOf } from "./plain.js";
import { createClock, createCrowd, roomFor, text } from "./things.js";

const CARD_WIDTH = 480;
const MOST_PAST = 7;
const MOST_KEPT = 5;
const MEASURE_NAME = { size: 32, width: 260, lines: 2 }; // the room of a name before its bar
const DARK = 900; // milliseconds before it gets dark
const WAIT = 700; // in the dark
const OUT = 1_100; // while the lowest card is seen, which has come out of it
const BARS = 1_100;
const LOOK = 2_400;

/** Return the value of a fraction that is written as `7/2`. */
const numberFrom = (written) => {
  const [over, under = "1"] = String(written).split("/");
  return Number(over) / Number(under);
};
const rounded = (value) => Math.round(value * 10) / 10;

function play(context, table) {
  const clock = createClock();
  const crowd = createCrowd({ width: CARD_WIDTH, most: 1, head: 110 });
  const shown = make("div", { className: "show-card" });
  const kept = text("large-count", "");
  const left = text("small", "");
  const past = make("div", { className: "show-past" });
  const side = make("div", { className: "show-side" }, text("small", context.label("overlay-kept")), kept, left);
  const node = make("div", { className: "scene" }, crowd.node, make("div", { className: "body" }, make("div", { className: "show-row" }, shown, side, clock.node), past));
  let before = "";

  function update({ view }) {
    crowd.update([context.player(view.player)], (player) => player);
    const { progress } = view;
    if (!progress) return;
    const { seen, terms } = progress;
    const count = seen.filter((each) => each.kept).length;
    setText(kept, context.label("overlay-of", { count, all: terms.keep }));
    const rest = terms.cards - seen.length - (progress.shown === null ? 0 : 1);
    setText(left, context.label("overlay-cards-left", { count: rest }));
    const now = `${seen.length} ${progress.shown}`;
    if (now === before) return;
    before = now;
    past.replaceChildren(
      ...seen.slice(-MOST_PAST).map((each) => {
        const card = drawCard(each.card);
        card.classList.add(each.kept ? "kept" : "rejected");
        return card;
      }),
    );
    const newest = past.lastElementChild;
    if (newest) enter(newest, "translateY(-60px)");
    shown.replaceChildren(...(progress.shown === null ? [] : [drawCard(progress.shown)]));
    if (shown.firstElementChild) enter(shown.firstElementChild, "translateX(60px) rotate(6deg)");
  }

  update(table);
  return { node, update, tick: clock.tick };
}

/**
 * Return what best play makes of the same deck, as the review of the game tells it, or null while that is being
 * worked out. Par is no such figure: it is what best play makes of a deck on average, and can be out of reach.
 */
function bestOf(told) {
  const ghost = told.get("Reviewed")?.arguments.ghost;
  const written = ghost?.arguments?.profit;
  return written ? { label: written.split(" (")[0], value: amountFrom(written) } : null;
}

/** Return the value of a number as the chat writes it: `1,204.5`, `6 2/3`, `2/3` or `≈ 20.77 (14951/720)`. */
function amountFrom(written) {
  const [, first, over, under, below] = /(-?[\d.]+)(?: (\d+)\/(\d+)|\/(\d+))?/u.exec(written.replaceAll(",", "").replace("\u2212", "-")) ?? [];
  const number = Number(first ?? 0) / Number(below ?? 1);
  return number + (over ? (Math.sign(number) || 1) * (Number(over) / Number(under)) : 0);
}

function outcome(context, { view }, told) {
  const { progress, result } = view;
  const profit = result.gain - numberFrom(result.penalty);
  const kept = progress.seen.filter((each) => each.kept).slice(-MOST_KEPT);
  const lowest = make("span", { className: "lowest-value", textContent: String(result.lowest) });
  const dark = make("div", { className: "lowest" }, text("small", context.label("overlay-highshow-lowest")), lowest);
  const player = context.player(progress.seat);
  const measures = make("div", { className: "measures" });
  const node = make(
    "div",
    { className: "scene body" },
    text("title", context.label("overlay-highshow-kept", { name: player.name })),
    make("div", { className: "show-end" }, make("div", { className: "show-kept" }, ...kept.map(({ card }) => drawCard(card))), dark),
    measures,
  );
  lowest.style.visibility = "hidden";
  /** @type {ReturnType<typeof measure>[]} */
  let bars = [];

  function compare() {
    const best = bestOf(told);
    const own = measure(player.name, rounded(profit), profit, best?.value ?? profit);
    own.node.classList.add("own");
    bars = [own];
    showBars();
    own.grow();
  }

  // What best play makes is worked out meanwhile, and is not always known yet.
  function compareWithBest() {
    const best = bestOf(told);
    if (!best) return;
    const other = measure(context.label("overlay-highshow-best"), best.label, best.value, profit);
    bars.push(other);
    showBars();
    other.grow();
  }

  function showBars() {
    measures.replaceChildren(...bars.map((each) => each.node));
    roomFor(measures, bars.map(({ label }) => label));
    for (const each of bars.slice(-1)) each.node.style.visibility = "hidden";
  }

  const night = make("div", { className: "night" }, text("small", context.label("overlay-highshow-lowest")));
  const found = drawCard(result.lowest);
  const steps = [
    {
      after: DARK,
      run: () => {
        node.append(night);
        enter(night, "none", { duration: 400 });
        context.play("beat");
      },
    },
    {
      after: WAIT,
      run: () => {
        night.append(found);
        enter(found, "scale(0.4)", { duration: 400 });
        context.play(profit > 0 ? "good" : "bad");
      },
    },
    {
      after: OUT,
      run: () => {
        const from = found.getBoundingClientRect();
        found.remove();
        leave(night, "none", { duration: 300 }).onfinish = () => night.remove();
        lowest.style.visibility = "visible";
        glide(lowest, from);
      },
    },
    { after: BARS, run: compare },
    { after: 500, run: compareWithBest },
    { after: LOOK, run: () => undefined },
  ];
  return { node, steps };
}

/** Make a bar with a value, which is drawn in proportion to another. */
function measure(caption, label, value, other) {
  const bar = make("div", { className: "measure-bar" });
  const part = Math.max(0.02, Math.max(0, value) / Math.max(1, value, other));
  bar.style.transform = `scaleX(${part})`;
  const node = make("div", { className: "measure" }, drawName("best-name", caption, together([caption], () => MEASURE_NAME)[0]), make("div", { className: "measure-track" }, bar), make("span", { className: "measure-value", textContent: String(label) }));

  function grow() {
    node.style.visibility = "visible";
    enter(node);
    if (!isReduced()) bar.animate([{ transform: "scaleX(0)" }, { transform: `scaleX(${part})` }], { duration: 400, easing: "ease-out" });
  }

  return { node, label: String(label), grow };
}

/** @returns {import("./winner.js").Winners} */
function winner(context, table) {
  const { stake, result, player } = table.view;
  const winners = winnersOf(context, table, new Map([[player, result.payout - stake]]));
  const profit = String(rounded(result.gain - numberFrom(result.penalty)));
  const how = stake ? context.label("overlay-highshow-profit", { profit }) : "";
  const gain = stake ? context.sign(result.payout - stake) : profit;
  const { name } = context.player(player);
  const lost = Boolean(stake) && result.payout < stake;
  return { ...winners, announcement: `${table.title}: ${name} ${gain}`, first: { seats: [player], name, how, gain, wear: lost ? "sad" : "face", lost }, best: [] };
}

/** @type {import("./director.js").Drawing} */
export const highshow = {
  moment: (table) => (table.view.progress === null ? "gathering" : "play"),
  finished: (table) => table.view.result !== null,
  gathering: (context) => drawBar(context),
  play,
  outcome,
  winner,
  net: ({ view }, seat) => (view.stake && view.result && seat === view.player ? view.result.payout - view.stake : null),
};
