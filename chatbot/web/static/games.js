// Shows the games that can be opened, and the remaining pause of those that were just played.

import { childrenOf, find, follow, icon, make, setText, withoutDouble } from "./dom.js";
import { createForm } from "./form.js";
import { arrange, inRows } from "./rows.js";
import { toast } from "./toast.js";
import { sentence, word } from "./words.js";

const TICK = 250; // milliseconds
const PATIENCE = 2_000; // milliseconds that a press waits for its answer

/**
 * `open(game, line)` and `wake(game)` send requests and return whether they could be sent; `speaker()` is the seat
 * that speaks, `commandOf(line)` returns the command of a line, and `people()` lists the names of those present.
 */
export function createGames({ open, wake, speaker, commandOf, people }) {
  let games = [];
  let off = new Set(); // names of games that moderators have switched off
  const rests = new Map();
  // A request that is pending is not sent again: several clicks would be several commands.
  const asked = new Map();

  inRows(find("games"));
  setInterval(() => rests.size + asked.size && refresh(), TICK);

  function setGames(list) {
    games = list;
  }

  /** Update from a `tables` message; older servers send no pauses. */
  function setRests(list = []) {
    asked.clear();
    rests.clear();
    for (const { name, rest } of list) if (rest > 0) rests.set(name, performance.now() + rest * 1_000);
    off = new Set(list.filter((game) => game.off).map(({ name }) => name));
  }

  /** Show the games that the viewer who speaks can open; returns how many there are. */
  function show(tables) {
    const free = freeOf(tables);
    follow(find("games"), free, (game) => game.name, build, update);
    arrange(find("games"));
    return free.length;
  }

  // Tables that others play on their own do not prevent a game from being opened.
  const concerns = (table) => !table.over && (!table.apart || table.places.some(({ seat }) => seat === speaker()));
  const freeOf = (tables) => games.filter((game) => !off.has(game.name) && !tables.some((table) => table.game === game.name && concerns(table)));

  /** Open the first game, if no table prevents it and it does not pause. */
  function openFirst(tables) {
    const game = tables.some(concerns) ? null : freeOf(tables)[0];
    if (!game) return;
    if (restOf(game) > 0) toast(word("page-resting"));
    else press(game, open);
  }

  function build(game) {
    const slot = make("div", { className: "game-slot" });
    const keys = make("kbd", { textContent: "↵", aria: { hidden: "true" } });
    const digits = make("span", { className: "rest", data: { testid: "rest" } });
    const button = withoutDouble(make("button", { type: "button", className: "game", data: { testid: "open-game", game: game.name } }));
    const about = make("p", { id: `about-${game.name}`, className: "game-about", textContent: sentence(game.about ?? "") });
    const picture = document.getElementById(`i-${game.name}`) ? game.name : "dice";
    button.append(icon(picture), make("span", { className: "game-title" }), make("code", { textContent: game.line }), digits, keys);
    const reason = make("p", { id: `rest-${game.name}`, className: "rest-reason", textContent: word("page-resting") });
    const skip = make("button", { type: "button", className: "button skip-rest", textContent: word("page-skip-rest"), data: { testid: "skip-rest" } });
    button.addEventListener("click", () => restOf(game) > 0 || press(game, open));
    const choose = make("button", { type: "button", className: "button choose", textContent: word("page-choose"), data: { testid: "choose-game" }, aria: { expanded: "false" } });
    choose.addEventListener("click", () => toggleForm(slot, choose, game));
    choose.hidden = !commandOf(game.line)?.options?.length;
    skip.addEventListener("click", () => {
      press(game, wake);
      button.focus();
    });
    slot.append(button, choose, skip, reason, about);
    return slot;
  }

  function toggleForm(slot, choose, game) {
    const shown = slot.querySelector(".command-form");
    choose.setAttribute("aria-expanded", String(!shown));
    if (shown) shown.remove();
    else unfold(slot, game);
  }

  function unfold(slot, game) {
    const form = createForm(commandOf(game.line), (line) => press(game, () => open(game, line)), { people: people() });
    slot.append(form.node);
    form.focus();
    form.node.scrollIntoView({ block: "nearest" });
  }

  function update(slot, game) {
    const [button, choose, skip, reason] = slot.children;
    const rest = restOf(game);
    const resting = rest > 0;
    const waiting = isAsked(game);
    setText(button.querySelector(".game-title"), game.title);
    choose.setAttribute("aria-label", `${word("page-choose")} ${game.title}`);
    setText(button.querySelector(".rest"), resting ? written(rest) : "");
    button.setAttribute("aria-disabled", String(resting || waiting));
    skip.setAttribute("aria-disabled", String(waiting));
    // It is not disabled, so that it can have the keyboard focus and its reason can be read.
    button.setAttribute("aria-describedby", resting ? reason.id : `about-${game.name}`);
    slot.classList.toggle("resting", resting);
    choose.disabled = resting;
    skip.hidden = reason.hidden = !resting;
  }

  function press(game, wish) {
    if (isAsked(game) || !wish(game)) return;
    asked.set(game.name, performance.now() + PATIENCE);
    refresh();
  }

  function refresh() {
    for (const slot of childrenOf(find("games"))) {
      const game = games.find(({ name }) => name === slot.dataset.key);
      if (game) update(slot, game);
    }
    for (const times of [rests, asked]) for (const [name, end] of times) if (end <= performance.now()) times.delete(name);
  }

  const restOf = (game) => Math.max(0, Math.ceil(((rests.get(game.name) ?? 0) - performance.now()) / 1_000));
  const isAsked = (game) => (asked.get(game.name) ?? 0) > performance.now();

  return { openFirst, setGames, setRests, show };
}

const written = (seconds) => [Math.floor(seconds / 60), seconds % 60].map((part) => String(part).padStart(2, "0")).join(":");
