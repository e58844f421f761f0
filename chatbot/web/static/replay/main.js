// A replay: reads the document of a finished table, from this file or from the server, and lets one go through it.

import { find, icon, make, setText } from "../dom.js";
import { updateHands } from "../hands.js";
import { speak, word } from "../words.js";
import { createProof } from "./proof.js";
import { createReplayStage } from "./stage.js";

const PACE = 2_200; // milliseconds for which a moment stays while the replay plays

/** Return the text of the document, or null if there is none. */
async function load() {
  const carried = document.getElementById("document");
  if (carried) return carried.textContent;
  const answer = await fetch(`${location.pathname.replace(/\/$/, "")}/data`).catch(() => null);
  return answer?.ok ? answer.text() : null;
}

async function begin() {
  const text = await load();
  if (text === null) return gone();
  const replayed = JSON.parse(text);
  speak(replayed.language, replayed.words);
  const { frames } = replayed;
  const state = JSON.parse(replayed.proof).state;
  if (state === "void") frames.push(voided(frames.at(-1)));
  return open(text, replayed);
}

async function gone() {
  const { language, words } = await (await fetch(`/words/replay?language=${encodeURIComponent(navigator.language)}`)).json();
  speak(language, words);
  find("main").replaceChildren(make("p", { className: "replay-gone", textContent: word("replay-gone") }));
}

/** Return a last moment in which a table is called off, which is no step of it. */
const voided = (last) => ({ ...last, table: { ...last.table, over: true, phase: null }, said: [], voided: true });

function open(text, replayed) {
  const { frames, viewers, title, game } = replayed;
  let at = 0;
  let viewer = "";
  let timer = 0;
  const stage = createReplayStage(replayed, (seat) => seat === viewer);
  const names = new Map(frames.flatMap(({ table }) => table.seats.map(({ seat, name }) => [seat, name])));

  setText(find("title"), game);
  const opened = new Intl.DateTimeFormat(replayed.language, { dateStyle: "long", timeStyle: "short" }).format(new Date(frames[0].at));
  setText(find("about"), `${title} · ${opened} · ${frames[0].table.id}`);
  document.title = `${game} · ${title} · Rabble`;

  const buttons = [
    button("first", () => go(0)),
    button("back", () => go(at - 1)),
    button("play", toggle),
    button("on", () => go(at + 1)),
    button("last", () => go(frames.length - 1)),
  ];
  const [first, back, play, on, last] = buttons;
  const range = make("input", { type: "range", min: "0", max: String(frames.length - 1), value: "0", aria: { label: word("replay-moment") } });
  const count = make("p", { className: "replay-count" });
  const select = make("select", { id: "viewer" }, make("option", { value: "", textContent: word("replay-everybody") }), ...viewers.map(({ seat, name }) => make("option", { value: seat, textContent: name })));
  const facts = make("dl", { className: "replay-facts" });
  const said = make("ol", { className: "replay-said", aria: { live: "polite", label: word("replay-said") } });
  const hands = make("div", { className: "hands" });
  const note = make("p", { className: "replay-note" });
  range.addEventListener("input", () => go(Number(range.value)));
  select.addEventListener("change", () => {
    viewer = select.value;
    stage.again();
    show();
  });

  function button(name, act) {
    const node = make("button", { type: "button", id: name, className: "tool", title: word(`replay-${name}`), aria: { label: word(`replay-${name}`) } }, icon(name));
    node.addEventListener("click", act);
    return node;
  }

  function go(wanted) {
    stop();
    move(wanted);
  }

  function move(wanted) {
    at = Math.max(0, Math.min(frames.length - 1, wanted));
    show();
  }

  function toggle() {
    if (timer) return stop();
    if (at === frames.length - 1) move(0);
    timer = setInterval(() => {
      move(at + 1);
      if (at === frames.length - 1) stop();
    }, PACE);
    return drawPlay();
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    drawPlay();
  }

  function drawPlay() {
    const name = timer ? "pause" : "play";
    play.replaceChildren(icon(name));
    play.title = word(`replay-${name}`);
    play.setAttribute("aria-label", play.title);
  }

  function show() {
    const frame = frames[at];
    stage.show(at);
    range.value = String(at);
    range.setAttribute("aria-valuetext", word("replay-step").replace("STEP", String(at + 1)).replace("ALL", String(frames.length)));
    const time = new Intl.DateTimeFormat(replayed.language, { timeStyle: "medium" }).format(new Date(frame.at));
    count.replaceChildren(make("b", { textContent: `${at + 1} / ${frames.length}` }), make("small", { textContent: time }));
    for (const each of [first, back]) each.disabled = at === 0;
    for (const each of [on, last]) each.disabled = at === frames.length - 1;
    facts.replaceChildren(...frame.facts.map(([label, value]) => make("div", {}, make("dt", { textContent: label }), make("dd", { textContent: value }))));
    said.replaceChildren(...frame.said.map(([, message]) => make("li", { textContent: message.words })));
    updateHands(hands, frame.hands[viewer] ?? frame.hands[""], (seat) => seat === viewer, viewer, names.get(viewer) ?? "");
    setText(note, frame.notes[viewer] ?? frame.notes[""] ?? "");
    note.hidden = !note.textContent;
    document.body.dataset.at = String(at);
  }

  document.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches("select, textarea, input")) return;
    const act = { ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), Home: () => go(0), End: () => go(frames.length - 1) }[event.key];
    const plays = event.key === " " && !target.matches("button, a, summary");
    if (!act && !plays) return;
    event.preventDefault();
    if (plays) toggle();
    else act?.();
  });

  // Names of hands are headings of the fourth level, as at tables.
  const handsHead = make("h3", { className: "unseen", textContent: word("replay-seen") });
  const controls = make("div", { className: "replay-controls" }, make("div", { className: "replay-buttons", role: "group", aria: { label: word("replay-controls") } }, ...buttons), range, count);
  const seen = make("section", { className: "replay-card", aria: { labelledby: "h-seen" } }, make("h2", { id: "h-seen", className: "unseen", textContent: word("replay-seen") }), handsHead, make("div", { className: "replay-viewer" }, make("label", { htmlFor: "viewer", textContent: word("replay-as") }), select), facts, said, hands, note);
  const left = make("div", { className: "replay-column" }, stage.node, make("section", { className: "replay-card", aria: { label: word("replay-controls") } }, controls), seen);
  const right = make("div", { className: "replay-column" }, ...createProof(text, replayed, (seat) => names.get(seat) ?? word("replay-somebody")));
  find("main").replaceChildren(left, right);
  show();
  document.body.dataset.state = "ready";
}

await begin();
