// Draws Bank Heist: the street of banks, the getaway, the vault that shuts, and who comes out of it.

import { draw, make, setText } from "../dom.js";
import { endOf, gainOf, isAway, spentOf, went } from "./fates.js";
import { drawBag, drawCoin, drawFront, drawVault } from "./fronts.js";
import { drawHead } from "./heads.js";
import { counter, enter, glide, isReduced, move, pulse } from "./motion.js";
import { drawName, linesOf, together, writeLargest } from "./names.js";
import { drawBar } from "./plain.js";
import { CARD_NAMES, createClock, createCrowd, roomFor, text } from "./things.js";

const CARD_WIDTH = 480;
const MOST_IN_CARD = 10;
const STORM_NAMES = 96; // pixels that names before the vault may take, which is to be seen
const SHORT_COUNT = 7; // letters of "4 of 30"
const ONE_BY_ONE = 8; // heisters who are revealed one by one; more of them roll by like credits
const IN_A_ROW = 4; // heads that stand in one row; more of them in two, as even as they can be
const FIRST = 600; // milliseconds before the first is revealed
const EACH = 700;
const BY_TENS = 10; // names that roll by at once
const IN_A_COLUMN = 5; // of them
const ROLL = { all: 14_000, least: 450, most: 1_500 }; // milliseconds of all of them, if each ten has as long as this
const ROLL_NAMES = [0, 915, 415]; // pixels of a name in a row of the roll without an amount, by the number of columns
const ROLL_DIGIT = 26; // of each digit of an amount
const CROSS_ALONE = 950; // pixels of the names below the words, and beside them
const CROSS_BESIDE = 440;
const FREEZE = 500; // everything stops before a double cross
const CROSS = 1_800;
const LOOK = 1_600; // at the whole outcome
const MOST_NAMED = 2; // of those who cross the others together
const BARS = 4;
const COINS = 4;
const NAME_SHARE = 0.94; // of the width of a cell
const INSIDE = 1_012; // pixels of a stage between its edges

const bankName = (context, number) => context.label(`overlay-heist-bank-${number}`);

// The lobby: a street of banks that lights up as the crew grows

function gathering(context, table) {
  const street = make("ol", { className: "street" });
  const fronts = table.view.banks.map((_, number) => {
    const picture = drawFront(context.theme, number);
    const needed = make("span", { className: "needed" });
    street.append(make("li", {}, picture, needed));
    return { picture, needed };
  });
  const update = ({ view }) => {
    const crew = view.heisters;
    const next = view.banks.findIndex((bank) => bank.level > crew);
    fronts.forEach(({ picture, needed }, number) => {
      const item = /** @type {HTMLElement} */ (picture.parentElement);
      const state = number === view.bank ? "target" : number === next ? "next" : view.bank !== null && number < view.bank ? "passed" : "far";
      if (item.dataset.state && item.dataset.state !== "target" && state === "target") pulse(picture, 1.25, 400);
      item.dataset.state = state;
      const level = Math.max(1, view.banks[number].level);
      setText(needed, number === next ? `${crew}/${level}` : String(level));
    });
  };
  return drawBar(context, {
    wear: "mask",
    extra: Object.assign(street, { update }),
    value: ({ view }) => view.staked,
    caption: "overlay-at-stake",
    note: () => context.label("overlay-heist-join"),
  });
}

// The getaway: the crew decides

function play(context, table) {
  const clock = createClock();
  const crowd = createCrowd({ width: CARD_WIDTH, most: MOST_IN_CARD, head: 92, high: CARD_NAMES });
  const title = text("title", bankName(context, table.view.bank ?? 0));
  const decided = text("large-count", "");
  const caption = text("small", "");
  const stakes = text("stake-line", "");
  const body = make(
    "div",
    { className: "body getaway" },
    make("div", { className: "card-head" }, drawFront(context.theme, table.view.bank ?? 0), title),
    make("div", { className: "card-row" }, clock.node, make("div", {}, decided, caption)),
    stakes,
  );
  const node = make("div", { className: "scene" }, crowd.node, body);

  function update({ view, seats, phase }) {
    const mates = view.crew.map((mate) => ({ ...context.player(mate.seat), answered: mate.answered }));
    const count = mates.filter(({ answered }) => answered).length;
    const all = mates.length;
    // A drawing that may be no stage shows a card while they storm in, too.
    setText(caption, view.phase === "getaway" ? context.label("overlay-heist-decided") : (phase?.words ?? ""));
    if (view.phase === "getaway") {
      if (decided.textContent && decided.textContent !== context.label("overlay-count-of", { count, all })) pulse(decided, 1.08);
      setText(decided, context.label("overlay-count-of", { count, all }));
      decided.classList.toggle("long", decided.textContent.length > SHORT_COUNT);
    }
    setText(stakes, context.label("overlay-heist-stakes", { amount: context.write(view.staked) }));
    const ready = new Map(seats.map((each) => [each.seat, each.mark === "ready"]));
    // Of more than there is room for, those who have decided are among the last, which are shown.
    const rank = ({ seat }) => Number(ready.get(seat));
    const shown = all > MOST_IN_CARD ? [...mates].sort((one, other) => rank(one) - rank(other)) : mates;
    crowd.update(shown, (mate) => ({ ...mate, wear: "mask", theme: context.theme, state: ready.get(mate.seat) ? "ready" : "waiting" }));
  }

  return { node, update, tick: clock.tick };
}

