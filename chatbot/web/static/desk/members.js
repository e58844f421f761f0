// The members of a room: finding one by name, and balances that wait until somebody of a name is seen.

import { make, nameTag } from "../dom.js";
import { word } from "../words.js";
import { chooser } from "./controls.js";
import { memberCard } from "./member.js";
import { pagedList } from "./paging.js";
import { text, worded } from "./telling.js";
import { moment, number } from "./times.js";

const PAUSE = 180; // milliseconds after the last key before it is searched
const MOST_RANKED = 100; // places that the server names
const BY_NAME = "";
const CREDITS = "credits"; // as the ranking by wallets is called
const WAITING_AT = ["twitch", "discord"]; // platforms whose logins are names

/** Make the section of members; `at.seat` is one that is shown at once. */
export function membersSection(desk, at = {}) {
  const node = make("div", { className: "desk-section" });
  const search = make("input", {
    type: "search",
    className: "field",
    id: "member-search",
    placeholder: word("desk-members-search"),
    aria: { label: word("desk-members-search") },
    autocomplete: "off",
    spellcheck: false,
    maxLength: 100,
  });
  const games = desk.groups.filter((each) => each.is_game);
  const order = chooser("desk-members-order", [
    [BY_NAME, word("desk-members-by-name")],
    ...(desk.commands.has("top") ? [[CREDITS, word("desk-members-richest")]] : []),
    ...(desk.commands.has("top") ? games : []).map((each) => [each.name, worded("desk-members-won", { GAME: desk.titleOf(each) })]),
  ]);
  const list = pagedList({
    read: (count, last) => (order.select.value === BY_NAME ? named(count, last) : ranked(count, last)),
    key: ({ seat }) => seat,
    draw: (row) => memberRow(row, open),
    empty: "desk-members-none",
    label: word("desk-members"),
    name: "members",
  });
  const lists = WAITING_AT.filter((each) => desk.room.platforms.includes(each)).map((platform) =>
    waitingList(desk, platform, sought),
  );
  let opened = /** @type {ReturnType<typeof memberCard> | null} */ (null);
  let timer = 0;

  order.select.addEventListener("change", () => {
    search.disabled = order.select.value !== BY_NAME;
    list.reload();
  });
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(find, PAUSE);
  });
  if (at.seat) open(at.seat);
  else close("");

  function named(count, last) {
    return desk.api.members({ prefix: sought(), count, after: last?.name, after_seat: last?.seat });
  }

  // A ranking is read from its beginning, as far as it goes.
  async function ranked(count, last) {
    const rows = await desk.api.top({ by: order.select.value, count: Math.min(MOST_RANKED, (last?.rank ?? 0) + count) });
    return rows.map((each, index) => ({ ...each, credits: each.amount, rank: index + 1 })).slice(last?.rank ?? 0);
  }

  function sought() {
    return search.value.trim();
  }

  function find() {
    for (const each of [list, ...lists]) each.reload();
  }

  function open(seat) {
    opened = memberCard(desk, seat, () => close(seat));
    node.replaceChildren(opened.node);
    opened.focus();
  }

  function close(seat) {
    opened = null;
    node.replaceChildren(
      text("h2", "desk-members"),
      make("div", { className: "desk-tools", data: { testid: "member-tools" } }, search, order.node),
      list.node,
      ...lists.map((each) => each.node),
    );
    if (!list.rows().length) find();
    else list.refresh();
    if (!seat) return;
    const row = /** @type {HTMLElement | null} */ (
      list.node.querySelector(`[data-seat="${CSS.escape(seat)}"]`)
    );
    (row ?? search).focus();
  }

  return {
    node,
    changed: (what) => {
      if (!what.audit && !what.tables) return;
      if (opened) opened.refresh();
      else list.refresh();
    },
  };
}

function memberRow(row, open) {
  const name = make(
    "button",
    { type: "button", className: "desk-member", data: { act: "open", seat: row.seat } },
    ...(row.place ? [make("span", { className: "desk-soft", textContent: `${row.place}.` })] : []),
    nameTag(row.name),
    make("span", { className: "desk-soft" }, ...(row.seen_at ? [word("desk-member-seen"), " ", moment(row.seen_at)] : [])),
    make("strong", { className: "desk-amount", textContent: number(row.credits) }),
  );
  name.addEventListener("click", () => open(row.seat));
  return [name];
}

function waitingList(desk, platform, sought) {
  const heading = make("h3", {
    textContent: worded("desk-waiting", { PLATFORM: word(`desk-platform-${platform}`) }),
  });
  const list = pagedList({
    read: (count, last) => desk.api.waiting({ platform, prefix: sought(), count, after: last?.name }),
    key: ({ name }) => name,
    draw: (row) => [
      make("span", { className: "desk-grow" }, nameTag(row.name)),
      make("strong", { className: "desk-amount", textContent: number(row.credits) }),
    ],
    empty: "desk-waiting-none",
    label: heading.textContent ?? "",
    name: `waiting-${platform}`,
  });
  const hint = text("p", "desk-waiting-hint", { className: "desk-soft" });
  const node = make("section", { className: "desk-stack", hidden: true }, heading, hint, list.node);
  return {
    node,
    reload: async () => {
      await list.reload();
      node.hidden = !list.rows().length && !sought();
    },
  };
}
