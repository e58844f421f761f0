// The frame of the desk: which room, which section; a list at the side, or a picker where there is no room.

import { find, make } from "../dom.js";
import { word } from "../words.js";
import { worded } from "./telling.js";

/** @typedef {{ id: string, title: string, part: string, commands?: string[] }} Section */

/** Draw the chooser of rooms; `chosen(id)` is called with another one. */
export function drawRooms(rooms, now, chosen) {
  const place = find("where");
  if (rooms.length === 1) {
    place.replaceChildren(make("strong", { textContent: now.title }));
    return;
  }
  const options = rooms.map((each) => make("option", { value: each.id, textContent: titleOf(each) }));
  const select = make(
    "select",
    { className: "field", aria: { label: word("desk-room") }, id: "room" },
    ...options,
  );
  select.value = now.id;
  select.addEventListener("change", () => chosen(select.value));
  place.replaceChildren(select);
}

const titleOf = ({ title, platforms }) =>
  `${title} · ${platforms.map((each) => word(`desk-platform-${each}`)).join(" + ")}`;

/** Draw who is here, as a button to their account. */
export function drawMe(me, room, opened) {
  const button = /** @type {HTMLButtonElement} */ (find("me"));
  const role = room ? word(`desk-role-${room.role}`) : "";
  button.hidden = false;
  button.replaceChildren(make("span", { textContent: me.name }), make("small", { textContent: role }));
  button.setAttribute("aria-label", worded("desk-account-open", { NAME: me.name, ROLE: role }));
  button.onclick = opened;
}

/**
 * Draw the sections by parts, each a heading with buttons, and the same as a picker.
 * @param {Section[]} sections
 * @param {(id: string) => void} opened
 */
export function drawNav(sections, opened) {
  const parts = [...new Set(sections.map(({ part }) => part))];
  const of = (part) => sections.filter((each) => each.part === part);
  const list = parts.map((part) =>
    make(
      "div",
      { className: "desk-part" },
      make("h2", { textContent: word(`desk-part-${part}`) }),
      make("ul", {}, ...of(part).map((each) => make("li", {}, button(each, opened)))),
    ),
  );
  const picker = make(
    "select",
    { className: "field", id: "picker", aria: { label: word("desk-sections") } },
    ...parts.map((part) =>
      make(
        "optgroup",
        { label: word(`desk-part-${part}`) },
        ...of(part).map(({ id, title }) => make("option", { value: id, textContent: title })),
      ),
    ),
  );
  picker.addEventListener("change", () => opened(picker.value));
  const nav = find("nav");
  nav.hidden = false;
  nav.replaceChildren(
    make("div", { className: "desk-picker" }, picker),
    make("div", { className: "desk-list" }, ...list),
  );
}

/** @param {Section} section */
function button({ id, title, commands = [] }, opened) {
  const data = { section: id, commands: commands.join(" ") }; // of the chat, which the section uses
  const node = make("button", { type: "button", data, textContent: title });
  node.addEventListener("click", () => opened(id));
  return node;
}

/** Mark the section that is open, and those that have changes which are not applied. */
export function markNav(open, drafted) {
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (
    find("nav").querySelectorAll("[data-section]")
  )) {
    const id = each.dataset.section ?? "";
    if (id === open) {
      each.setAttribute("aria-current", "page");
      each.scrollIntoView({ block: "nearest" }); // the list may be longer than the window
    } else each.removeAttribute("aria-current");
    each.classList.toggle("drafted", drafted.has(id));
  }
  const picker = /** @type {HTMLSelectElement | null} */ (document.getElementById("picker"));
  if (picker) picker.value = open;
}

/** Hide all that is only for who is at the desk. */
export function clearFrame() {
  for (const id of ["nav", "me", "bar"]) find(id).hidden = true;
  find("where").replaceChildren();
  find("find").replaceChildren();
}