// The beat: the doors shut behind them

function beat(context, table, told) {
  const vault = drawVault(context.theme);
  const door = make("div", { className: "vault" }, vault.picture);
  const doors = make("div", { className: "doors" }, make("i", { className: "leaf left" }), make("i", { className: "leaf right" }));
  const crowd = createCrowd({ width: 1_060, most: 16, head: 150, high: STORM_NAMES, margin: 8 });
  const line = text("verdict", "");
  const node = make("div", { className: "scene storming" }, doors, door, make("div", { className: "storm-text" }, text("title", bankName(context, table.view.bank)), line), crowd.node);
  move(doors.children[0], "translateX(-100%)", { duration: 400 });
  move(doors.children[1], "translateX(100%)", { duration: 400 });
  enter(door, "scale(0.7)", { delay: 200, duration: 400 });

  function update({ view, phase }, said) {
    // What is opened meanwhile was not told how many go in, for some may have backed out.
    const stormed = said.get("Stormed")?.arguments;
    setText(line, stormed ? goingIn(context, view, stormed.committed) : (phase?.words ?? ""));
    crowd.update(
      view.crew.map(({ seat }) => context.player(seat)),
      (mate) => ({ ...mate, wear: "mask", theme: context.theme }),
    );
  }

  function tick(seconds, total) {
    vault.shut(Math.round(12 * (1 - seconds / total)));
    vault.turn(total - seconds);
    pulse(door, 1.05, 400);
    context.play("beat");
  }

  update(table, told);
  return { node, update, tick };
}

function goingIn(context, view, count) {
  const all = view.heisters;
  if (all === 1 && count === 1) return context.label("overlay-heist-in-alone", { name: context.player(view.crew[0].seat).name });
  return context.label(count === all ? "overlay-heist-in" : "overlay-heist-in-some", { count, all });
}

// The outcome: who comes out

function outcome(context, table) {
  const { outcomes } = table.view;
  return outcomes.length > ONE_BY_ONE ? inCredits(context, table, outcomes) : oneByOne(context, table, outcomes);
}

function oneByOne(context, table, outcomes) {
  // It claims nothing that is not shown yet.
  const out = text("verdict", context.label("overlay-heist-who"));
  const rows = outcomes.length > IN_A_ROW ? 2 : 1;
  const grid = make("div", { className: "cells", data: { rows } });
  grid.style.setProperty("--columns", String(Math.ceil(outcomes.length / rows)));
  const node = outcomeScene(context, table, out, grid);
  const crossed = outcomes.some(({ fate }) => fate === "ran");
  const cells = outcomes.map((each) => cellOf(context, each, crossed));
  grid.append(...cells.map(({ node: cell }) => cell));
  const width = (INSIDE / Math.ceil(outcomes.length / rows)) * NAME_SHARE;
  const { most } = writeLargest(cells.map(({ name }) => name), cells.map(({ player }) => player.name), [34, 32], () => ({ width, lines: 2 }));
  grid.dataset.lines = String(most);
  roomFor(grid, cells.flatMap(({ amounts }) => amounts));
  for (const [index, { node: cell }] of cells.entries()) enter(cell, "translateY(30px)", { delay: index * 40 });
  let away = 0;
  const steps = inOrder(cells).map((cell, index) => ({
    after: index ? EACH : FIRST,
    run: () => {
      cell.reveal();
      if (isAway(cell.outcome)) away += 1;
      setText(out, index < cells.length - 1 ? context.label("overlay-heist-so-far", { count: away }) : wentOut(context, outcomes));
    },
  }));
  // Of so few only one can: two need twenty who go in.
  const crosser = cells.find(({ outcome: each }) => each.fate === "ran");
  if (crosser) steps.push(...crossing(context, node, cells, crosser));
  return { node, steps: [...steps, { after: LOOK, run: () => undefined }] };
}

