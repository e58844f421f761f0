// A board: asks for the description of its room again and again while somebody looks at it, and draws it.

import { find, make, nameTag, setText } from "../dom.js";
import { sentence, speak, word } from "../words.js";
import { league } from "./league.js";

const AGAIN = 15_000; // milliseconds until the server is asked again
const SOON = 3_000; // the same where it has not answered
const LIVE = 5_000; // and while programs play in the league
const PARTS = [["year", 31_536_000], ["month", 2_592_000], ["day", 86_400], ["hour", 3_600], ["minute", 60]];

const path = location.pathname.replace(/\/$/, "");
let language = "";
let drawn = ""; // the description that is shown
let chosen = ""; // the ranking that is shown
let pause = AGAIN; // what is asked for again after so long
let timer = 0;

async function look() {
  clearTimeout(timer);
  const answer = await fetch(`${path}/data`, { cache: "no-store" }).catch(() => null);
  if (answer?.status === 404) return gone();
  const text = answer?.ok ? await answer.text().catch(() => null) : null;
  setText(find("offline"), word("board-lost"));
  find("offline").hidden = text !== null;
  if (text !== null) await show(text);
  timer = document.hidden ? 0 : setTimeout(look, text === null ? SOON : pause);
  return undefined;
}

async function gone() {
  await speakIn(navigator.language);
  find("playing").replaceChildren();
  find("main").replaceChildren(make("p", { className: "board-gone", textContent: word("board-gone") }));
}

async function show(text) {
  if (text === drawn) return;
  const board = JSON.parse(text);
  if (board.language !== language) await speakIn(board.language);
  drawn = text;
  pause = board.league?.playing ? LIVE : AGAIN;
  draw(board);
}

async function speakIn(wanted) {
  const answer = await fetch(`/words/board?language=${encodeURIComponent(wanted)}`);
  const { language: spoken, words } = await answer.json();
  language = wanted;
  speak(spoken, words);
}

function draw(board) {
  setText(find("title"), board.title);
  document.title = `${board.title} · ${word("board-name")}`;
  find("playing").replaceChildren(...board.playing.map(playing));
  const focused = document.activeElement?.id ?? "";
  const isOpen = Boolean(document.querySelector(".board-fair details[open]"));
  const left = [board.tops.length && tops(board.tops), about("season", board.seasons), about("odds", board.odds)];
  const right = [board.league && card("league", ...league(board.league)), tables(board.tables), board.commitments.length && fair(board.commitments, isOpen)];
  find("main").replaceChildren(column(left), column(right));
  find("main").dataset.state = "ready";
  if (focused) document.getElementById(focused)?.focus();
}

const column = (cards) => make("div", { className: "board-column" }, ...cards.filter(Boolean));
const card = (kind, ...content) => make("section", { className: `board-card board-${kind}`, data: { testid: kind }, aria: { labelledby: `h-${kind}` } }, make("h2", { id: `h-${kind}`, textContent: word(`board-${kind}`) }), ...content);
const players = (count) => word("board-players").replace("PLAYERS", String(count));

function playing({ title, players: count }) {
  return make("li", {}, `${word("board-playing")}: ${title} · ${players(count)}`);
}

function tops(rankings) {
  if (!rankings.some(({ id }) => id === chosen)) chosen = rankings[0].id;
  // A list that is itself a panel would be no list for screen readers.
  const list = make("ol", { className: "board-ranks" });
  const panel = make("div", { id: "ranks", role: "tabpanel" }, list);
  const tabs = rankings.map((ranking) => make("button", { type: "button", role: "tab", id: `tab-${ranking.id}`, textContent: ranking.label, aria: { controls: "ranks" } }));
  const choose = (at, focuses) => {
    chosen = rankings[at].id;
    tabs.forEach((tab, other) => {
      tab.setAttribute("aria-selected", String(other === at));
      tab.tabIndex = other === at ? 0 : -1;
    });
    panel.setAttribute("aria-labelledby", tabs[at].id);
    list.replaceChildren(...rankings[at].rows.map(rank));
    if (focuses) tabs[at].focus();
  };
  const row = make("div", { className: "board-tabs", role: "tablist", aria: { labelledby: "h-tops" } }, ...tabs);
  row.addEventListener("keydown", ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    const at = tabs.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    if (step && at >= 0) choose((at + step + tabs.length) % tabs.length, true);
  });
  tabs.forEach((tab, at) => {
    tab.addEventListener("click", () => choose(at, false));
  });
  choose(rankings.findIndex(({ id }) => id === chosen), false);
  return rankings.length > 1 ? card("tops", row, panel) : card("tops", list);
}

function rank({ place, name, value }) {
  return make("li", { data: { place: String(place) } }, make("span", { className: "board-place", textContent: String(place) }), nameTag(name), make("b", { textContent: value }));
}

function about(kind, games) {
  if (games.length === 0) return null;
  return card(kind, make("dl", { className: "board-about" }, ...games.map(({ title, lines }) => make("div", {}, make("dt", {}, make("strong", { textContent: title })), ...lines.map((line) => make("dd", { textContent: sentence(line) }))))));
}

function tables(rows) {
  if (rows.length === 0) return card("tables", make("p", { className: "board-soft", textContent: word("board-empty") }));
  return card("tables", make("ul", { className: "board-tables" }, ...rows.map((row) => make("li", {}, table(row)))));
}

function table({ title, closed, void: off, players: count, winners, replay }) {
  const result = make("span", { className: "board-won" });
  if (off || winners.length === 0) result.append(make("span", { className: "board-soft", textContent: word(off ? "board-off-table" : "board-even") }));
  winners.forEach(({ name, credits, house }, at) => {
    result.append(at ? ", " : "", nameTag(name), house ? make("span", { className: "badge", textContent: word("board-house") }) : "", " ", make("b", { textContent: credits }));
  });
  const when = make("time", { dateTime: closed, textContent: ago(closed), title: new Date(closed).toLocaleString(language) });
  const who = count ? make("span", { className: "board-soft", textContent: players(count) }) : make("span");
  return make("a", { className: "board-table", href: replay }, make("strong", { textContent: title }), when, who, make("span", { className: "board-watch", textContent: word("board-watch") }), result);
}

/** Say how long ago a moment was, in the language of the room. */
function ago(moment) {
  const seconds = Math.max(0, (Date.now() - Date.parse(moment)) / 1000);
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const [unit, size] = PARTS.find(([, each]) => seconds >= each) ?? ["minute", 60];
  return format.format(-Math.floor(seconds / Number(size)), /** @type {Intl.RelativeTimeFormatUnit} */ (unit));
}

function fair(lines, isOpen) {
  const list = make("ul", {}, ...lines.map((line) => make("li", { textContent: line })));
  return card("fair", make("details", { open: isOpen }, make("summary", { textContent: word("board-fair-how") }), list));
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden && !timer) look();
});
await look();
