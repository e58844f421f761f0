// Shows a league: asks the server again and again what goes on, and draws the running duel, its end, and the ratings.

import { follow, make, setText } from "../dom.js";
import { createTints, drawHead } from "./heads.js";
import { enter, glide, leave } from "./motion.js";
import { together, writeLargest, writeName } from "./names.js";

const AGAIN = 1_000; // milliseconds until the server is asked again while somebody plays
const SELDOM = 3_000; // the same while nobody does, or the server does not answer
const MEETING = 1_400; // for which two are seen before it is told who has won: duels may be over in no time
const RESULT = 2_600; // for which a result stays
const AWAY = 300;
const GONE = 404; // the key in the address was replaced
const ROWS = 5; // of a column
const COLUMNS = 2;
// The letters of the names of the two, by the size of the plate, and the room of a name.
const NAMES = {
  stage: { sizes: [48, 42, 36, 32], width: 300, lines: 2 },
  card: { sizes: [40, 36, 32], width: 226, lines: 2 },
  bar: { sizes: [44, 38, 32], width: 290, lines: 2 },
};
const ROW_NAME = { size: 34, wide: 720, narrow: 212 }; // pixels: letters, and the room in one column or in two

/**
 * What the server says; `playing` are the two who play, `over` that nobody does any more.
 * @typedef {{ key: string, name: string, author: string, house: boolean, rank: number | null, rating: number | null }} Player
 * @typedef {{ duel: number, players: Player[], scores: string[], winner: number | null }} Result
 * @typedef {{
 *   language: string, title: string, round: string, over: boolean, duels: number, programs: number,
 *   playing: Player[] | null, following: Player[] | null, results: Result[],
 *   ratings: (Player & { error: number })[], labels: Record<string, string>,
 * }} League
 */

/**
 * Follow the league at a path of this server on a stage; `replaced()` is called when nothing will come any more.
 * @param {{ stage: ReturnType<typeof createStage>, path: string, replaced: () => void }} options
 */
export function followLeague({ stage, path, replaced }) {
  let known = "";

  async function ask() {
    // The answer has a tag: while nothing has changed the server says only that.
    const answer = await fetch(path, { cache: "no-cache" }).catch(() => null);
    if (answer?.status === GONE) return replaced();
    const text = answer?.ok ? await answer.text().catch(() => "") : "";
    if (text && text !== known) {
      known = text;
      stage.hear(JSON.parse(text));
    }
    setTimeout(ask, text && stage.isLive() ? AGAIN : SELDOM);
    return undefined;
  }

  ask();
}

/**
 * Decide what is seen for how long: two who meet, who of them has won, or the ratings at the end.
 * @param {{ place: HTMLElement, size: keyof typeof NAMES, announce: (text: string) => void }} options
 */
export function createStage({ place, size, announce }) {
  /** @type {League | null} */
  let latest = null;
  /** @type {ReturnType<typeof drawPlate> | null} */
  let plate = null;
  let told = -1; // the last duel whose result was seen, or is too old for it
  let met = ""; // the keys of the two who are seen
  let timer = 0;

  function hear(league) {
    latest = league;
    if (league) document.documentElement.lang = league.language;
    if (!timer) next();
  }

  function next() {
    timer = 0;
    if (!latest) return clear();
    if (!plate) {
      told = latest.duels; // what is over before anybody looks is in the table already
      plate = drawPlate(size);
      place.append(plate.node);
      enter(plate.node, "translateY(48px)");
    }
    const [newest] = latest.results;
    if (newest && newest.duel > told) return met === pairOf(newest.players) ? reveal(newest) : meet(newest.players, MEETING);
    if (latest.playing) return meet(latest.playing, 0);
    met = "";
    plate.conclude(latest);
    return announce(latest.ratings.length ? `${latest.labels.champion}: ${latest.ratings[0].name}` : "");
  }

  /** Show two who play; the table is as before, as long as it would give their result away. */
  function meet(players, milliseconds) {
    met = pairOf(players);
    plate?.meet(/** @type {League} */ (latest), players, milliseconds === 0);
    if (milliseconds) wait(milliseconds);
  }

  function reveal(result) {
    told = result.duel;
    met = "";
    plate?.reveal(/** @type {League} */ (latest), result);
    announce(sentenceOf(/** @type {League} */ (latest), result));
    wait(RESULT);
  }

  function wait(milliseconds) {
    timer = setTimeout(next, milliseconds);
  }

  function clear() {
    if (!plate) return;
    const { node } = plate;
    plate = null;
    met = "";
    leave(node, "translateY(24px)", { duration: AWAY }).onfinish = () => node.remove();
    announce("");
  }

  return { hear, isLive: () => Boolean(latest && !latest.over) };
}

const pairOf = (players) => players.map(({ key }) => key).join(" ");

function sentenceOf({ labels }, { players, scores, winner }) {
  const line = players.map(({ name }, index) => `${name} ${scores[index]}`).join(" – ");
  return winner === null ? `${labels.draw}: ${line}` : `${players[winner].name} ${labels.won}: ${line}`;
}

