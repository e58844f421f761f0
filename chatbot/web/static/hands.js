// Draws the cards that lie on a table: those shown, rows of open ones, and piles that nobody sees.

import { follow, make, setText } from "./dom.js";
import { word } from "./words.js";

const MANY = 8; // cards of a row that are drawn at their full size
const TOLD = { kept: "page-card-kept", taken: "page-card-taken", rejected: "page-card-rejected" };

/** Let the children of `node` follow the hands of a table. */
export function updateHands(node, hands) {
  // An empty place is for cards to come, and none come where none is shown any more.
  const lying = hands.some((hand) => kindOf(hand) === "shown") ? hands : hands.filter((hand) => hand.count);
  node.hidden = lying.length === 0;
  follow(node, lying, (hand) => `${kindOf(hand)} ${hand.label}`, build, update);
}

function kindOf(hand) {
  if (hand.cards.some((card) => card.mark === "shown")) return "shown";
  return hand.cards.length === 0 && hand.hidden > 0 ? "pile" : "row";
}

function build(hand) {
  const node = make("div", { className: `hand ${kindOf(hand)}`, data: { testid: "hand" } });
  const head = make("h4", {}, make("span", { textContent: hand.label }), " ", make("b", {}));
  node.append(head, make("span", { className: "earlier" }), make("ul", { className: "cards", aria: { label: hand.label } }), make("span", { className: "pile-cards", aria: { hidden: "true" } }, make("b", {})));
  return node;
}

function update(node, hand) {
  const [head, earlier, cards, pile] = node.children;
  setText(head.lastElementChild, String(hand.count));
  setText(earlier, hand.more ? `+${hand.more}` : "");
  earlier.hidden = !hand.more;
  cards.classList.toggle("crowded", hand.cards.length > MANY);
  follow(cards, hand.cards, (card) => card.face, buildCard, updateCard);
  pile.hidden = hand.hidden === 0;
  pile.dataset.height = String(Math.min(3, hand.hidden));
  setText(pile.firstElementChild, String(hand.hidden));
}

function buildCard({ face }) {
  const node = make("li", { className: "card", data: { testid: "card", face } });
  node.append(make("span", { className: "face", textContent: face }), make("span", { className: "unseen" }));
  if (face.length > 3) node.classList.add("long");
  return node;
}

function updateCard(node, { mark }) {
  if (node.dataset.mark === mark) return;
  node.dataset.mark = mark;
  const told = TOLD[mark] ? word(TOLD[mark]) : "";
  setText(node.lastElementChild, told && ` ${told}`);
  node.title = told;
}
