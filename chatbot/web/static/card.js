// Draws one table of any game: its phase and clock, facts, buttons, places and note.

import { wind } from "./clock.js";
import { follow, icon, make, nameTag, setText, tinted, within, withoutDouble } from "./dom.js";
import { createFan } from "./fan.js";
import { updateHands } from "./hands.js";
import { createPicking } from "./picking.js";
import { createSetting } from "./setting.js";
import { arrange, inRows } from "./rows.js";
import { word } from "./words.js";

const MARKS = ["won", "away", "drawn", "caught", "lost", "left", "ready", "waiting"];
const OPEN_MARKS = new Set(["waiting", "ready"]);
const parts = new WeakMap();

/**
 * Make an empty card; `hurry()` requests the next phase, `fold()` folds or unfolds a finished table, `moves` has the
 * element of its buttons, and `say(text, whisper)` sends a line for this table.
 */
export function buildCard(table, hurry, fold, moves, say) {
  const part = {
    title: make("h3", { className: "title", tabIndex: -1 }),
    phase: make("span", { className: "phase", data: { testid: "phase" } }),
    over: make("span", { className: "over", textContent: word("page-over") }),
    fold: make("button", { type: "button", className: "small fold", data: { testid: "fold" } }, icon("chevron"), make("span", {})),
    digits: make("span", { className: "digits", data: { testid: "countdown" } }),
    next: withoutDouble(make("button", { type: "button", className: "button", data: { testid: "next-phase" } }, icon("next"), word("page-next-phase"))),
    bar: make("i", {}),
    hands: inRows(make("div", { className: "hands", hidden: true })),
    facts: inRows(make("dl", { className: "facts" })),
    actions: make("div", { className: "action-slot", hidden: true }, moves.node),
    moves,
    count: make("b", {}),
    tally: make("ul", { className: "tally" }),
    places: make("ul", { className: "places", tabIndex: 0, aria: { label: word("page-places") } }),
    note: make("p", { className: "note", dir: "auto" }),
  };
  part.digits.setAttribute("role", "timer");
  part.digits.setAttribute("aria-label", word("page-time-left"));
  part.picking = createPicking(say, part.hands);
  part.fan = createFan(say);
  part.setting = createSetting(say);
  within(moves.node, ".groups").before(part.picking.node, part.fan.node, part.setting.node, part.setting.end);
  part.frame = make("div", { className: "bar", aria: { hidden: "true" } }, part.bar);
  part.crew = make("div", { className: "crew" }, make("h4", {}, word("page-places"), " ", part.count), part.tally, part.places);
  part.next.addEventListener("click", hurry);
  part.fold.addEventListener("click", fold);
  const card = make("article", { className: "table", data: { testid: "table", table: table.id, game: table.game } });
  const head = make("div", { className: "head" }, part.title, part.digits, make("p", { className: "state" }, part.phase, part.over, part.fold), part.next, part.frame);
  // Cards and moves are in one element, so that the cards stay visible above the moves, however many there are.
  card.append(make("div", { className: "play" }, head, part.hands, part.actions), part.note, part.facts, part.crew);
  parts.set(card, part);
  return card;
}

/**
 * Update a card; `own(seat)` says whether a place belongs to a viewer of this browser. It may be `aside`, small
 * beside others, or `folded` after its result was seen; `speaker` is the seat that speaks.
 */
export function updateCard(card, table, own, { aside, folded, speaker }) {
  const part = parts.get(card);
  card.classList.toggle("is-over", table.over);
  card.classList.toggle("aside", aside);
  card.classList.toggle("folded", folded);
  part.fold.hidden = !table.over || aside;
  part.fold.setAttribute("aria-expanded", String(!folded));
  setText(part.fold.lastElementChild, word(folded ? "page-unfold" : "page-fold"));
  const solo = table.apart && table.places.length < 2;
  card.classList.toggle("solo", solo);
  // Several tables of the same game may be open, each with one player, whose name tells them apart.
  card.setAttribute("aria-label", solo ? [table.title, ...table.places.map(({ name }) => name)].join(" · ") : table.title);
  part.places.tabIndex = solo ? -1 : 0;
  setText(part.title, table.title);
  changePhase(part.phase, table.phase);
  part.over.hidden = !table.over || [word("page-over"), word("page-called-off")].includes(table.phase);
  part.next.hidden = table.over || (table.apart && !table.places.some((place) => own(place.seat)));
  wind(table.id, part, table.over ? null : table.left, table.seconds);
  setText(part.note, table.note ?? "");
  part.note.hidden = !table.note;
  updateHands(part.hands, table.hands ?? [], own, speaker, table.places.find(({ seat }) => seat === speaker)?.name);
  arrange(part.hands);
  part.facts.hidden = !table.facts.length;
  follow(part.facts, table.facts, (fact) => fact.label, buildFact, updateFact);
  arrange(part.facts);
  part.crew.hidden = !table.places.length;
  part.crew.classList.toggle("lone", table.places.length === 1 && own(table.places[0].seat));
  setText(part.count, String(table.places.length));
  // Marks that are the same for all say nothing.
  const marked = new Set(table.places.map(({ mark }) => mark)).size > 1 || !OPEN_MARKS.has(table.places[0]?.mark);
  card.classList.toggle("unmarked", !marked);
  updateTally(part.tally, marked ? table.places : []);
  const places = [...table.places].sort((one, other) => own(other.seat) - own(one.seat));
  follow(part.places, places, (place) => place.seat, buildPlace, (node, place) => updatePlace(node, place, own(place.seat)));
}

