// Shows the tables that stand, what the viewer who speaks can do at them, and the games that can be opened.

import { actionSlot, buildCard, updateCard } from "./card.js";
import { stopAllBut } from "./clock.js";
import { find, follow, setText } from "./dom.js";
import { createGames } from "./games.js";
import { createMoves } from "./moves.js";
import { word } from "./words.js";

/**
 * `say(text, whisper)` says a line as the viewer who speaks; `hurry(id)` asks for a table's next phase;
 * `wake(game)` ends a game's rest; `ended()` is told when a table is over.
 */
export function createStage({ roster, say, hurry, wake, ended }) {
  const shelf = find("tables");
  const games = createGames({ open: (game) => say(game.line, false), wake: (game) => wake(game.name) });
  const moves = createMoves(say);
  const phases = new Map();
  let tables = [];
  let own = {};
  let pressing = "";

  function setGames(list) {
    games.setGames(list);
    show();
  }

  function setTables(message) {
    announce(message.tables, phases, ended);
    tables = message.tables;
    own = message.own;
    games.setRests(message.games);
    show();
  }

  function show() {
    const focused = find("stage").contains(document.activeElement) ? document.activeElement : null;
    const mine = own[roster.speaker()?.seat] ?? { credits: "", buttons: [] };
    const update = (card, table) => updateCard(card, { ...table, note: mine.notes?.[table.id] ?? table.note }, roster.has);
    follow(shelf, tables, (table) => table.id, (table) => buildCard(table, () => hurry(table.id)), update);
    shelf.classList.toggle("many", tables.length > 1);
    stopAllBut(new Set(tables.map((table) => table.id)));
    find("stage").classList.toggle("alone", tables.length === 0);
    find("free").hidden = games.show(tables) === 0 && tables.length > 0;
    showOwn(mine);
    // A button that was pressed and is gone hands the keyboard on to the text field.
    if (focused && focused.getClientRects().length === 0) find("composer").focus();
  }

  function showOwn({ credits, buttons }) {
    setText(find("credits"), credits);
    find("credits").parentElement.hidden = !credits;
    const running = tables.find((table) => !table.over) ?? tables[0];
    const card = running && [...shelf.children].find((node) => node.dataset.table === running.id);
    moves.show(roster.speaker(), card ? buttons : []);
    // Moving an element drops its focus, so it moves only to another table.
    if (card && moves.node.parentElement !== actionSlot(card)) actionSlot(card).append(moves.node);
    if (card) actionSlot(card).hidden = moves.node.hidden;
    find("stage").classList.toggle("to-move", !moves.node.hidden);
    if (card) bringUp(card, running);
  }

  // Seconds count when a phase begins or a move can be made, so neither may lie out of sight.
  function bringUp(card, table) {
    const now = [table.id, table.over || table.phase, moves.node.hidden].join("\n");
    if (now === pressing) return;
    pressing = now;
    const scroll = card.closest(".stage-scroll");
    const top = scroll.scrollTop + card.getBoundingClientRect().top - scroll.getBoundingClientRect().top;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    scroll.scrollTo({ top: card === shelf.firstElementChild ? 0 : top, behavior: still ? "instant" : "smooth" });
  }

  return { openFirst: () => games.openFirst(tables), refresh: show, setGames, setTables };
}

// The chat says what happens; this says the phase, in few words, to those who do not see the card.
function announce(tables, phases, ended) {
  for (const table of tables) {
    const phase = table.over ? word("page-over") : table.phase;
    if (phases.get(table.id) === phase) continue;
    if (table.over && phases.has(table.id)) ended();
    phases.set(table.id, phase);
    setText(find("announce"), `${table.title}: ${phase}`);
  }
}
