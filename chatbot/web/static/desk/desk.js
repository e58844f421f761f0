// The desk: finds out who is here, and opens rooms and their sections.

import { find, make } from "../dom.js";
import { reword, speak, word } from "../words.js";
import { accountSection } from "./account.js";
import { onBarred, onLost, roomApi, texts, whoAmI } from "./api.js";
import { drawBar, review } from "./applying.js";
import { createDrafts } from "./drafts.js";
import { createFinder, isTyping } from "./finder.js";
import { clearFrame, drawMe, drawNav, drawRooms, markNav } from "./frame.js";
import { showLogin, showTyping } from "./login.js";
import { keeps } from "./roles.js";
import { sectionsOf, titleOf } from "./sections.js";
import { attempt, sentenceFor, tell, text } from "./telling.js";
import { follow } from "./watching.js";

const ROOM = "rabble.desk.room";
const ACCOUNT = "account";
let stop = () => {};
let standing = ""; // the rooms with the roles as which this page was drawn

async function begin() {
  stop();
  let me;
  try {
    me = await whoAmI();
    standing = JSON.stringify(me?.rooms);
  } catch (failure) {
    await speakIn("");
    clearFrame();
    find("main").replaceChildren(
      make("p", { className: "desk-wrong", role: "alert", textContent: sentenceFor(failure) }),
    );
    return;
  }
  if (me === null || me.kind === "guest") {
    await speakIn("");
    clearFrame();
    await showLogin(find("main"), begin);
  } else if (me.kind === "account") {
    await speakIn("");
    clearFrame();
    await showTyping(find("main"), me, begin, begin);
  } else await chooseRoom(me);
}

async function speakIn(language) {
  const spoken = await texts(language).catch(() => ({ language: "en", words: {} }));
  speak(spoken.language, spoken.words);
  document.title = word("desk-name");
}

async function chooseRoom(me) {
  const rooms = me.rooms.filter(({ role }) => keeps(role));
  const kept = remembered();
  const room = rooms.find(({ id }) => id === kept) ?? rooms[0];
  await speakIn(room?.language ?? "");
  if (!room) {
    clearFrame();
    const { node } = accountSection(me, null, begin);
    node.prepend(text("h2", "desk-no-room"), text("p", "desk-no-room-hint"));
    find("main").replaceChildren(node);
    return;
  }
  await openRoom(me, rooms, room);
}

async function openRoom(me, rooms, room) {
  const api = roomApi(room.id);
  const [groups, told] = await Promise.all([attempt(api.groups), attempt(api.words)]);
  if (groups === null) return;
  reword(told?.words ?? {});
  const commands = new Set(((await attempt(api.commands)) ?? []).map((each) => each.word));
  const desk = {
    me,
    room,
    api,
    commands,
    groups,
    drafts: createDrafts(drafted),
    renew,
    reopen,
    open: (id, at) => show(id, true, at),
    titleOf: named,
  };
  const sections = sectionsOf(desk);
  let open = null;
  let opened = "";

  function named(group) {
    return titleOf(desk.groups.find(({ name }) => name === group.name) ?? group);
  }

  function drafted() {
    drawBar(desk);
    markNav(opened, new Set(desk.drafts.groups()));
  }

  function show(id, focus = true, at = {}) {
    const section = sections.find((each) => each.id === id) ?? (id === ACCOUNT ? account : sections[0]);
    opened = section.id;
    open = section.make(at);
    history.replaceState(null, "", `#${opened}`);
    find("main").replaceChildren(open.node);
    drafted();
    if (focus && !open.node.contains(document.activeElement)) find("main").focus();
    window.scrollTo(0, 0);
  }

  /** Everything that can be gone to by its name. */
  function goals() {
    const settings = sections.flatMap(({ id, title }) => {
      const group = desk.groups.find(({ name }) => name === id);
      return (group?.settings ?? []).map(({ key, help }) => ({
        title: help,
        hint: `${title} · ${key}`,
        go: () => {
          show(id, false);
          const control = document.getElementById(`set-${id}-${key}`) ?? find("main");
          control.focus();
          if (control instanceof HTMLInputElement) control.select(); // so that what is typed replaces it
        },
      }));
    });
    return [...sections.map(({ id, title, part }) => ({ title, hint: word(`desk-part-${part}`), go: () => show(id) })), ...settings];
  }

  function press(event) {
    if (event.key === "/" && !isTyping(event.target)) {
      event.preventDefault();
      finder.focus();
    } else if (event.key === "Escape" && !event.defaultPrevented && isTyping(event.target) && !event.target.closest("dialog")) {
      find("main").focus(); // out of a field, so that the keys of the page are none of its letters
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) review(desk);
  }

  const finder = createFinder(goals);
  const account = { id: ACCOUNT, part: "", title: "", make: () => accountSection(me, room, begin) };

  function reopen() {
    show(opened, false);
  }

  /** Read all settings again, and show what has changed. */
  async function renew() {
    const language = desk.room.language;
    const present = await attempt(api.groups);
    if (present === null) return;
    desk.groups = present;
    const again = await attempt(whoAmI);
    const here = again?.rooms.find(({ id }) => id === room.id);
    if (!here || here.language !== language) await begin();
    else if (here.role !== room.role) await ask();
    else open?.refresh?.(desk.groups, { settings: true });
  }

  async function changed(what) {
    if (what.settings || what.audit) await renew();
    open?.changed?.(what);
    if (what.others) tell(what.others, "other");
  }

  drawRooms(rooms, room, (id) => {
    remember(id);
    begin();
  });
  find("find").replaceChildren(finder.node);
  drawMe(me, room, () => show(ACCOUNT));
  drawNav(sections, show);
  remember(room.id);
  show(location.hash.slice(1), false);
  const unfollow = follow(desk, changed);
  document.addEventListener("keydown", press);
  stop = () => {
    unfollow();
    document.removeEventListener("keydown", press);
  };
}

function remembered() {
  try {
    return localStorage.getItem(ROOM);
  } catch {
    return null;
  }
}

function remember(room) {
  try {
    localStorage.setItem(ROOM, room);
  } catch {
    // Without storage the first room opens the next time.
  }
}

/** Ask who is here as what now: whoever is refused something may have lost their role. */
async function ask() {
  const me = await whoAmI().catch(() => undefined);
  if (me === undefined || JSON.stringify(me?.rooms) === standing) return;
  standing = JSON.stringify(me?.rooms);
  for (const each of document.querySelectorAll("dialog")) each.close();
  await begin();
  tell(word("desk-role-changed"), "refused");
}

onLost(() => {
  stop();
  for (const each of document.querySelectorAll("dialog")) each.close();
  begin();
});
onBarred(ask);
await begin();