/**
 * Let a card leave out what is drawn above it: the `moment` whose title, clock and stakes are there, or "" for none.
 */
export function showHeaded(card, moment) {
  const { facts } = parts.get(card);
  if (card.dataset.headed === moment) return;
  card.dataset.headed = moment;
  arrange(facts);
}

/**
 * Show the moves that the viewer who speaks has at a table: cards to press or to lay, cards to choose from in `steps`,
 * and buttons for all others; `join` is the line of a command by which they can join with any stake. Returns whether
 * there is any move.
 */
export function showMoves(card, speaker, buttons, steps, join) {
  const { actions, fan, moves, picking, setting } = parts.get(card);
  const pressed = buttons.filter(({ press }) => press);
  const laid = buttons.filter(({ lay }) => lay?.length);
  const rest = buttons.filter(({ press, lay }) => !press && !lay?.length);
  const handled = pressed.length + laid.length > 0;
  moves.show(speaker, rest, { chosen: Boolean(steps) || handled, said: pressed[0] ?? laid[0] ?? null, join });
  fan.show(pressed);
  setting.show(speaker, laid);
  picking.show(speaker, steps);
  card.classList.toggle("handled", handled);
  actions.hidden = moves.node.hidden;
  moves.arrange();
  return !actions.hidden;
}

// A new phase is animated once, and not again for the same phase in the next snapshot.
function changePhase(node, phase) {
  if (node.textContent === phase) return;
  node.textContent = phase;
  node.classList.remove("fresh");
  requestAnimationFrame(() => node.classList.add("fresh"));
}

function buildFact() {
  return make("div", { className: "fact", data: { testid: "fact" } }, make("dt", {}), make("dd", { dir: "auto" }));
}

function updateFact(node, fact) {
  setText(node.firstElementChild, fact.label);
  setText(node.lastElementChild, fact.value);
  node.lastElementChild.title = fact.value;
  node.dataset.fact = fact.id ?? "";
}

function updateTally(node, places) {
  const counted = MARKS.map((mark) => ({ mark, count: places.filter((place) => place.mark === mark).length }));
  const build = ({ mark }) => make("li", { data: { mark } }, icon(mark), make("span", { textContent: word(`page-mark-${mark}`) }), make("b", {}));
  const shown = counted.filter(({ count }) => count);
  node.hidden = !shown.length; // a list without items would be read out
  follow(node, shown, ({ mark }) => mark, build, (item, { count }) => setText(item.lastElementChild, String(count)));
}

function buildPlace() {
  const node = make("li", { className: "place", data: { testid: "place" } });
  node.append(make("span", { className: "mark" }), make("span", { className: "who-sits" }), make("bdi", { className: "detail" }));
  return node;
}

function updatePlace(node, place, mine) {
  node.classList.toggle("mine", mine);
  node.classList.toggle("house", place.house);
  const [mark, who, detail] = node.children;
  setText(detail, place.detail ?? "");
  detail.title = place.detail ?? "";
  const face = [place.name, place.mark, place.simulated, mine].join("\n");
  if (node.dataset.face === face) return;
  node.dataset.face = face;
  node.dataset.mark = place.mark;
  tinted(node, place.name);
  mark.replaceChildren(MARKS.includes(place.mark) ? icon(place.mark, word(`page-mark-${place.mark}`)) : "");
  who.replaceChildren(nameTag(place.name), ...tags(place, mine));
}

function tags(place, mine) {
  if (mine) return [make("span", { className: "you", textContent: word("page-you") })];
  return place.simulated ? [icon("simulated", word("page-simulated"))] : [];
}
