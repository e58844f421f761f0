// Keeps the viewers of this browser and which of them speaks, and shows them as chips.

import { find, follow, icon, make, nameTag, tinted } from "./dom.js";
import { rememberSpeaker, rememberViewers, rememberedSpeaker, rememberedViewers } from "./memory.js";
import { word } from "./words.js";

/** `changed()` is called when another viewer speaks, or when the one who speaks has changed; `chosen()` when the user has selected one. */
export function createRoster(changed, chosen) {
  let viewers = rememberedViewers().map((viewer) => ({ ...viewer, unread: false }));
  let seat = rememberedSpeaker();
  let roles = new Map();
  const chips = find("chips");
  chips.addEventListener("keydown", (event) => walk(chips, event));

  const has = (other) => viewers.some((viewer) => viewer.seat === other);
  const named = (name) => viewers.some((viewer) => folded(viewer.name) === folded(name));
  const speaker = () => viewers.find((viewer) => viewer.seat === seat) ?? viewers[0] ?? null;

  function select(other) {
    seat = other;
    refresh();
  }

  function refresh() {
    seat = speaker()?.seat ?? null;
    if (seat) speaker().unread = false;
    rememberViewers(viewers);
    rememberSpeaker(seat);
    show();
    changed();
  }

  /** Handle an `entered` message: a new viewer, a new role, or a stored viewer. */
  function entered({ seat: their, name, role }) {
    const same = (viewer) => viewer.seat === their || viewer.name === name;
    const known = viewers.find(same);
    if (known) Object.assign(known, { seat: their, name, role });
    else viewers.push({ seat: their, name, role, unread: false });
    // Two stored viewers may be the same for the server; the first of them is kept.
    viewers = viewers.filter((viewer, index) => viewers.findIndex((other) => other.seat === viewer.seat) === index);
    refresh();
  }

  function remove(their) {
    const index = viewers.findIndex((viewer) => viewer.seat === their);
    viewers = viewers.filter((viewer) => viewer.seat !== their);
    if (seat === their) seat = (viewers[index] ?? viewers[index - 1])?.seat ?? null;
    refresh();
  }

  /** Mark the chip of the recipient of a private line who does not speak now. */
  function noticePrivate(their) {
    const viewer = viewers.find((one) => one.seat === their);
    if (!viewer || viewer === speaker()) return;
    viewer.unread = true;
    show();
  }

  function setRoles(list) {
    roles = new Map(list.map(({ id, label }) => [id, label]));
    show();
  }

  function show() {
    follow(chips, viewers, (viewer) => viewer.seat, (viewer) => buildChip(() => pick(viewer.seat)), updateChip);
  }

  function pick(their) {
    select(their);
    chosen();
  }

  function updateChip(chip, viewer) {
    const active = viewer === speaker();
    const newly = active && chip.getAttribute("aria-pressed") !== "true";
    chip.setAttribute("aria-pressed", String(active));
    chip.dataset.seat = viewer.seat;
    tinted(chip, viewer.name);
    const face = [viewer.name, viewer.role, roleLabel(viewer.role), viewer.unread].join("\n");
    if (chip.dataset.face !== face) chip.replaceChildren(...chipParts(viewer));
    chip.dataset.face = face;
    // A new chip is not in the document yet, so scrolling waits until it is.
    if (newly) queueMicrotask(() => chip.scrollIntoView({ block: "nearest", inline: "nearest" }));
  }

  function chipParts(viewer) {
    const parts = [icon("head"), nameTag(viewer.name)];
    if (viewer.role !== "viewer") parts.push(badge(viewer.role));
    if (viewer.unread) parts.push(make("span", { className: "unread" }, make("span", { className: "unseen", textContent: word("page-unread") })));
    return parts;
  }

  const badge = (role) => roleBadge(role, roleLabel(role));
  const roleLabel = (role) => roles.get(role) ?? role;

  return { all: () => viewers, badge, entered, has, named, noticePrivate, remove, roleLabel, select, setRoles, speaker };
}

// The server ignores case and repeated spaces, too.
const folded = (name) => name.normalize("NFKC").trim().replace(/\s+/g, " ").toUpperCase().toLowerCase();

/** Return the icon of a role; ordinary viewers have none, as in other chats. */
export function roleBadge(role, label) {
  const known = ["broadcaster", "moderator", "vip", "subscriber"].includes(role);
  return known ? icon(role, label) : make("span", { className: "badge", textContent: label });
}

function buildChip(pick) {
  const chip = make("button", { type: "button", className: "chip", data: { testid: "viewer" } });
  chip.addEventListener("click", pick);
  return chip;
}

function walk(chips, event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  const all = [...chips.children];
  const next = all[all.indexOf(document.activeElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
