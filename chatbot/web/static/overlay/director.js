// Decides which table is on screen, in which moment and at which size, and when it goes away.

import { make } from "../dom.js";
import { drawings } from "./drawings.js";
import { createTints } from "./heads.js";
import { brief, createSequence, enter, isReduced, leave, signed } from "./motion.js";
import { drawCalledOff, drawWinner } from "./winner.js";

/**
 * A moment of a table as it is drawn.
 * @typedef {{
 *   node: HTMLElement,
 *   update?: (table: any, told: Map<string, any>) => void,
 *   tick?: (seconds: number, total: number) => void,
 *   steps?: { after: number, run: () => void }[],
 * }} Scene
 *
 * What a game brings: the moment in which a table is, whether it has a result, its scenes, who has won, and by how many
 * credits a seat ends ahead (`net`; null for somebody who staked none).
 * @typedef {{
 *   moment: (table: any) => "gathering" | "play" | "beat",
 *   finished: (table: any) => boolean,
 *   gathering: (context: Context, table: any) => Scene,
 *   play: (context: Context, table: any) => Scene,
 *   beat?: (context: Context, table: any, told: Map<string, any>) => Scene,
 *   reveal?: (context: Context, table: any, former: any) => Scene | null,
 *   outcome?: (context: Context, table: any, told: Map<string, any>) => Scene,
 *   winner: (context: Context, table: any) => import("./winner.js").Winners,
 *   net?: (table: any, seat: string) => number | null,
 * }} Drawing
 *
 * What scenes are drawn with; `memory` is what a drawing keeps in mind of its table.
 * @typedef {{
 *   label: (id: string, values?: Record<string, string | number>) => string,
 *   write: (value: number) => string,
 *   sign: (value: number) => string,
 *   player: (seat: string) => { seat: string, name: string, tint: number, house: boolean, mine: boolean },
 *   play: (cue: import("./sound.js").Cue) => void,
 *   theme: string,
 *   memory: Map<string, any>,
 * }} Context
 */

const WINNER_STAYS = 8_000; // milliseconds
const CALLED_OFF_STAYS = 4_000;
const AWAY = 300;
const SIZE_OF = { gathering: "bar", play: "card", beat: "stage", reveal: "stage", outcome: "stage", winner: "stage", off: "card" };
const WIDTHS = { bar: 1_420, large: 896, card: 560, stage: 1_100 };
const ORDER = ["bar", "card", "stage"];
const SECOND = 1_000;
const OWN = 1_000_000; // people whom one's own table outweighs
const BUSIER = 2; // times as many people let a table take the place of another

/**
 * `size` is the largest that a drawing may have, or null. `isOwn(id)` tells a table that comes before others, and
 * `isMine(seat)` the seat of whoever looks, where that is known. What is over goes away after its winner was shown,
 * unless it `stays` until there is another table. `showing(moment, table)` is called when a moment begins, and without
 * a moment when nothing is shown any more.
 */
