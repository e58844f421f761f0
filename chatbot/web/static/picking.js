// Lets the player on turn choose cards on the table: each becomes a button, and the choice is sent as one line.

import { make, setText, withoutDouble } from "./dom.js";
import { stepOf } from "./keys.js";
import { word } from "./words.js";

/** Choose cards at one table, which are in `hands`. `say(text, whisper)` sends a line for it as the viewer who speaks. */
export function createPicking(say, hands) {
  const button = withoutDouble(make("button", { type: "button", className: "button propose", data: { testid: "propose" } }));
  const hint = make("p", { className: "pick-hint", dir: "auto" });
  const node = make("div", { className: "picking", hidden: true }, hint, button);
  let steps = null;
  let places = new Map(); // which part of a move each card is
  let chosen = [];
  let turn = "";

  hint.setAttribute("aria-live", "polite");
  button.addEventListener("click", propose);
  hands.addEventListener("click", (event) => press(event.target.closest(".pick")));
  for (const area of [hands, node]) area.addEventListener("keydown", keyed);

  /** Show what `speaker` can choose; `offered` are the moves in steps of one command, or nothing. */
  function show(speaker, offered) {
    const now = offered ? JSON.stringify([speaker?.seat, offered.line, offered.paths]) : "";
    if (now !== turn) chosen = [];
    turn = now;
    steps = offered ?? null;
    places = new Map((steps?.paths ?? []).flatMap((each) => each.map((name, part) => [name, part])));
    node.hidden = !steps;
    refresh();
  }

  function refresh() {
    for (const card of hands.querySelectorAll(".card[data-word]")) mark(card);
    for (const row of hands.querySelectorAll(".cards")) rove(row);
    if (!steps) return;
    const complete = path();
    button.hidden = !complete;
    hint.hidden = Boolean(complete);
    setText(hint, word(chosen.some(Boolean) ? "page-pick-other" : "page-pick-first"));
    if (complete) setText(button, `${word("page-propose")} ${complete.map((each) => steps.labels[each]).join(" → ")}`);
  }

  const path = () => steps.paths.find((each) => each.length === chosen.length && each.every((part, number) => part === chosen[number]));

  function mark(card) {
    const name = card.dataset.word;
    let pick = card.querySelector(".pick");
    if (!places.has(name)) return pick?.remove();
    if (!pick) {
      pick = make("button", { type: "button", className: "pick", data: { testid: "pick", word: name } });
      card.append(pick);
    }
    pick.setAttribute("aria-label", steps.labels[name]);
    pick.dataset.part = places.get(name);
    pick.setAttribute("aria-pressed", String(chosen.includes(name)));
  }

  // A row of cards is reached by Tab once; arrow keys move within it.
  function rove(row) {
    const picks = [...row.querySelectorAll(".pick")];
    const stop = picks.find((each) => each === document.activeElement) ?? picks.find((each) => each.getAttribute("aria-pressed") === "true") ?? picks[0];
    for (const each of picks) each.tabIndex = each === stop ? 0 : -1;
  }

  function press(pick) {
    if (!pick || !steps) return;
    const { word: name } = pick.dataset;
    const part = places.get(name);
    const parts = Array.from({ length: steps.paths[0].length }, (_, number) => chosen[number] ?? "");
    chosen = parts.map((each, number) => (number === part ? (each === name ? "" : name) : each));
    refresh();
    if (path()) button.focus();
  }

  function propose() {
    const words = path();
    if (words) say([steps.line, ...words].join(" "), steps.secret);
  }

  function keyed(event) {
    if (event.key === "Escape" && chosen.some(Boolean)) clear(event);
    const at = event.target.closest?.(".pick");
    if (at && stepOf(event.key)) move(event, at);
  }

  // If the button with the focus disappears, the focus returns to a card.
  function clear(event) {
    const last = hands.querySelector(`.pick[data-word="${CSS.escape(chosen.findLast(Boolean))}"]`);
    event.preventDefault();
    chosen = [];
    refresh();
    last?.focus();
  }

  function move(event, at) {
    const picks = [...hands.querySelectorAll(".pick")];
    event.preventDefault();
    picks[(picks.indexOf(at) + stepOf(event.key) + picks.length) % picks.length].focus();
    refresh();
  }

  return { node, show };
}
