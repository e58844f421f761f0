// Draws how every game ends: the winner's name and gain, once and large, and then the five best.

import { make } from "../dom.js";
import { drawHead } from "./heads.js";
import { enter, leave } from "./motion.js";
import { breadth, drawName, together, writeLargest } from "./names.js";
import { roomFor } from "./things.js";

/**
 * Who has won, and the best; `gain` is text such as "+1,240", `how` says how it was won, in words or by the cards of
 * a `hand`, and `verdict` what there is instead of a winner, above the heads of `seats`.
 * @typedef {{
 *   caption: string,
 *   announcement: string,
 *   verdict?: string,
 *   first: { seats: string[], name: string, how?: string, hand?: HTMLElement[], gain: string, wear: import("./heads.js").Wear, lost?: boolean } | null,
 *   seats: string[],
 *   best: { seat: string, gain: string, lost: boolean }[],
 *   wear: import("./heads.js").Wear,
 * }} Winners
 */

const ONCE = 2_800; // milliseconds before the five best
const MOST = 5;
const MOST_HEADS = 3; // and names, of those who share the first place
const SIZES = [76, 64, 52, 44, 36, 32]; // pixels of the letters of a winner's name, the largest that has room
// The room of the names of winners, by the size of the plate, and of a row of the best.
const ROOMS = {
  stage: { width: 638, shared: 540, high: 190, best: 440 },
  card: { width: 320, shared: 260, high: 120, best: 310 },
  bar: { width: 760, shared: 640, high: 116, best: 0 },
};
const LINE = 1.15; // of its letters is a line of a name high
const DIGIT = 33; // pixels of each digit of what one of the best has won
const LARGE_NAME = 40;
const SMALL_NAME = 32;
const MOST_LOSERS = 6;

/**
 * Draw the winner on a plate of a size, and then the best, for which a bar has no room.
 * @param {import("./director.js").Context} context
 * @param {Winners} winners
 * @param {keyof typeof ROOMS} size
 * @returns {import("./director.js").Scene}
 */
export function drawWinner(context, { caption, verdict, first, best, wear, seats }, size) {
  const room = ROOMS[size];
  const listed = size !== "bar";
  const list = listOf(context, best.slice(0, MOST), wear, room);
  const node = make("div", { className: "winning" }, make("p", { className: "caption", textContent: !listed && first?.how ? `${caption} · ${first.how}` : caption }));
  if (first === null) {
    node.classList.add("none");
    const heads = seats.slice(0, MOST_LOSERS).map((seat) => drawHead({ ...context.player(seat), wear: wear === "face" ? "sad" : wear, theme: context.theme }));
    const crowd = make("div", { className: "losers" }, ...heads);
    node.append(make("p", { className: "verdict", textContent: verdict ?? context.label("overlay-nobody-won") }), crowd);
    enter(node.children[1], "scale(0.8)");
    enter(crowd, "translateY(80px)", { delay: 120 });
    return { node, steps: [] };
  }
  const heads = first.seats.slice(0, MOST_HEADS).map((seat) => drawHead({ ...context.player(seat), wear: first.wear, theme: context.theme }));
  const name = namesOf(context, first.seats, room);
  const how = listed ? howOf(first) : null;
  const gain = make("p", { className: "winner-gain", textContent: first.gain });
  roomFor(gain, [first.gain]);
  const who = make("div", { className: `winner ${first.lost ? "lost" : ""}` }, make("div", { className: "winner-heads", data: { count: heads.length } }, ...heads), make("div", { className: "winner-text" }, name, ...(how ? [how] : []), gain));
  node.append(who);
  enter(who.children[0], "translateY(120px)", { duration: 400 });
  enter(name, "translateX(40px)", { delay: 150 });
  if (how) enter(how, "translateX(40px)", { delay: 220 });
  enter(gain, "scale(0.6)", { delay: 300, duration: 400 });
  context.play(first.lost ? "bad" : "win");
  if (!listed || best.length < 2) return { node, steps: [] };
  const steps = [
    {
      after: ONCE,
      run: () => {
        leave(gain, "none", { duration: 200 }).onfinish = () => gain.remove();
        node.classList.add("listing");
        node.append(list);
        show(list);
        enter(who, "translateX(60px)");
      },
    },
  ];
  return { node, steps };
}

/** Draw a table that ends without a result. */
export function drawCalledOff(context, table) {
  const note = table.lines.at(-1) ?? "";
  const node = make("div", { className: "called-off" }, make("p", { className: "title", textContent: table.title }), make("p", { className: "verdict", textContent: context.label("overlay-called-off") }));
  if (table.phase === null && table.lines.length > 1) node.append(make("p", { className: "small", textContent: note }));
  return { node };
}

function show(list) {
  for (const [index, each] of [...list.children].entries()) enter(each, "translateX(48px)", { delay: index * 90 });
}

/**
 * Show how somebody has won; null: that needs no words.
 * @param {{ how?: string, hand?: HTMLElement[] }} first
 */
function howOf({ how, hand }) {
  if (hand) return make("div", { className: "winner-how winner-hand" }, ...hand);
  return how ? make("p", { className: "winner-how", textContent: how }) : null;
}

/** Write who has won, as large as there is room: three of them, and how many more there are. */
function namesOf(context, seats, { width, shared, high }) {
  const shown = seats.slice(0, MOST_HEADS);
  const names = shown.map(() => make("bdi", {}));
  const more = seats.length > MOST_HEADS ? [make("span", { textContent: `+${seats.length - MOST_HEADS}` })] : [];
  const rooms = (_, size) => ({ width: shown.length > 1 ? shared : width, lines: Math.max(1, Math.floor(high / shown.length / (size * LINE))), wide: true });
  const { size } = writeLargest(names, shown.map((seat) => context.player(seat).name), SIZES, rooms);
  const node = make("div", { className: "winner-name" }, ...names, ...more);
  node.style.fontSize = `${size}px`;
  return node;
}

function listOf(context, best, wear, { best: most }) {
  const list = make("ol", { className: "best" });
  const gains = best.map(({ gain }) => gain);
  roomFor(list, gains);
  const width = Math.max(most / 2, most - DIGIT * Math.max(0, ...gains.map((each) => each.length)));
  const players = best.map(({ seat }) => context.player(seat).name);
  const sizeOf = (name) => (breadth(name, { size: LARGE_NAME }) <= width ? LARGE_NAME : SMALL_NAME);
  const lines = together(players, (index) => ({ size: sizeOf(players[index]), width, lines: 2 }));
  list.append(...best.map((each, index) => row(context, each, index, wear, lines[index], sizeOf(players[index]))));
  return list;
}

function row(context, { seat, gain, lost }, index, wear, lines, size) {
  const player = context.player(seat);
  const name = drawName("best-name", player.name, lines);
  name.style.fontSize = `${size}px`;
  const look = { ...player, wear: player.house ? "visor" : wear, theme: context.theme };
  return make(
    "li",
    { className: `${lost ? "lost" : "won"} ${player.mine ? "mine" : ""}` },
    make("span", { className: "rank", textContent: String(index + 1) }),
    make("span", { className: "best-head" }, drawHead(/** @type {any} */ (look))),
    name,
    make("span", { className: "best-gain", textContent: gain }),
  );
}
