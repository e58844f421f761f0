// Starts the page: passes messages of the server to the parts of the page, and their requests to the server.

import { createComposer } from "./composer.js";
import { createCrowd } from "./crowd.js";
import { allWithin, find, setText } from "./dom.js";
import { createHearing } from "./hearing.js";
import { createHolding } from "./holding.js";
import { createLog } from "./log.js";
import { createRoster } from "./roster.js";
import { createStage } from "./stage.js";
import { hideToast, toast } from "./toast.js";
import { createWelcome } from "./welcome.js";
import { openWire } from "./wire.js";
import { speak, word } from "./words.js";

let greeted = false;

const roster = createRoster(speakerChanged, () => composer.focus());
const seat = () => roster.speaker()?.seat ?? null;
const log = createLog((role) => roster.roleLabel(role), seat);
const crowd = createCrowd((count) => ask({ type: "crowd", count }));
const stage = createStage({ roster, say, hurry: (table) => ask({ type: "hurry", table }), wake: (game) => ask({ type: "hurry", game }), ended: crowd.cheer, revealed: () => holding.check() });
const holding = createHolding({ show: showLines, drawn: stage.drawn, awaited: stage.awaited });
const composer = createComposer({ say, speaker: seat, nothing: stage.openFirst, hidden: stage.hidden, suggested: stage.suggested });
const welcome = createWelcome({ enter, remove, taken: roster.named });
createHearing(stage.turnSound);
const wire = openWire(hear, connectionChanged);

find("add-viewer").addEventListener("click", () => (roster.speaker() ? welcome.add() : welcome.welcome()));
find("edit-viewer").addEventListener("click", () => welcome.edit(roster.speaker()));
find("to-moves").addEventListener("click", stage.toMoves);
// Set up opens on the machine on which the bot runs, and nowhere else.
find("setup").hidden = !["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
find("retry").addEventListener("click", wire.retry);
find("skip").addEventListener("click", (event) => {
  event.preventDefault();
  composer.focus();
});
for (const button of allWithin(document, ".looks button")) button.addEventListener("click", () => look(button.dataset.look));

function hear(message) {
  const answers = { hello, entered, refused, line, crowd: ({ count }) => crowd.setCount(count), tables };
  // A newer server may send messages that this page does not know yet.
  answers[message.type]?.(message);
}

function hello(message) {
  speak(message.language, message.words);
  const known = greeted;
  if (!known) stage.openDrawing();
  greeted = true;
  document.title = `Rabble · ${message.room}`;
  setText(find("room"), message.room);
  roster.setRoles(message.roles);
  welcome.setChoices(message.names, message.roles);
  composer.setCommands(message.commands);
  stage.setCommands(message.commands);
  crowd.setMost(message.crowdMost);
  crowd.setCount(message.crowd);
  stage.setGames(message.games);
  if (known) for (const each of message.history) holding.take(each); // as it would have been told without the loss
  else log.add(message.history);
  document.body.dataset.state = "ready";
  connectionChanged(true);
  for (const { name, role } of roster.all()) wire.send({ type: "enter", name, role });
  speakerChanged();
  if (!roster.speaker()) welcome.welcome();
}

function tables(message) {
  stage.setTables(message);
  composer.notice();
}

function entered(viewer) {
  const known = roster.all().find(({ seat: their }) => their === viewer.seat);
  if (known && welcome.adding()) {
    // The server treats two spellings as the same name; a viewer who was here before keeps their role.
    wire.send({ type: "enter", name: known.name, role: known.role });
    welcome.refused(word("page-name-here"));
    return;
  }
  roster.entered(viewer);
  if (welcome.accepted()) roster.select(viewer.seat);
}

function refused({ text }) {
  if (!welcome.refused(text)) toast(text);
}

function line(message) {
  holding.take(message);
  if (message.simulated) crowd.hop(message.name ?? "");
}

function showLines(lines) {
  log.add(lines);
  for (const { to } of lines) if (to) roster.noticePrivate(to);
}

function enter(name, role) {
  return wire.send({ type: "enter", name, role });
}

function remove() {
  const viewer = roster.speaker();
  wire.send({ type: "leave", seat: viewer.seat });
  roster.remove(viewer.seat);
  if (!roster.speaker()) welcome.welcome();
}

/** Send a line as the viewer who speaks, for one table only if `table` is given; false if it could not be sent. */
function say(text, whisper, table) {
  if (!roster.speaker()) {
    welcome.welcome();
    return false;
  }
  return ask({ type: "say", seat: seat(), text, whisper, ...(table && { table }) });
}

function ask(message) {
  const sent = wire.send(message);
  if (!sent) toast(word("page-not-sent"));
  return sent;
}

function connectionChanged(open) {
  // After a reconnection the notice that something was not sent is outdated, and would cover the newest line.
  if (open && document.body.dataset.wire !== "open") hideToast();
  document.body.dataset.wire = open ? "open" : "closed";
  // The texts of the page arrive with the first hello, so until then only the icon shows the state.
  if (!greeted) return;
  setText(find("status-words"), word(open ? "page-connected" : "page-reconnecting"));
  const focused = find("offline").contains(document.activeElement);
  find("offline").hidden = open;
  if (focused && open) composer.focus();
}

function speakerChanged() {
  const viewer = roster.speaker();
  find("edit-viewer").hidden = !viewer;
  setText(find("edit-role"), viewer ? roster.roleLabel(viewer.role) : "");
  log.refresh();
  stage.refresh();
  composer.notice();
  composer.refresh();
}

function look(choice) {
  document.body.dataset.look = choice;
  for (const button of allWithin(document, ".looks button")) button.setAttribute("aria-pressed", String(button.dataset.look === choice));
}
