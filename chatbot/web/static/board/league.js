// Draws the league on a board: who plays now, the ratings, and the last duels of a ladder of programs.

import { make, nameTag } from "../dom.js";

/** Return what the card of a league contains. */
export function league({ title, round, playing, following, results, ratings, labels }) {
  const line = make("p", { className: "board-soft", textContent: `${title} · ${round}` });
  const live = playing ? [make("div", { className: "board-duel" }, make("strong", { textContent: labels.live }), pair(playing, labels, (each) => points(each)))] : [];
  const next = following ? [make("p", { className: "board-soft board-following" }, `${labels.next}: `, nameTag(following[0].name), " – ", nameTag(following[1].name))] : [];
  const heading = playing ? [] : [make("h3", { textContent: labels.final })];
  const table = make("ol", { className: "board-ranks board-ratings" }, ...ratings.map((each) => rating(each, labels)));
  const last = results.length ? [make("h3", { textContent: labels.results }), make("ul", { className: "board-duels" }, ...results.map((each) => make("li", {}, result(each, labels))))] : [];
  return [line, ...live, ...next, ...heading, table, ...last, make("p", { className: "board-soft", textContent: labels.honour })];
}

const points = ({ rating: value }) => (value === null ? "" : String(value));

function pair(players, labels, number) {
  return make("div", { className: "board-pair" }, ...players.flatMap((each, at) => [...(at ? [make("span", { className: "board-soft", textContent: "vs" })] : []), make("span", {}, who(each, labels), " ", make("b", { textContent: number(each) }))]));
}

/** Name somebody, and say who has written the program, or that it is one of the house. */
function who({ name, author, house }, labels) {
  const by = house ? make("span", { className: "badge", textContent: labels.house }) : make("bdi", { className: "board-soft board-author", textContent: author });
  return make("span", { className: "board-program" }, nameTag(name), " ", by);
}

function rating(each, labels) {
  const record = make("span", { className: "board-soft board-record", textContent: `${each.won}–${each.drawn}–${each.lost}` });
  const value = make("b", {}, String(each.rating), make("span", { className: "board-soft", textContent: ` ± ${each.error}` }));
  return make("li", { data: { place: String(each.rank) } }, make("span", { className: "board-place", textContent: String(each.rank) }), who(each, labels), record, value);
}

function result({ players, scores, winner }, labels) {
  const sides = players.map((each, at) => make("span", { className: winner === at ? "board-winner" : "" }, nameTag(each.name), " ", make("b", { textContent: scores[at] })));
  return make("span", {}, sides[0], " – ", sides[1], winner === null ? ` · ${labels.draw}` : "");
}