/** Draw the plate of a size; a stage has the ratings below the two. */
function drawPlate(size) {
  const tints = createTints();
  /** Those whose ratings are seen, by their keys. @type {Map<string, Player>} */
  let rated = new Map();
  const room = NAMES[size];
  const title = make("p", { className: "title" });
  const round = make("p", { className: "small" });
  const duel = make("div", { className: "league-duel" });
  const table = make("ol", { className: "league-table" });
  const following = make("p", { className: "small league-next" });
  const parts = size === "stage" ? [table, following] : [];
  const body = make("div", { className: "body league" }, make("div", { className: "league-head" }, title, round), duel, ...parts);
  const node = make("section", { className: "plate", data: { size, moment: "league" } }, body);
  const look = ({ key, name, house }, wear = "face") => drawHead({ tint: tints(key, name), wear: /** @type {any} */ (house ? "visor" : wear) });

  function head(league, moment) {
    node.dataset.moment = moment;
    setText(title, `${league.title} · ${moment === "final" ? league.labels.final : league.labels.title}`);
    setText(round, league.round);
  }

  /** Draw two who play; unless that is `current` they have played already, and their ratings are those before. */
  function meet(league, players, current) {
    head(league, "play");
    if (current) rows(league, players, league.following);
    const sides = players.map((each) => {
      const { rank, rating } = current ? each : (rated.get(each.key) ?? { rank: null, rating: null });
      return sideOf(look(each), each, rating === null ? "" : String(rating), underOf(league, { ...each, rank }));
    });
    stand(sides, make("p", { className: "league-versus", textContent: "vs" }));
    enter(sides[0], "translateX(-60px)");
    enter(sides[1], "translateX(60px)");
    if (current) return;
    mark(players);
    setText(following, "");
  }

  function reveal(league, { players, scores, winner }) {
    head(league, "outcome");
    const sides = players.map((each, index) => {
      const won = winner === index;
      const side = sideOf(look(each, winner === null || won ? "face" : "sad"), each, scores[index], winner === null ? league.labels.draw : won ? league.labels.won : "");
      side.classList.add(winner === null ? "drawn" : won ? "won" : "lost");
      return side;
    });
    stand(sides, make("p", { className: "league-versus", textContent: ":" }));
    for (const side of sides) enter(/** @type {Element} */ (side.querySelector(".league-number")), "scale(0.6)");
    rows(league, players, league.playing);
  }

  function conclude(league) {
    head(league, "final");
    const [first] = league.ratings;
    const sides = first ? [sideOf(look(first), first, String(first.rating), league.labels.champion)] : [];
    for (const side of sides) side.classList.add("won");
    stand(sides, null);
    for (const side of sides) enter(side, "translateY(60px)");
    rows(league, first ? [first] : [], null);
  }

  /** Put the two, or who leads at the end, in the place of who was there. */
  function stand(sides, between) {
    duel.replaceChildren(...sides.slice(0, 1), ...(between ? [between] : []), ...sides.slice(1));
    const names = sides.map((each) => /** @type {HTMLElement} */ (each.querySelector(".league-name")));
    writeLargest(names, names.map((each) => each.dataset.name ?? ""), room.sizes, () => ({ width: sides.length > 1 ? room.width : room.width * 2, lines: room.lines, wide: true }));
  }

  /** Draw the ratings, with some of them lit, and who plays next. */
  function rows(league, lit, after) {
    rated = new Map(league.ratings.map((each) => [each.key, each]));
    const shown = league.ratings.slice(0, ROWS * COLUMNS);
    const double = shown.length > ROWS;
    table.classList.toggle("double", double);
    const width = double ? ROW_NAME.narrow : ROW_NAME.wide;
    const lines = together(shown.map(({ name }) => name), () => ({ size: ROW_NAME.size, width }));
    const before = new Map([...table.children].map((each) => [each, each.getBoundingClientRect()]));
    follow(table, shown, ({ key }) => key, (each) => rowOf(look(each)), (row, each) => fill(row, each, lines[shown.indexOf(each)]));
    mark(lit);
    for (const row of /** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll("li"))) move(row, before.get(row));
    setText(following, after ? `${league.labels.next}: ${after.map(({ name }) => isolated(name)).join(" – ")}` : "");
  }

  function mark(players) {
    for (const row of table.children) row.classList.toggle("lit", players.some(({ key }) => key === /** @type {HTMLElement} */ (row).dataset.key));
  }

  return { node, meet, reveal, conclude };
}

/** Let a row glide from where it was. */
function move(row, former) {
  if (!former) return;
  const now = row.getBoundingClientRect();
  if (Math.abs(now.top - former.top) > 1 || Math.abs(now.left - former.left) > 1) glide(row, former);
}

/** Say under a number who that is: the place in the table, and the author. */
function underOf({ labels }, { rank, house, author }) {
  return [rank === null ? "" : `#${rank}`, house ? labels.house : isolated(author)].filter(Boolean).join(" · ");
}

/** Keep a text that is written from right to left from turning what stands beside it. */
const isolated = (text) => `\u2068${text}\u2069`;

function sideOf(head, { name }, number, under) {
  const text = make("div", { className: "league-text" }, make("bdi", { className: "league-name", data: { name } }), make("p", { className: "league-number", textContent: number }), make("p", { className: "small league-under", textContent: under }));
  return make("div", { className: "league-side" }, make("div", { className: "league-face" }, head), text);
}

function rowOf(head) {
  return make("li", {}, make("span", { className: "rank" }), make("span", { className: "league-small-face" }, head), make("bdi", { className: "league-row-name" }), make("span", { className: "league-rating" }));
}

function fill(row, { rank, name, rating }, lines) {
  const [place, , who, points] = /** @type {HTMLElement[]} */ ([...row.children]);
  setText(place, String(rank));
  writeName(who, name, lines);
  setText(points, String(rating));
}
