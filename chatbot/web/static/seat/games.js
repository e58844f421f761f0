// What one does off the table: opens a game, and asks for credits, history, tops and odds.

import { follow, icon, make, setText, withoutDouble } from "../dom.js";
import { createForm } from "../form.js";
import { sentence, word } from "../words.js";

const ASKS = { credits: "seat-ask-credits", history: "seat-ask-history", top: "seat-ask-top", odds: "seat-ask-odds" };

/**
 * `say(line)` sends a line and returns whether it was sent, `open(line)` does so with one that opens a game, and
 * `commandOf(line)` returns the command of a line.
 */
export function createGames(say, open, commandOf) {
  const list = make("div", { className: "seat-games" });
  const answers = make("div", { className: "seat-answers", role: "status", aria: { live: "polite" }, data: { testid: "answers" } });
  const asks = make("div", { className: "seat-asks" });
  const title = make("h2", { className: "unseen" });
  const node = make("section", { className: "seat-stack", data: { testid: "games" } }, title, list, asks, answers);
  let asked = false;

  for (const [name, id] of Object.entries(ASKS)) {
    const button = withoutDouble(make("button", { type: "button", className: "button", data: { word: id, testid: `ask-${name}` } }));
    button.addEventListener("click", () => {
      answers.replaceChildren();
      asked = say(`!${name}`);
    });
    asks.append(button);
  }

  /** Show the `games` that may be opened; `rests` say when, and `canOpen` whether this seat opens any at all. */
  function show(games, rests, tables, seat, canOpen) {
    for (const [name, id] of Object.entries(ASKS)) setText(asks.querySelector(`[data-testid="ask-${name}"]`), word(id));
    setText(title, word("seat-games"));
    const rest = new Map(rests.map((each) => [each.name, each]));
    const concerns = (table) => !table.over && (!table.apart || table.places.some((place) => place.seat === seat));
    const free = games.filter(({ name }) => !rest.get(name)?.off && !tables.some((table) => table.game === name && concerns(table)));
    follow(list, canOpen ? free : [], (game) => game.name, build, (child, game) => update(child, game, rest.get(game.name)));
    list.hidden = !canOpen || free.length === 0;
  }

  function build(game) {
    const button = withoutDouble(make("button", { type: "button", className: "button brand-button", data: { testid: "open-game", game: game.name } }));
    const choose = make("button", { type: "button", className: "button", textContent: word("page-choose"), aria: { expanded: "false", label: `${word("page-choose")} ${game.title}` } });
    const child = make("article", { className: "seat-game" }, make("h3", {}, icon(document.getElementById(`i-${game.name}`) ? game.name : "dice"), game.title), button, make("p", { textContent: sentence(game.about ?? "") }), choose);
    button.addEventListener("click", () => button.getAttribute("aria-disabled") === "true" || open(game.line));
    choose.addEventListener("click", () => {
      const shown = child.querySelector(".command-form");
      choose.setAttribute("aria-expanded", String(!shown));
      if (shown) return shown.remove();
      const form = createForm(commandOf(game.line), open);
      child.append(form.node);
      return form.focus();
    });
    choose.hidden = !commandOf(game.line)?.options?.length;
    return child;
  }

  function update(child, game, rest) {
    const button = child.querySelector("[data-testid='open-game']");
    const rests = Boolean(rest?.rest);
    setText(button, word(rests ? "seat-rests" : "seat-open"));
    button.setAttribute("aria-label", `${button.textContent}: ${game.title}`);
    button.setAttribute("aria-disabled", String(rests));
  }

  /** Show an answer here if it was asked for here; false: it was not. */
  function take(text) {
    if (!asked) return false;
    answers.append(make("p", { textContent: text, dir: "auto" }));
    return true;
  }

  const forget = () => {
    asked = false;
  };

  return { node, show, take, forget };
}
