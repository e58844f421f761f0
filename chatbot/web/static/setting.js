// Lets a player divide the cards of a hand among places, by dragging, tapping or with keys, and sets them together.

import { draggable } from "./dragging.js";
import { allWithin, follow, make, setText, withoutDouble } from "./dom.js";
import { stepOf } from "./keys.js";
import { word } from "./words.js";

const HAND = -1; // where a card is that lies in no place yet
const MOVING = 220; // milliseconds

/** Make the places at one table. `say(line, whisper)` makes the move that lays the cards so. */
export function createSetting(say) {
  const hand = make("div", { className: "set-hand", data: { testid: "set-hand", place: String(HAND) } });
  const slots = make("div", { className: "slots" });
  const hint = make("p", { className: "set-hint", dir: "auto" });
  const send = withoutDouble(make("button", { type: "button", className: "button brand-button set-send", data: { testid: "set-send" } }));
  const told = make("p", { className: "unseen", aria: { live: "polite" } });
  const node = make("div", { className: "setting", hidden: true, data: { testid: "setting" } }, slots, hand, hint, told);
  const end = make("div", { className: "set-end", hidden: true }, send);
  let moves = [];
  let places = []; // { label, size }
  let cards = []; // { node, face, place }
  let aim = HAND; // the place that the next card goes to, if a player chose one
  let dealt = "";

  draggable(node, ".hand-card", { over: mark, drop });
  node.addEventListener("click", pressed);
  node.addEventListener("keydown", keyed);
  send.addEventListener("click", set);

  /** Show the places of `offered`, moves that each `lay` all cards of the hand somewhere; nothing for none. */
  function show(speaker, offered) {
    node.hidden = end.hidden = !offered.length;
    moves = offered;
    const now = offered.length ? JSON.stringify([speaker?.seat, offered[0].lay.map(({ label }) => label), facesOf(offered[0])]) : "";
    if (now === dealt) return refresh();
    dealt = now;
    return deal();
  }

  function deal() {
    const first = moves[0]?.lay ?? [];
    aim = HAND;
    places = first.map(({ label, faces }) => ({ label, size: faces.length }));
    cards = moves.length ? facesOf(moves[0]).map((face, index) => ({ node: buildCard(face, index), face, place: HAND })) : [];
    follow(slots, places, ({ label }) => label, buildSlot, updateSlot);
    hand.replaceChildren(...cards.map((card) => card.node));
    for (const slot of allWithin(slots, ".slot-cards")) slot.replaceChildren();
    refresh();
  }

  function buildSlot({ label }) {
    const name = make("button", { type: "button", className: "slot-name" }, make("span", { textContent: label }), make("kbd", { aria: { hidden: "true" } }));
    return make("section", { className: "slot", aria: { label }, data: { testid: "slot" } }, name, make("div", { className: "slot-cards" }));
  }

  function updateSlot(slot, place) {
    slot.dataset.place = String(places.indexOf(place));
    slot.style.setProperty("--size", String(place.size));
  }

  function refresh() {
    for (const card of cards) {
      card.node.setAttribute("aria-label", card.place === HAND ? card.face : `${card.face}, ${places[card.place].label}`);
      card.node.tabIndex = -1;
    }
    const stop = cards.find((card) => card.node === document.activeElement) ?? inOrder()[0];
    if (stop) stop.node.tabIndex = 0;
    const next = aimed();
    for (const [index, slot] of [...slots.children].entries()) {
      slot.classList.toggle("aimed", index === next);
      setText(slot.querySelector("kbd"), String(index + 1));
    }
    const move = made();
    setText(send, move ? `${word("page-set-send")} ${move.label}` : word("page-set-send"));
    // It is not disabled, so that it keeps its place for those who use the keyboard.
    send.setAttribute("aria-disabled", String(!move));
    setText(hint, word("page-set-hint"));
    hint.style.visibility = move ? "hidden" : "";
  }

  const inPlace = (place) => cards.filter((card) => card.place === place);
  const room = (place) => places[place].size - inPlace(place).length;
  const inOrder = () => [...places.keys(), HAND].flatMap(inPlace);

  /** The place that a tapped card goes to: the chosen one, or else the first with room. */
  function aimed() {
    if (aim !== HAND && room(aim) > 0) return aim;
    return places.findIndex((_, place) => room(place) > 0);
  }

  /** The line that lays the cards as they lie, if all of them do. */
  function made() {
    if (!cards.length || inPlace(HAND).length) return null;
    const [command] = moves[0].line.split(" ");
    const laid = places.map((_, place) => inPlace(place).map(({ face }) => face).sort(descending).join("")).join(" ");
    return { line: `${command} ${laid}`, label: laid, secret: moves[0].secret };
  }

  /** Put a card into a place, or back into the hand; one that lies where there is no room changes with it. */
  function put(card, place, other = null) {
    if (card.place === place || (place !== HAND && room(place) < 1 && !other && !inPlace(place).length)) return;
    const boxes = new Map(cards.map((each) => [each, each.node.getBoundingClientRect()]));
    const focused = document.activeElement;
    const swapped = place !== HAND && room(place) < 1 ? (other ?? inPlace(place).at(-1)) : null;
    if (swapped) swapped.place = card.place;
    card.place = place;
    aim = HAND;
    lie();
    for (const [each, box] of boxes) glide(each.node, box);
    if (focused instanceof HTMLElement && node.contains(focused)) focused.focus({ preventScroll: true });
    refresh();
    setText(told, card.node.getAttribute("aria-label") ?? "");
  }

  function lie() {
    const boxes = [...allWithin(slots, ".slot-cards"), hand];
    for (const [index, box] of boxes.entries()) {
      const place = index < places.length ? index : HAND;
      const here = inPlace(place).sort((one, other) => descending(one.face, other.face) || one.node.dataset.number - other.node.dataset.number);
      box.replaceChildren(...here.map((card) => card.node));
    }
  }

  const cardAt = (target) => cards.find((card) => card.node === target?.closest?.(".hand-card"));
  const placeAt = (target) => target?.closest?.("[data-place]");

  function mark(_card, target) {
    const place = placeAt(target);
    for (const each of allWithin(node, "[data-place]")) each.classList.toggle("under", each === place);
  }

  function drop(dragged, target) {
    const [card, place] = [cardAt(dragged), placeAt(target)];
    // Another hand may have taken the place of the one that a card was dragged from.
    if (card && place && node.contains(place)) put(card, Number(place.dataset.place), cardAt(target) ?? null);
  }

  function pressed(event) {
    const card = cardAt(event.target);
    if (card) return put(card, card.place === HAND ? aimed() : HAND);
    const name = event.target.closest(".slot-name");
    if (name) aim = Number(name.parentElement.dataset.place);
    return refresh();
  }

  function keyed(event) {
    const card = cardAt(event.target);
    if (event.key === "Escape" && cards.some(({ place }) => place !== HAND)) return takeBack(event);
    if (!card) return undefined;
    const place = Number(event.key) - 1;
    if (event.key === "Backspace" || event.key === "Delete") put(card, HAND);
    else if (places[place]) put(card, place);
    else return walk(event, card);
    return event.preventDefault();
  }

  function takeBack(event) {
    event.preventDefault();
    for (const card of cards) card.place = HAND;
    lie();
    cards[0].node.focus();
    refresh();
  }

  function walk(event, card) {
    const step = stepOf(event.key);
    if (!step) return;
    event.preventDefault();
    const all = inOrder();
    all[(all.indexOf(card) + step + all.length) % all.length].node.focus();
    refresh();
  }

  function set() {
    const move = made();
    if (move) say(move.line, move.secret);
  }

  return { end, node, show };
}

const descending = (one, other) => Number(other) - Number(one);
const facesOf = ({ lay }) => lay.flatMap(({ faces }) => faces).sort(descending);

function buildCard(face, number) {
  return make("button", { type: "button", className: "card hand-card", data: { testid: "set-card", face, number: String(number) } }, make("span", { className: "face", textContent: face, aria: { hidden: "true" } }));
}

/** Move a card from where it was seen to where it lies now. */
function glide(card, before) {
  const now = card.getBoundingClientRect();
  const [x, y] = [before.left - now.left, before.top - now.top];
  if ((!x && !y) || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  card.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: MOVING, easing: "ease-out" });
}
