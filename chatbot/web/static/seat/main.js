// A seat: finds out whose it is, and shows their hand, or how somebody takes it.

import { find, make, setText } from "../dom.js";
import { speak, word } from "../words.js";
import { drawAccount } from "./account.js";
import { texts, whoAmI } from "./api.js";
import { createGames } from "./games.js";
import { createHand } from "./hand.js";
import { sentenceFor, showLogin } from "./login.js";
import { openWire } from "./wire.js";

const AGAIN = 1_000; // milliseconds until the server is asked again
const TOLD = 6_000; // milliseconds for which an answer is shown
const SETTLED = 200; // milliseconds in which the table shows what a move has changed

let stop = () => {};
let telling = 0;
let confirming = 0;

async function begin() {
  stop();
  try {
    await speakIn(navigator.language);
    const me = await whoAmI();
    find("me").hidden = me.name === null;
    find("credits").hidden = true;
    find("where").replaceChildren();
    find("offline").hidden = true;
    if (me.name === null) showLogin(find("main"), me, begin);
    else sit(me);
  } catch (failure) {
    find("main").replaceChildren(make("p", { className: "seat-wrong", role: "alert", textContent: sentenceFor(failure) }));
    setTimeout(begin, AGAIN);
  }
}

async function speakIn(language) {
  const { language: spoken, words } = await texts(language);
  speak(spoken, words);
  document.title = word("seat-name");
}

function sit(me) {
  find("me").replaceChildren(make("span", { textContent: me.name }));
  drawAccount(find("me"), me, begin);
  const tables = new Map();
  let commands = new Map();
  const commandOf = (line) => commands.get(line.slice(1).split(" ")[0]);
  const hand = createHand(say, commandOf);
  const games = createGames(say, open, commandOf);
  const empty = make("p", { className: "seat-empty" });
  /** @type {any} */
  let room = null;
  /** @type {any} */
  let latest = null;
  /** @type {any} */
  let own = null;
  /** @type {any[]} */
  let rests = [];
  const wire = openWire(hear, connection, () => whoAmI().then((now) => { if (now.name !== me.name) begin(); }, () => undefined));
  stop = () => {
    stop = () => {};
    wire.close();
  };
  const title = make("h2", { className: "unseen", textContent: word("page-stage") });
  find("main").replaceChildren(title, empty, hand.node, games.node);

  function say(line, table) {
    games.forget();
    const sent = wire.send({ type: "say", text: line, ...(table && { table }) });
    if (!sent) tell(word("seat-lost"), true);
    return sent;
  }

  function open(line) {
    hand.goToNext(true);
    return say(line);
  }

  function hear(message) {
    const kinds = { hello, rooms, table, gone, games: pauses, own: mine, answer, ended: begin };
    // A newer server may send messages that this page does not know yet.
    kinds[message.type]?.(message);
  }

  async function hello(message) {
    tables.clear();
    own = null;
    // What comes meanwhile is drawn once the page speaks the language of the room.
    room = null;
    latest = message;
    commands = new Map((message.commands ?? []).flatMap((command) => [command.word, ...command.aliases].map((name) => [name, command])));
    if (message.language && message.language !== document.documentElement.lang) {
      await speakIn(message.language).catch(() => undefined);
      if (latest !== message) return; // another room was chosen
      hand.show({ seat: "", name: "" }, [], null);
      games.show([], [], [], "", false);
      setText(title, word("page-stage"));
      drawAccount(find("me"), me, begin);
    }
    room = message;
    drawRooms(message);
    show();
  }

  /** The rooms of other processes come later where somebody connects again. */
  function rooms(message) {
    if (room) drawRooms({ ...room, rooms: message.rooms });
  }

  function drawRooms({ rooms, room: shown }) {
    const where = find("where");
    if (rooms.length < 2) return where.replaceChildren(make("span", { textContent: rooms[0]?.title ?? "", title: rooms[0]?.title ?? "" }));
    const select = make("select", { aria: { label: word("seat-room") } }, ...rooms.map(({ id, title }) => make("option", { value: id, textContent: title, selected: id === shown })));
    select.addEventListener("change", () => wire.send({ type: "room", room: select.value }));
    return where.replaceChildren(select);
  }

  function table({ table: row }) {
    // What a move was answered with says what may still be changed, which is not so at the end.
    if (row.over && tables.get(row.id)?.over === false) {
      find("told").hidden = true;
      clearTimeout(confirming);
    }
    tables.set(row.id, row);
    show();
  }

  function gone({ table: id }) {
    tables.delete(id);
    show();
  }

  function pauses(message) {
    rests = message.games;
    show();
  }

  function mine(message) {
    own = message.own;
    setText(find("credits"), own.credits);
    find("credits").hidden = false;
    show();
    const told = find("told");
    if (told.dataset.kind === "done" && hand.says(told.textContent)) told.hidden = true;
  }

  function answer({ text, refused }) {
    if (refused) {
      hand.goToNext(false);
      tell(text, true);
    } else if (!games.take(text)) confirming = setTimeout(() => confirm(text), SETTLED);
  }

  // What the table says itself by then is told to those alone who hear the page.
  function confirm(text) {
    if (hand.says(text)) setText(find("announce"), text);
    else tell(text, false);
  }

  function show() {
    if (!room) return;
    const all = [...tables.values()];
    hand.show({ seat: room.seat, name: room.name }, all, own);
    const reads = room.room !== null;
    games.node.hidden = !reads;
    const opens = own !== null && (own.limit === null || own.limit > 0);
    if (reads) games.show(room.games, rests, all, room.seat, opens);
    setText(empty, word(reads ? "seat-no-table" : "seat-nowhere-yet"));
    empty.hidden = reads && !hand.isEmpty();
    document.body.dataset.state = own ? "ready" : "opening";
  }
}

function connection(open) {
  setText(find("offline"), word("seat-lost"));
  find("offline").hidden = open;
}

/** Show an answer for a while. */
function tell(text, refused) {
  const told = find("told");
  told.dataset.kind = refused ? "refused" : "done";
  told.hidden = false;
  setText(told, text);
  clearTimeout(telling);
  telling = setTimeout(() => {
    told.hidden = true;
  }, TOLD + 60 * text.length);
}

if (window.isSecureContext && "serviceWorker" in navigator) navigator.serviceWorker.register("/seat/sw.js", { scope: "/seat" }).catch(() => undefined);
await begin();