/** Write what somebody is richer or poorer by; who has spent it all has lost nothing. */
function resultOf(context, each) {
  const spent = spentOf(each);
  return spent ? context.label("overlay-heist-spent", { amount: context.write(spent) }) : context.sign(gainOf(each));
}

const toneOf = (each, gain) => (spentOf(each) ? "spent" : gain > 0 ? "up" : gain < 0 ? "down" : "");

/** Say at the end how many of those who went in got away. */
function wentOut(context, outcomes) {
  const all = outcomes.filter(went);
  const count = all.filter(isAway).length;
  if (all.length > 1) return context.label("overlay-heist-away", { count, all: all.length });
  return context.label(`overlay-heist-group-${!all.length ? "returned" : count ? "escaped" : "caught"}`);
}

function outcomeScene(context, table, out, content) {
  return make(
    "div",
    { className: "scene body outcome-scene" },
    make("div", { className: "outcome-head" }, drawFront(context.theme, table.view.bank), make("div", {}, text("title", bankName(context, table.view.bank)), out)),
    content,
  );
}

/** First those who backed out, then all others mixed, and the one who gained most at last. */
function inOrder(cells) {
  const best = cells.reduce((one, other) => (gainOf(other.outcome) > gainOf(one.outcome) ? other : one));
  const rank = ({ outcome: each, player }) => (each === best.outcome ? 2 : went(each) ? ((player.tint * 37 + player.name.length * 11) % 97) / 97 : -1);
  return [...cells].sort((one, other) => rank(one) - rank(other));
}

/** `crossed`: a double cross follows, which shows what somebody lost. */
function cellOf(context, each, crossed) {
  const player = context.player(each.seat);
  const amount = make("span", { className: "cell-amount" });
  const head = make("div", { className: "cell-head" }, drawHead({ ...player, wear: "mask", theme: context.theme }));
  const name = make("bdi", { className: "cell-name" });
  const node = make("div", { className: "cell", data: { fate: "hidden" } }, head, name, amount);
  node.classList.toggle("mine", player.mine);
  // What a crosser takes is shown when it is taken.
  const before = gainOf(each) + (crossed && each.fate === "escaped" ? each.lost : 0) - each.loot;
  const count = counter(amount, context.sign);
  const spent = spentOf(each) ? resultOf(context, each) : "";
  amount.classList.toggle("spent", Boolean(spent));

  function reveal() {
    node.dataset.fate = each.fate;
    if (!went(each)) {
      setText(amount, context.label("overlay-heist-back"));
      enter(amount);
      return;
    }
    const away = isAway(each);
    if (!spent) count.set(before);
    enter(amount, "translateY(20px)");
    if (away) run(head);
    else head.append(bars());
    node.dataset.gain = toneOf(each, before);
    if (spent) setText(amount, spent);
    context.play(away ? "good" : "bad");
  }

  function settle() {
    if (!spent) count.set(gainOf(each));
    node.dataset.gain = toneOf(each, gainOf(each));
  }

  const amounts = went(each) && !spent ? [before, gainOf(each)].map(context.sign) : [];
  return { node, head, name, outcome: each, player, amounts, reveal, settle };
}

function run(head) {
  move(head.firstElementChild, "translateX(-90px) rotate(-10deg)", { duration: 400 });
  if (isReduced()) return;
  for (let index = 0; index < COINS; index += 1) {
    const coin = drawCoin();
    head.append(coin);
    const x = (index - (COINS - 1) / 2) * 46;
    const flight = coin.animate(
      [
        { transform: "translate(0, 0) scale(0.4)", opacity: 1 },
        { transform: `translate(${x}px, -70px) scale(1)`, opacity: 1, offset: 0.5 },
        { transform: `translate(${x * 1.4}px, -20px) scale(0.9)`, opacity: 0 },
      ],
      { duration: 400, delay: index * 40, easing: "ease-out", fill: "both" },
    );
    flight.onfinish = () => coin.remove();
  }
}