export function createDirector({ place, store, themeOf, size, sounds, announce, isOwn = (_id) => false, isMine = (_seat) => false, stays = false, showing = (_moment, _table) => {} }) {
  /** @type {any} */
  let shown = null; // { id, drawing, context, moment, scene, plate, entry, table, sequence }
  const done = new Set();
  let timer = 0;

  function update() {
    const entries = store.entries();
    for (const id of done) if (!entries.some(({ data }) => data.id === id)) done.delete(id);
    const entry = chosen(entries);
    if (!entry && shown?.stays && entries.some(({ data }) => data.id === shown.id)) return undefined;
    if (!entry) return shown && !shown.ending ? clear() : undefined;
    if (entry.data.id !== shown?.id || isReworded()) begin(entry);
    return follow(entry);
  }

  function chosen(entries) {
    const own = shown && !shown.stays && entries.find(({ data }) => data.id === shown.id);
    // What is over is shown to its end, even if its table is not in the room any more.
    if (shown?.ending) return null;
    if (own && (own.data.over || shown.moment === "beat" || shown.moment === "reveal")) return own;
    const open = entries.filter(({ data, seen }) => seen && !done.has(data.id));
    const best = open.reduce((one, other) => (weight(other) > weight(one) ? other : one), open[0]);
    return own && best && weight(best) < weight(own) * BUSIER ? own : best;
  }

  const weight = (entry) => people(entry) + (isOwn(entry.data.id) ? OWN : 0);

  /** Whether the room has other texts since a scene was drawn that is not over soon anyway. */
  const isReworded = () => shown.wording !== store.wording && ["gathering", "play"].includes(shown.moment);

  function begin({ data }) {
    shown?.sequence?.stop();
    const tints = createTints();
    const theme = themeOf(store.label("overlay-heist-look"));
    place.dataset.theme = theme;
    const drawing = drawings[data.game] ?? drawings.plain;
    shown = { id: data.id, wording: store.wording, drawing, moment: null, scene: null, plate: null, entry: null, table: null, sequence: null, ending: false, stays: false };
    // Colours are given in the order of places, so that every overlay gives the same, and stay when places change.
    shown.seen = ({ seats }) => {
      for (const { seat, name } of seats) tints(seat, name);
    };
    shown.context = {
      theme,
      memory: new Map(),
      play: sounds,
      label: store.label,
      write: (value) => brief(value, store.language),
      sign: (value) => signed(value, store.language),
      player: (seat) => {
        const known = shown.table.seats.find((each) => each.seat === seat);
        const name = known?.name ?? "";
        return { seat, name, tint: tints(seat, name), house: known?.house ?? false, mine: isMine(seat) };
      },
    };
  }

  function follow(entry) {
    const former = shown.table;
    Object.assign(shown, { entry, table: entry.data, ending: entry.data.over });
    shown.seen(entry.data);
    // What is being revealed is shown to its end, and what has ended meanwhile after it.
    return shown.moment === "reveal" ? undefined : proceed(former);
  }

  /** Reveal what has ended since a table was `former`, and then draw its present state. */
  function proceed(former) {
    const { entry } = shown;
    const { data, voided } = entry;
    if (data.over && (voided || !shown.drawing.finished(data))) return last("off", drawCalledOff(shown.context, data), CALLED_OFF_STAYS);
    const reveal = revealOf(data, former);
    if (reveal) return run("reveal", reveal, () => proceed(data));
    return data.over ? conclude(entry) : present(entry);
  }

  function revealOf(data, former) {
    const large = sizeOf("reveal") === "stage";
    return large && former && shown.drawing.reveal ? shown.drawing.reveal(shown.context, data, former) : null;
  }

  /** Draw a table that is not over. */
  function present({ data, told }) {
    const { drawing, context } = shown;
    const moment = drawing.moment(data);
    if (moment !== shown.moment) {
      // A drawing that may not grow goes on with what it began with.
      const wide = sizeOf(moment);
      if (moment === "gathering" || wide === "bar") put(moment, drawing.gathering(context, data));
      else put(moment, wide === "stage" && drawing.beat ? drawing.beat(context, data, told) : drawing.play(context, data));
    }
    shown.scene.update?.(data, told);
    announce(data.lines[0]);
    tick();
  }

  function conclude({ data, told }) {
    const scene = sizeOf("outcome") === "stage" ? shown.drawing.outcome?.(shown.context, data, told) : null;
    if (scene) run("outcome", scene, () => celebrate(data));
    else celebrate(data);
  }

  function celebrate(data) {
    const winners = shown.drawing.winner(shown.context, data);
    const scene = drawWinner(shown.context, winners, /** @type {any} */ (sizeOf("winner")));
    announce(winners.announcement);
    last("winner", scene, WINNER_STAYS);
  }

  /** Show the end of a table for a time, and then nothing of it. */
  function last(moment, scene, milliseconds) {
    const { id } = shown;
    put(moment, scene);
    const steps = scene.steps ?? [];
    const rest = milliseconds - steps.reduce((sum, { after }) => sum + after, 0);
    shown.sequence = createSequence([...steps, { after: rest, run: () => undefined }], () => {
      done.add(id);
      if (!stays) return clear();
      Object.assign(shown, { ending: false, stays: true });
      return update();
    });
  }

  function run(moment, scene, then) {
    put(moment, scene);
    shown.sequence = createSequence(scene.steps ?? [], then);
  }

  function clear() {
    clearTimeout(timer);
    shown.sequence?.stop();
    const { plate } = shown;
    shown = null;
    const going = plate ? leave(plate, "translateY(24px)", { duration: AWAY }) : null;
    if (going) going.onfinish = () => plate.remove();
    announce("");
    showing(null, null);
    update();
  }

  /** Replace what is on screen by another scene, which grows out of it. */
  function put(moment, scene) {
    shown.sequence?.stop();
    clearTimeout(timer);
    const wide = sizeOf(moment);
    const former = shown.plate;
    const plate = make("section", { className: "plate", data: { size: wide, moment, game: shown.table.game } }, scene.node);
    for (const each of place.children) if (each !== former) each.remove();
    if (former) {
      former.replaceWith(plate);
      const ratio = WIDTHS[former.dataset.size] / WIDTHS[wide];
      if (ratio === 1 || isReduced()) enter(scene.node);
      else enter(plate, `scale(${ratio})`);
    } else {
      place.append(plate);
      enter(plate, "translateY(48px)");
    }
    Object.assign(shown, { moment, scene, plate });
    showing(moment, shown.table);
  }

  function sizeOf(moment) {
    const usual = SIZE_OF[moment];
    if (size === null) return usual;
    return size === "stage" ? (usual === "card" ? "large" : usual) : ORDER[Math.min(ORDER.indexOf(usual), ORDER.indexOf(size))];
  }

  /** Tell the scene the seconds that are left, now and at each whole second, while a clock runs. */
  function tick() {
    clearTimeout(timer);
    if (!shown?.scene?.tick || shown.ending) return;
    const left = store.left(shown.table);
    if (left === null) return;
    const whole = Math.ceil(left);
    const total = shown.table.phase.seconds ?? whole;
    const { ticked } = shown;
    shown.ticked = { scene: shown.scene, whole, total };
    // An event between two seconds is no second.
    if (ticked?.scene !== shown.scene || ticked.whole !== whole || ticked.total !== total) shown.scene.tick(whole, total);
    if (whole > 0) timer = setTimeout(tick, (left - whole + 1) * SECOND + 5);
  }

  /** The colours of those at the table that is shown, by their names. */
  const colours = () => new Map((shown?.table?.seats ?? []).map(({ seat, name }) => [name, shown.context.player(seat).tint]));

  return { colours, update, skip: () => shown?.sequence?.skip() };
}

const people = ({ data }) => data.seats.filter((each) => !each.house).length;
