// Draws the cards on a table: the card that is turned up, rows of open cards, piles, and the hands of players.

import { follow, icon, make, nameTag, setText, within } from "./dom.js";
import { word } from "./words.js";

const SUITED = /^(10|[2-9AJQK])[♠♥♦♣]$/;
const SUITS = { "♠": "page-suit-spades", "♥": "page-suit-hearts", "♦": "page-suit-diamonds", "♣": "page-suit-clubs" };
const RANKS = { A: "page-rank-a", K: "page-rank-k", Q: "page-rank-q", J: "page-rank-j" };
const MANY = 8; // cards of a row that are drawn at their full size
const FEW = 2; // people whose hands lie below each other; those of more lie side by side
const BACKS = 6; // cards face down that are drawn one by one; more of them are a pile
const ENDS = { won: "page-hand-won", lost: "page-hand-lost", drawn: "page-hand-drawn" };

/**
 * Update the children of `node` from the hands of a table: the `speaker`'s first, then others that are `own(seat)`. A row
 * can be called by the `name` of the speaker instead.
 */
export function updateHands(node, hands, own, speaker, name) {
  // An empty place is for cards to come, and there are none once no card is turned up.
  const lying = hands.some((hand) => kindOf(hand) === "shown") ? hands : hands.filter((hand) => hand.count);
  const rank = (lot) => (lot.hands ? own(lot.seat) + (lot.seat === speaker) : 0);
  const lots = byOwner(lying).sort((one, other) => rank(other) - rank(one));
  node.hidden = lying.length === 0;
  node.classList.toggle("fair", lots.length > FEW && lots.every((lot) => lot.hands?.length === 1));
  follow(node, lots, keyOf, (lot) => (lot.hands ? buildOwner(lot) : build(lot)), (child, lot) => (lot.hands ? updateOwner(child, lot, own(lot.seat)) : update(child, lot, name)));
}

// Consecutive hands of one owner are in one row.
function byOwner(hands) {
  const lots = [];
  for (const hand of hands) {
    const last = lots.at(-1);
    if (!hand.seat) lots.push(hand);
    else if (last?.hands && last.seat === hand.seat) last.hands.push(hand);
    else lots.push({ seat: hand.seat, owner: hand.owner, hands: [hand] });
  }
  return lots;
}

function keyOf(lot) {
  return lot.hands ? `owner ${lot.seat}` : `${kindOf(lot)} ${lot.label}`;
}

function buildOwner({ owner }) {
  const held = make("div", { className: "held" });
  const node = make("section", { className: "owned", aria: { label: owner }, data: { testid: "owned" } });
  node.append(make("h4", {}, nameTag(owner)), held);
  return node;
}

function updateOwner(node, { hands }, mine) {
  node.classList.toggle("mine", mine);
  follow(node.lastElementChild, hands, (hand) => hand.label, buildHeld, updateHeld);
}

function buildHeld(hand) {
  const node = make("div", { className: "lying", data: { testid: "hand" } });
  const head = make("h5", { aria: { level: "4" } }, make("span", { textContent: hand.label }), make("span", { className: "end" }), make("span", { className: "worth" }));
  node.append(head, make("ul", { className: "cards", aria: { label: hand.label } }));
  return node;
}

function updateHeld(node, hand) {
  const [, end, worth] = node.firstElementChild.children;
  setText(worth, hand.detail);
  if (node.dataset.mark !== hand.mark) {
    node.dataset.mark = hand.mark;
    const told = ENDS[hand.mark];
    end.replaceChildren(...(told ? [icon(hand.mark, word(told))] : []));
  }
  const piled = hand.hidden > BACKS;
  const backs = Array.from({ length: piled ? 1 : hand.hidden }, () => ({ face: "", count: piled ? hand.hidden : 1 }));
  follow(node.lastElementChild, [...hand.cards, ...backs], (card) => card.face || "back", (card) => (card.face ? buildCard(card) : buildBack()), (child, card) => (card.face ? updateCard(child, card) : updateBack(child, card)));
}

function buildBack() {
  return make("li", { className: "card back", data: { testid: "back" } }, make("b", { aria: { hidden: "true" } }), make("span", { className: "unseen", textContent: word("page-card-hidden") }));
}

function updateBack(node, { count }) {
  setText(node.firstElementChild, count > 1 ? String(count) : "");
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

function update(node, hand, name) {
  const [head, earlier, cards, pile] = node.children;
  node.classList.toggle("own", hand.label === name);
  // Of a few cards that all lie in sight a number would say nothing.
  setText(head.lastElementChild, hand.hidden || hand.more || hand.count > MANY ? String(hand.count) : "");
  setText(earlier, hand.more ? `+${hand.more}` : "");
  earlier.hidden = !hand.more;
  cards.classList.toggle("crowded", hand.cards.length > MANY);
  const former = cards.childElementCount;
  follow(cards, hand.cards, (card) => card.face, buildCard, updateCard);
  if (former !== hand.cards.length) lap(cards, hand.cards);
  pile.hidden = hand.hidden === 0;
  pile.dataset.height = String(Math.min(3, hand.hidden));
  setText(pile.firstElementChild, String(hand.hidden));
}

// Where there is little room, the cards of a row lap over each other as far as their faces stay in sight; of more than
// that the newest are in sight, and the others are scrolled to.
function lap(row, cards) {
  row.style.setProperty("--count", String(cards.length));
  row.style.setProperty("--letters", String(Math.max(0, ...cards.map(({ face }) => face.length))));
  // It may not be in the document before the next frame.
  requestAnimationFrame(() => {
    if (cards.some(({ mark }) => mark !== "plain")) row.scrollLeft = row.scrollWidth;
    row.classList.toggle("lapping", isLapping(row));
    if (row.scrollWidth > row.clientWidth) row.tabIndex = 0;
    else row.removeAttribute("tabindex");
  });
}

/** Return whether a card of a row covers a part of the one before it. */
function isLapping({ children: [first, second] }) {
  return Boolean(second) && second.offsetLeft < first.offsetLeft + first.offsetWidth;
}

/** @param {{ face: string, word: string, mark: string, told: string }} card */
function buildCard({ face, word: name }) {
  const node = make("li", { className: "card", data: { testid: "card", face, ...(name && { word: name }) } });
  node.append(make("span", { className: "face", textContent: face }), make("span", { className: "unseen" }));
  node.style.setProperty("--letters", String(face.length));
  if (face.length > 3) node.classList.add("long");
  if (SUITED.test(face)) suit(node, face);
  return node;
}

// Screen readers would read the sign of a suit in their own words, or not at all.
function suit(node, face) {
  node.dataset.suit = face.at(-1);
  const shown = within(node, ".face");
  shown.setAttribute("role", "img");
  shown.setAttribute("aria-label", spoken(face));
}

/** Return the name of a card such as 10♥, as it is said. */
function spoken(face) {
  const rank = face.slice(0, -1);
  return word(SUITS[face.at(-1)]).replace("{rank}", RANKS[rank] ? word(RANKS[rank]) : rank);
}

/** @param {HTMLElement} node @param {{ mark: string, told: string }} card */
function updateCard(node, { mark, told }) {
  if (node.dataset.mark === mark && node.title === told) return;
  node.dataset.mark = mark;
  setText(within(node, ".unseen"), told && ` ${told}`);
  node.title = told;
}