function bars() {
  const picture = draw("svg", { class: "bars", viewBox: "0 0 120 130", preserveAspectRatio: "none", "aria-hidden": "true" });
  for (let index = 0; index < BARS; index += 1) picture.append(draw("rect", { class: "bar-rod", x: 12 + index * 29.5, y: 0, width: 8, height: 130, rx: 4 }));
  picture.append(draw("rect", { class: "bar-rod", x: 2, y: 8, width: 116, height: 10, rx: 4 }), draw("rect", { class: "bar-rod", x: 2, y: 112, width: 116, height: 10, rx: 4 }));
  enter(picture, "translateY(-130px)", { duration: 260 });
  return picture;
}

/** Everything stops; then whoever has crossed the others is named: two of them, and how many more there are. */
function exposing(context, node, names, after) {
  const shown = names.slice(0, MOST_NAMED);
  const named = shown.map(() => make("bdi", { className: "cross-name" }));
  const more = names.length > MOST_NAMED ? [make("span", { textContent: `+${names.length - MOST_NAMED}` })] : [];
  const who = make("p", { className: "cross-who" }, ...named.flatMap((each, index) => (index ? [make("span", { textContent: "&" }), each] : [each])), ...more);
  const banner = make("div", { className: "cross-banner" }, text("cross-title", context.label("overlay-heist-cross")), who);
  const share = (width) => () => ({ width: width / shown.length - 60, lines: 2, wide: true });
  return [
    { after, run: () => node.classList.add("frozen") },
    {
      after: FREEZE,
      run: () => {
        node.append(banner);
        node.classList.add("crossed");
        writeLargest(named, shown, [56, 48, 44, 40, 36, 32], share(CROSS_ALONE));
        enter(banner, "scale(1.3)", { duration: 240 });
        context.play("bad");
      },
    },
    {
      after: EACH,
      run: () => {
        node.classList.remove("frozen");
        writeLargest(named, shown, [44, 40, 36, 32], share(CROSS_BESIDE));
      },
    },
  ];
}

/** The bag changes hands, and what was lost is counted down. */
function crossing(context, node, cells, crosser) {
  const [stop, name, go] = exposing(context, node, [crosser.player.name], EACH);
  const pass = () => {
    const victim = cells.filter(({ outcome: each }) => each.fate === "escaped").sort((one, other) => other.outcome.lost - one.outcome.lost)[0] ?? cells[0];
    passBag(victim.head, crosser.head);
    crosser.node.dataset.fate = "ran";
    for (const cell of cells) if (went(cell.outcome)) cell.settle();
  };
  const run = () => {
    go.run();
    pass();
  };
  return [stop, name, { ...go, run }, { after: CROSS, run: () => undefined }];
}

/** Let a bag fly from one element to the head of whoever takes it. */
function passBag(victim, head) {
  const bag = drawBag();
  head.append(bag);
  glide(bag, victim.getBoundingClientRect());
}

// Many heisters: everybody once by name, by tens

const KINDS = [
  { id: "returned", of: (each) => endOf(each) === "returned" },
  { id: "caught", of: (each) => endOf(each) === "caught" },
  { id: "escaped", of: ({ fate }) => fate === "escaped" },
  { id: "ran", of: ({ fate }) => fate === "ran" },
];

function inCredits(context, table, outcomes) {
  const out = text("verdict", context.label("overlay-heist-who"));
  const roll = make("div", { className: "roll" });
  const tallies = new Map(KINDS.filter(({ id }) => id !== "ran").map(({ id }) => [id, tallyOf(context, id)]));
  const body = make("div", { className: "credits-roll" }, roll, make("div", { className: "tallies" }, ...[...tallies.values()].map(({ node }) => node)));
  const node = outcomeScene(context, table, out, body);
  const pages = KINDS.flatMap((kind) => {
    const members = outcomes.filter(kind.of).sort((one, other) => gainOf(one) - gainOf(other));
    return Array.from({ length: Math.ceil(members.length / BY_TENS) }, (_, page) => ({ id: kind.id, members: members.slice(page * BY_TENS, (page + 1) * BY_TENS) }));
  });
  const each = Math.max(ROLL.least, Math.min(ROLL.most, ROLL.all / pages.length));
  const show = ({ id, members }) => {
    const away = id === "ran" ? "escaped" : id;
    const rows = rowsOf(context, members);
    roll.dataset.columns = String(Math.ceil(members.length / IN_A_COLUMN));
    roll.replaceChildren(...rows.map((row) => row.node));
    setText(out, context.label(`overlay-heist-group-${away}`));
    tallies.get(away)?.add(members.length);
    for (const [index, row] of rows.entries()) enter(row.node, "translateY(48px)", { delay: index * 25 });
    return rows;
  };
  const steps = pages.flatMap((page, index) => {
    const first = page !== pages.find(({ id }) => id === page.id) ? null : page.id;
    const run = () => {
      show(page);
      if (first) context.play(first === "escaped" ? "good" : "bad");
    };
    return first === "ran" ? crossingMany(context, node, outcomes, tallies, () => show(page)) : [{ after: index ? each : FIRST, run }];
  });
  return { node, steps: [...steps, { after: each, run: () => setText(out, wentOut(context, outcomes)) }, { after: LOOK, run: () => undefined }] };
}

