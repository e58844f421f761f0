// Shows the tables, what the viewer who speaks can do at them, and the games that can be opened.

import { buildCard, showHeaded, showMoves, updateCard } from "./card.js";
import { stopAllBut } from "./clock.js";
import { createDrawing } from "./drawing.js";
import { allWithin, childrenOf, find, follow, giveTints, setText } from "./dom.js";
import { createFolds } from "./folds.js";
import { createGames } from "./games.js";
import { createMoves } from "./moves.js";
import { arranged } from "./seating.js";
import { word } from "./words.js";

const PATIENCE = 4_000; // milliseconds in which a drawing begins to reveal what is over

/**
 * `say(text, whisper, table)` sends a line as the viewer who speaks; `hurry(id)` requests a table's next phase;
 * `wake(game)` ends the pause of a game; `ended()` is called when a table is over, and `revealed()` when the drawing has
 * gone on to another moment.
 */
export function createStage({ roster, say, hurry, wake, ended, revealed }) {
  const shelf = find("tables");
  const seat = () => roster.speaker()?.seat;
  let commands = new Map();
  const commandOf = (line) => commands.get(line.slice(1).split(" ")[0]);
  const games = createGames({ open: (game, line = game.line) => say(line, false), wake: (game) => wake(game.name), speaker: seat, commandOf, people: others });
  const phases = new Map();
  const ends = new Map(); // when each table was found to be over
  const folds = createFolds(show, isRead);
  let first = ""; // the table of the viewer who speaks that is drawn before others
  const drawing = createDrawing({ isOwn: (id) => id === first, seat, credits: () => own[seat()]?.credits ?? "", changed });
  let tables = [];
  let own = {};
  let people = [];
  let pressing = "";
  /** @type {string | undefined} */
  let credited; // whose credits are written

  // Viewers of this browser are not suggested as opponents of the one who speaks.
  function others() {
    return people.filter((name) => name !== roster.speaker()?.name);
  }

  function setCommands(list) {
    // Moves are commands of games, even if the bot has one of the same word; games come first in the list, so they are set last.
    commands = new Map([...list].reverse().flatMap((command) => [command.word, ...command.aliases].map((name) => [name, command])));
  }

  function setGames(list) {
    games.setGames(list);
    show();
  }

  function setTables(message) {
    tables = message.tables;
    own = message.own;
    people = message.people ?? [];
    for (const { id, over } of tables) if (over && !ends.has(id)) end(id);
    for (const known of [phases, ends]) for (const id of known.keys()) if (!tables.some((table) => table.id === id)) known.delete(id);
    announce(tables.filter((table) => !table.apart || table.places.some((place) => roster.has(place.seat))), phases, ended);
    games.setRests(message.games);
    show();
  }

  function end(id) {
    ends.set(id, phases.has(id) ? performance.now() : 0);
    setTimeout(changed, PATIENCE + 1);
  }

  function show() {
    const focused = find("stage").contains(document.activeElement) ? document.activeElement : null;
    const mine = own[seat()] ?? { credits: "", buttons: [] };
    folds.see(tables, seat());
    const placed = arranged(tables, seat(), mine.buttons, folds.past);
    // What only this viewer sees of a table replaces what the public sees.
    const seen = (table) => ({ ...table, note: mine.notes?.[table.id] ?? table.note, hands: mine.hands?.[table.id] ?? table.hands });
    const update = (card, { table, aside }) => updateCard(card, seen(table), roster.has, { aside, folded: !aside && folds.folded(table.id), speaker: seat() });
    follow(shelf, placed, ({ table }) => table.id, ({ table }) => built(table), update);
    shelf.classList.toggle("many", tables.length > 1);
    stopAllBut(new Set(tables.map((table) => table.id)));
    find("stage").classList.toggle("alone", tables.every(({ id }) => folds.folded(id)));
    find("free").hidden = games.show(tables) === 0 && tables.length > 0;
    showOwn(placed, mine);
    keepFocus(focused);
    const plays = ({ table }) => table.places.some((place) => place.seat === seat());
    first = placed.find((each) => plays(each) && !each.table.over)?.table.id ?? "";
    drawing.update();
    changed();
  }

  // What the drawing reveals step by step is not read elsewhere before.
  function markRevealed() {
    for (const card of childrenOf(shelf)) {
      const awaits = awaited(card.dataset.table);
      card.classList.toggle("revealing", awaits && isOver(card.dataset.table));
      card.classList.toggle("showing", awaits && !isOver(card.dataset.table));
      showHeaded(card, card.dataset.table === drawing.table() ? drawing.headed() : "");
    }
  }

  const isOver = (id) => tables.some((table) => table.id === id && table.over);
  // What the drawing does not begin to reveal, it never will.
  const isJustOver = (id) => isOver(id) && performance.now() - (ends.get(id) ?? 0) < PATIENCE;
  const awaited = (id) => drawing.awaited(id, isJustOver(id));

  function changed() {
    if (drawing.table()) giveTints(drawing.colours());
    markRevealed();
    showCredits();
    revealed();
  }

  // What one has after a table would tell its result.
  function showCredits() {
    const { credits } = own[seat()] ?? { credits: "" };
    const same = credited === seat();
    if (same && awaited(drawing.table())) return;
    credited = seat();
    setText(find("credits"), credits);
    /** @type {HTMLElement} */ (find("credits").parentElement).hidden = !credits;
  }

  function built(table) {
    const moves = createMoves((line, secret) => say(line, secret, table.id), commandOf);
    return buildCard(table, () => hurry(table.id), () => folds.toggle(table.id), moves, (line, secret) => say(line, secret, table.id));
  }

  // Whether the focus or a selection is in a table.
  function isRead(id) {
    const card = childrenOf(shelf).find((each) => each.dataset.table === id);
    const selection = getSelection();
    if (!card) return false;
    const marked = selection !== null && !selection.isCollapsed && card.contains(selection.anchorNode);
    return card.contains(document.activeElement) || marked;
  }

  function showOwn(placed, { buttons, steps = [], joins = [] }) {
    showCredits();
    // Older servers do not name the tables; then moves belong to the one that is running.
    const meant = placed.find(({ table }) => !table.over)?.table.id;
    const cards = [...shelf.children];
    const moving = placed.filter(({ table }, index) => {
      const here = buttons.filter((button) => (button.table ?? meant) === table.id);
      const join = joins.find((each) => each.table === table.id)?.line ?? "";
      return showMoves(cards[index], roster.speaker(), here, steps.find((each) => each.table === table.id), join);
    });
    find("stage").classList.toggle("to-move", moving.some(({ table }) => table.places.some((place) => place.seat === seat())));
    find("to-moves").hidden = !firstMove();
    bringUp(placed[0]?.table, moving.length > 0);
  }

  /** Return what Tab reaches first of the moves that can be made, or else of the games that can be opened. */
  function firstMove() {
    const within = [...shelf.querySelectorAll(".action-slot:not([hidden])"), find("games")];
    const all = within.flatMap((each) => allWithin(each, "button, input, select"));
    return all.find((each) => each.getClientRects().length && !each.matches(":disabled, .explain, [tabindex='-1']"));
  }

  // When a phase begins or a move can be made, time matters, so clock and moves must be visible:
  // they are those of the first table.
  function bringUp(table, moving) {
    const now = [seat(), table?.id, table?.over || table?.phase, moving].join("\n");
    if (now === pressing) return;
    pressing = now;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    /** @type {Element} */ (shelf.closest(".stage-scroll")).scrollTo({ top: 0, behavior: still ? "instant" : "smooth" });
  }

  // Moving a card in the document drops the focus; if the focused button is gone, the text field gets the focus.
  function keepFocus(focused) {
    if (!focused) return;
    // What was just hidden has the focus until the page is drawn.
    if (!focused.isConnected || focused.getClientRects().length === 0) find("composer").focus();
    else if (document.activeElement !== focused) focused.focus({ preventScroll: true });
  }

  return { awaited, drawn: (id) => drawing.drawn(id), hidden: () => own[seat()]?.hidden ?? [], suggested: () => own[seat()]?.suggested, openFirst: () => games.openFirst(tables), openDrawing: drawing.open, toMoves: () => firstMove()?.focus(), turnSound: drawing.turnSound, refresh: show, setCommands, setGames, setTables };
}

// Announces the phase to screen readers; the chat announces events.
function announce(tables, phases, ended) {
  for (const table of tables) {
    const phase = table.over ? word("page-over") : table.phase;
    if (phases.get(table.id) === phase) continue;
    if (table.over && phases.has(table.id)) ended();
    phases.set(table.id, phase);
    setText(find("announce"), `${table.title}: ${phase}`);
  }
}
