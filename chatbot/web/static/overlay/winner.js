// Draws how every game ends: the winner's name and gain, once and large, and then the five best.

import { make } from "../dom.js";
import { drawHead } from "./heads.js";
import { enter, leave } from "./motion.js";
import { roomFor } from "./things.js";

/**
 * Who has won, and the best; `gain` is text such as "+1,240", and `verdict` says what there is instead of a
 * winner, above the heads of `seats`.
 * @typedef {{
 *   caption: string,
 *   announcement: string,
 *   verdict?: string,
 *   first: { seats: string[], name: string, gain: string, wear: import("./heads.js").Wear, lost?: boolean } | null,
 *   seats: string[],
 *   best: { seat: string, gain: string, lost: boolean }[],
 *   wear: import("./heads.js").Wear,
 * }} Winners
 */

const ONCE = 2_800; // milliseconds before the five best
const MOST = 5;
const SHORT_NAME = 14; // letters that have room in two lines
const MOST_HEADS = 3;
const MOST_LOSERS = 6;

/**
 * Draw the winner, and then the best if they are `listed`, for which a bar has no room.
 * @returns {import("./director.js").Scene}
 */
export function drawWinner(context, { caption, verdict, first, best, wear, seats }, listed) {
  const list = make("ol", { className: "best" }, ...best.slice(0, MOST).map((each, index) => row(context, each, index, wear)));
  roomFor(list, best.slice(0, MOST).map((each) => each.gain));
  const node = make("div", { className: "winning" }, make("p", { className: "caption", textContent: caption }));
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
  const name = make("bdi", { className: `winner-name ${first.name.length > SHORT_NAME ? "long" : ""}`, textContent: first.name });
  const gain = make("p", { className: "winner-gain", textContent: first.gain });
  roomFor(gain, [first.gain]);
  const who = make("div", { className: `winner ${first.lost ? "lost" : ""}` }, make("div", { className: "winner-heads", data: { count: heads.length } }, ...heads), make("div", { className: "winner-text" }, name, gain));
  node.append(who);
  enter(who.children[0], "translateY(120px)", { duration: 400 });
  enter(name, "translateX(40px)", { delay: 150 });
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

function row(context, { seat, gain, lost }, index, wear) {
  const player = context.player(seat);
  const look = { ...player, wear: player.house ? "visor" : wear, theme: context.theme };
  return make(
    "li",
    { className: lost ? "lost" : "won" },
    make("span", { className: "rank", textContent: String(index + 1) }),
    make("span", { className: "best-head" }, drawHead(/** @type {any} */ (look))),
    make("bdi", { className: "best-name", textContent: player.name }),
    make("span", { className: "best-gain", textContent: gain }),
  );
}
