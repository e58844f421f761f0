// Shows the tables of a room at which somebody sits: their hand and moves, and how it ended for them.

import { buildCard, showMoves, updateCard } from "../card.js";
import { stopAllBut } from "../clock.js";
import { childrenOf, find, follow, make, setText } from "../dom.js";
import { createMoves } from "../moves.js";
import { arranged } from "../seating.js";
import { word } from "../words.js";

const LOSSES = new Set(["lost", "caught"]);
const GAINS = new Set(["won", "away"]);
const SETTLED = 300; // milliseconds in which the own part of what all see has come, too

/** `say(line, table)` sends a line for a table, and `me` is the seat with its name. */
export function createHand(say, commandOf) {
  const node = make("div", { id: "tables" });
  const phases = new Map();
  const news = new Set();
  let shown = [];
  let results = {};
  let opens = false;
  let before = new Set();
  /** @type {{ seat: string, name: string }} */
  let me = { seat: "", name: "" };
  const mine = (seat) => seat === me.seat;

  function show(seat, tables, own) {
    me = seat;
    const focused = node.contains(document.activeElement) ? document.activeElement : null;
    const within = focused?.closest(".table");
    const buttons = own?.buttons ?? [];
    const seen = (table) => {
      const place = own?.places?.[table.id];
      const places = place && !table.places.some((each) => mine(each.seat)) ? [place, ...table.places] : table.places;
      return { ...table, places, note: own?.notes?.[table.id] ?? table.note, hands: own?.hands?.[table.id] ?? table.hands };
    };
    const placed = arranged(tables.map(seen), me.seat, buttons, () => false);
    follow(node, placed, ({ table }) => table.id, ({ table }) => build(table), (card, { table }) => update(card, table, own));
    node.hidden = placed.length === 0;
    stopAllBut(new Set(tables.map(({ id }) => id)));
    results = own?.results ?? {};
    announce(placed.map(({ table }) => table));
    goTo(buttons);
    // What was used is gone, and whoever goes on by keyboard would begin again at the top of the page.
    if (focused && !isShown(focused)) focusOn(within?.isConnected ? within : find("main"));
  }

  // Whoever opens a game from the list below the tables would not see their hand above it, and their button is gone.
  function goTo(buttons) {
    const { table } = (opens && buttons.find((each) => !before.has(each.table))) || {};
    const card = table && childrenOf(node).find((each) => each.dataset.table === table);
    if (!card) return;
    opens = false;
    focusOn(card);
    card.scrollIntoView({ block: "start" });
  }

  /** Go to the next table that comes with something to do, which is about to be opened, or do not. */
  function goToNext(wanted) {
    before = new Set(shown.map(({ id }) => id));
    opens = wanted;
  }

  /** Whether a table shows a sentence where it can be read. */
  function says(text) {
    const notes = [...node.querySelectorAll(".note")].filter((each) => each.textContent === text);
    return notes.map((each) => each.getBoundingClientRect()).some(({ top, bottom, height }) => height > 0 && top >= 0 && bottom <= innerHeight);
  }

  function build(table) {
    const moves = createMoves((line) => say(line, table.id), commandOf);
    const card = buildCard(table, () => undefined, () => undefined, moves, (line) => say(line, table.id));
    card.append(make("p", { className: "seat-finish", hidden: true, data: { testid: "finish" } }));
    return card;
  }

  function update(card, table, own) {
    updateCard(card, table, mine, { aside: false, folded: false, speaker: me.seat });
    // Nobody reads along at a seat, so that no move needs the mark that it is better whispered.
    const buttons = (own?.buttons ?? []).filter((each) => each.table === table.id).map((each) => ({ ...each, secret: false }));
    const join = (own?.joins ?? []).find((each) => each.table === table.id)?.line ?? "";
    showMoves(card, { ...me, alone: true }, buttons, (own?.steps ?? []).find((each) => each.table === table.id), join);
    count(card, table);
    finish(card.querySelector(".seat-finish"), table, own?.results?.[table.id]);
  }

  // Of a crowd only the first are named; how many there are is said, too.
  function count(card, table) {
    setText(card.querySelector(".crew h4 b"), String(table.count));
  }

  function finish(line, table, net) {
    const said = table.over ? finishOf(table.places.find(({ seat }) => mine(seat)), net) : null;
    line.hidden = said === null;
    line.dataset.kind = said?.kind ?? "";
    setText(line, said?.text ?? "");
    if (said) line.parentElement.querySelector(".play").before(line);
  }

  // Whoever hears the page is told of phases, of what they see in them, and how it has ended for them.
  function announce(tables) {
    shown = tables;
    for (const table of tables) {
      const now = table.over ? word("page-over") : table.phase;
      if (phases.get(table.id) !== now && !news.size) setTimeout(tellNews, SETTLED);
      if (phases.get(table.id) !== now) news.add(table.id);
      phases.set(table.id, now);
    }
  }

  function tellNews() {
    const told = shown.filter(({ id }) => news.has(id)).map((table) => [`${table.title}: ${phases.get(table.id)}`, endOf(table)?.text ?? table.note ?? ""].join(". "));
    news.clear();
    if (told.length) setText(find("announce"), told.join(" "));
  }

  const endOf = (table) => (table.over ? finishOf(table.places.find(({ seat }) => mine(seat)), results[table.id]) : null);

  /** Whether no table is shown. */
  const isEmpty = () => childrenOf(node).length === 0;

  return { node, show, goToNext, says, isEmpty };
}

const isShown = (node) => node.isConnected && node.getClientRects().length > 0;

function focusOn(node) {
  node.tabIndex = -1;
  node.focus({ preventScroll: true });
}

/** Say how a table ended for who sat at `place` and won or lost `net` credits; null: they did not play. */
export function finishOf(place, net) {
  if (!place || net === undefined) return null;
  const amount = new Intl.NumberFormat(document.documentElement.lang).format(Math.abs(net));
  if (net > 0) return { kind: "won", text: word("seat-won").replace("AMOUNT", amount) };
  if (net < 0) return { kind: "lost", text: word(place.mark === "caught" ? "seat-caught" : "seat-lost-credits").replace("AMOUNT", amount) };
  if (GAINS.has(place.mark)) return { kind: "won", text: word("seat-won-honour") };
  if (LOSSES.has(place.mark)) return { kind: "lost", text: word("seat-lost-honour") };
  return { kind: "drawn", text: word(place.mark === "left" ? "seat-off" : "seat-even") };
}
