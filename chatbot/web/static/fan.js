// The cards that a player can play by pressing one of them, which lie as large as there is room.

import { childrenOf, follow, make, setText, withoutDouble } from "./dom.js";
import { stepOf } from "./keys.js";
import { sentence } from "./words.js";

const MANY = 8; // cards from which they are smaller
const ROW = 5; // cards that lie beside each other on a phone

/** Make the cards to press at one table. `say(line, whisper)` makes the move of a card. */
export function createFan(say) {
  const node = make("ul", { className: "fan", hidden: true, data: { testid: "fan" } });
  node.addEventListener("keydown", walk);

  /** Show a card for each of `moves`, which have its face as `press`; nothing for none. */
  function show(moves) {
    node.hidden = !moves.length;
    node.classList.toggle("full", moves.length > MANY);
    const rows = Math.ceil(moves.length / ROW);
    node.style.setProperty("--columns", String(Math.ceil(moves.length / rows) || 1));
    follow(node, moves, ({ line, secret }) => `${line} ${secret}`, build, update);
    const stop = childrenOf(node).find((each) => each.contains(document.activeElement)) ?? node.firstElementChild;
    for (const each of childrenOf(node)) cardOf(each).tabIndex = each === stop ? 0 : -1;
  }

  /** @param {{ line: string, secret: boolean, press: string, label: string, help: string }} move */
  function build({ line, secret, press }) {
    const card = withoutDouble(make("button", { type: "button", className: "card hand-card", data: { testid: "table-button", line, face: press } }));
    card.append(make("span", { className: "face", textContent: press, aria: { hidden: "true" } }), make("span", { className: "unseen" }));
    card.addEventListener("click", () => say(line, secret));
    return make("li", {}, card);
  }

  function update(item, { label, help }) {
    setText(cardOf(item).lastElementChild, label);
    cardOf(item).title = sentence(help);
  }

  // The cards are reached by Tab once; arrow keys move within them.
  function walk(event) {
    const cards = childrenOf(node).map(cardOf);
    const step = stepOf(event.key);
    if (!step) return;
    event.preventDefault();
    const next = cards[(cards.indexOf(event.target) + step + cards.length) % cards.length];
    for (const each of cards) each.tabIndex = each === next ? 0 : -1;
    next.focus();
  }

  return { node, show };
}

const cardOf = (item) => /** @type {HTMLElement} */ (item.firstElementChild);