/** Everything stops, those who crossed the others are named, and the bag comes to them from those who got away. */
function crossingMany(context, node, outcomes, tallies, show) {
  const names = outcomes.filter(({ fate }) => fate === "ran").map(({ seat }) => context.player(seat).name);
  const [stop, name, go] = exposing(context, node, names, ROLL.most);
  const run = () => {
    go.run();
    for (const { head } of show()) passBag(tallies.get("escaped").node, head);
  };
  return [stop, name, { ...go, run }, { after: CROSS, run: () => undefined }];
}

/** Count those of one kind who have been shown. */
function tallyOf(context, id) {
  const count = make("span", { className: "tally-count", textContent: "" });
  const node = make("p", { className: "tally", data: { fate: id, empty: "" } }, count, make("span", { textContent: context.label(`overlay-heist-group-${id}`) }));
  let shown = 0;

  function add(more) {
    shown += more;
    delete node.dataset.empty;
    setText(count, context.write(shown));
  }

  return { node, add };
}

/** Draw ten heisters: heads, names and what they have won or lost; what each has is left out where names need its room. */
function rowsOf(context, members) {
  const players = members.map(({ seat }) => context.player(seat));
  const amounts = members.map((each) => (went(each) ? resultOf(context, each) : ""));
  const longest = Math.max(0, ...amounts.map((each) => each.length));
  const wide = ROLL_NAMES[Math.ceil(members.length / IN_A_COLUMN)];
  const rooms = [wide - longest * ROLL_DIGIT, wide].map((width) => ({ size: 32, width, lines: 2 }));
  const room = rooms.find((each) => players.every(({ name }) => linesOf(name, each))) ?? rooms[1];
  const lines = together(players.map(({ name }) => name), () => room);
  return players.map((player, index) => {
    const head = make("span", { className: "roll-head" }, drawHead({ ...player, wear: "mask", theme: context.theme }));
    const gain = gainOf(members[index]);
    const fate = endOf(members[index]);
    const amount = room === rooms[0] ? [make("span", { className: "roll-amount", textContent: amounts[index] })] : [];
    const node = make("div", { className: `roll-row ${player.mine ? "mine" : ""}`, data: { fate, gain: toneOf(members[index], gain) } }, head, drawName("roll-name", player.name, lines[index]), ...amount);
    if (fate === "caught") head.append(bars());
    return { node, head };
  });
}

/** @returns {import("./winner.js").Winners} */
function winner(context, table) {
  const { outcomes, bank } = table.view;
  const ordered = outcomes.filter(went).sort((one, other) => gainOf(other) - gainOf(one));
  const best = ordered.find((each) => gainOf(each) > 0) ?? null;
  const name = best ? context.player(best.seat).name : "";
  const gain = best ? context.sign(gainOf(best)) : "";
  const caption = bankName(context, bank);
  return {
    caption,
    announcement: best ? `${caption}: ${name} ${gain}` : `${caption}: ${context.label("overlay-nobody-won")}`,
    seats: ordered.map(({ seat }) => seat),
    first: best && { seats: [best.seat], name, gain, wear: "pushed" },
    best: ordered.filter((each) => gainOf(each) > 0).map((each) => ({ seat: each.seat, gain: context.sign(gainOf(each)), lost: false })),
    wear: "mask",
  };
}

/** @type {import("./director.js").Drawing} */
export const heist = {
  moment: (table) => /** @type {const} */ ({ lobby: "gathering", getaway: "play", storming: "beat" })[table.view.phase] ?? "play",
  finished: (table) => table.view.outcomes.length > 0,
  gathering,
  play,
  beat,
  outcome,
  winner,
  net: ({ view }, seat) => {
    const outcome = view.outcomes.find((each) => each.seat === seat);
    return outcome ? gainOf(outcome) : null;
  },
};
