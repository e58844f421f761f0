// Shows the tables that stand, what the viewer who speaks can do at them, and the games that can be opened.

import { actionSlot, buildCard, updateCard } from "./card.js";
import { stopAllBut } from "./clock.js";
import { find, follow, icon, make, nameTag, setText } from "./dom.js";
import { word } from "./words.js";

/** `say(text, whisper)` says a line as the viewer who speaks; `hurry(id)` asks for a table's next phase; `ended()` is told when a table is over. */
export function createStage({ roster, say, hurry, ended }) {
  const shelf = find("tables");
  const actions = buildActions();
  const phases = new Map();
  let tables = [];
  let own = {};
  let games = [];

  function setGames(list) {
    games = list;
    show();
  }

  function setTables(message) {
    announce(message.tables, phases, ended);
    tables = message.tables;
    own = message.own;
    show();
  }

  function show() {
    const focused = find("stage").contains(document.activeElement) ? document.activeElement : null;
    follow(shelf, tables, (table) => table.id, (table) => buildCard(table, () => hurry(table.id)), (card, table) => updateCard(card, table, roster.has));
    shelf.classList.toggle("many", tables.length > 1);
    stopAllBut(new Set(tables.map((table) => table.id)));
    showFree();
    showOwn();
    // A button that was pressed and is gone hands the keyboard on to the text field.
    if (focused && focused.getClientRects().length === 0) find("composer").focus();
  }

  function showFree() {
    const idle = freeGames();
    find("stage").classList.toggle("alone", tables.length === 0);
    find("free").hidden = idle.length === 0 && tables.length > 0;
    follow(find("games"), idle, (game) => game.name, buildGame, (node, game) => setText(node.firstElementChild, game.title));
  }

  const freeGames = () => games.filter((game) => !tables.some((table) => table.game === game.name && !table.over));

  function buildGame(game) {
    const keys = make("kbd", { textContent: "↵", aria: { hidden: "true" } });
    const button = make("button", { type: "button", className: "game", data: { testid: "open-game", game: game.name } });
    button.append(make("span", { className: "game-title" }), make("code", { textContent: game.line }), keys);
    button.addEventListener("click", () => say(game.line, false));
    return button;
  }

  /** Open the first game, if no table stands in the way. */
  function openFirst() {
    const game = tables.some((table) => !table.over) ? null : freeGames()[0];
    if (game) say(game.line, false);
  }

  function showOwn() {
    const mine = own[roster.speaker()?.seat] ?? { credits: "", buttons: [] };
    setText(find("credits"), mine.credits);
    find("credits").parentElement.hidden = !mine.credits;
    const running = tables.find((table) => !table.over) ?? tables[0];
    const card = running && [...shelf.children].find((node) => node.dataset.table === running.id);
    actions.hidden = !card || mine.buttons.length === 0;
    // Moving an element drops its focus, so it moves only to another table.
    if (card && actions.parentElement !== actionSlot(card)) actionSlot(card).append(actions);
    if (card) actionSlot(card).hidden = actions.hidden;
    showButtons(mine.buttons);
  }

  function showButtons(buttons) {
    const row = actions.lastElementChild;
    const speaker = roster.speaker();
    if (speaker && actions.dataset.seat !== speaker.seat) {
      actions.dataset.seat = speaker.seat;
      actions.firstElementChild.replaceChildren(nameTag(speaker.name), " ", word("page-your-move"));
    }
    follow(row, buttons, (button) => `${button.line} ${button.secret}`, buildButton, updateButton);
  }

  function buildButton({ line, secret }) {
    const button = make("button", { type: "button", className: "button action", title: line, data: { testid: "table-button", line } }, make("span", {}));
    if (secret) button.append(icon("whisper", word("page-secret")));
    button.addEventListener("click", () => say(line, secret));
    return button;
  }

  const updateButton = (node, button) => setText(node.firstElementChild, button.label);

  return { openFirst, refresh: show, setGames, setTables };
}

function buildActions() {
  return make("div", { className: "actions" }, make("p", {}), make("div", { className: "buttons" }));
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
