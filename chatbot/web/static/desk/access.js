// Who may use each command, and how often: each command opens to its two values.

import { make, setText } from "../dom.js";
import { sentence, word } from "../words.js";
import { createField } from "./field.js";
import { barredFor } from "./group.js";
import { EVERY_ROLE } from "./roles.js";
import { attempt, text } from "./telling.js";

/** Make the section of access. */
export function accessSection(desk) {
  const { api } = desk;
  const rows = new Map();
  const search = make("input", {
    type: "search",
    className: "field",
    id: "search",
    placeholder: word("desk-access-search"),
    aria: { label: word("desk-access-search") },
  });
  const only = make("input", { type: "checkbox", id: "only" });
  const none = text("p", "desk-search-none", { className: "desk-soft", hidden: true, role: "status" });
  const list = make("div", { className: "desk-list-of" });
  const node = make(
    "div",
    { className: "desk-section" },
    text("h2", "desk-section-access"),
    text("p", "desk-access-hint", { className: "desk-soft" }),
    make(
      "div",
      { className: "desk-tools" },
      search,
      make("label", { className: "desk-row" }, only, text("span", "desk-only-changed")),
    ),
    none,
    list,
  );
  search.addEventListener("input", filter);
  only.addEventListener("change", filter);
  load();

  async function load() {
    const told = await attempt(api.access);
    if (told === null) return;
    for (const each of told) {
      if (!rows.has(each.word)) {
        rows.set(each.word, commandRow(desk, each));
        list.append(rows.get(each.word).node);
      }
      rows.get(each.word).show(each);
    }
    filter();
  }

  function filter() {
    const sought = search.value.trim().toLowerCase().replace(/^!/, "");
    let found = 0;
    for (const each of rows.values()) {
      const fit = each.fits(sought) && (!only.checked || each.changed());
      each.node.hidden = !fit;
      found += fit ? 1 : 0;
    }
    none.hidden = found > 0;
  }

  return { node, refresh: load };
}

function commandRow(desk, first) {
  let now = first;
  const values = make("span", { className: "desk-row-values" });
  const body = make("div", { className: "desk-form" });
  const barred = make("p", { className: "desk-soft", textContent: first.barred });
  let fields = [];
  const node = make(
    "details",
    { className: "desk-command", data: { command: first.word } },
    make(
      "summary",
      {},
      make("code", { textContent: `!${first.word}` }),
      make("span", { className: "desk-row-help", textContent: sentence(first.help) }),
      values,
    ),
    body,
    ...(first.cooldown ? [] : [barred]),
  );
  node.addEventListener("toggle", () => {
    if (!node.open || fields.length) return;
    fields = [field("permissions", "permission", "desk-access-who", EVERY_ROLE)];
    if (now.cooldown) fields.push(field("cooldowns", "cooldown", "desk-access-often", []));
    body.replaceChildren(...fields.map((each) => each.field.node));
  });

  function field(group, part, title, choices) {
    const made = createField(group, settingOf(now[part], title, choices), {
      barred: barredFor(desk, now[part].role),
      isGame: false,
      wanted: desk.drafts.of(group, now.word),
      want: (key, value) => desk.drafts.want(group, key, value),
      check: (key, value) =>
        desk.drafts.during(desk.api.preview({ [group]: { ...desk.drafts.values()[group], [key]: value } })),
    });
    return { group, part, title, choices, field: made };
  }

  const settingOf = ({ value, default: usual, role }, title, choices) => ({
    key: now.word,
    value,
    default: usual,
    is_changed: value !== usual,
    help: word(title),
    expected: choices.length ? "" : word("desk-access-often-how"),
    example: "5/30",
    choices,
    role,
  });

  function show(row) {
    now = row;
    const parts = [word(`desk-role-${row.permission.value}`), row.cooldown?.value].filter(Boolean);
    setText(values, parts.join(" · "));
    node.classList.toggle("changed", changed());
    for (const { group, part, title, choices, field: each } of fields)
      each.show(settingOf(row[part], title, choices), desk.drafts.of(group, row.word));
  }

  const changed = () =>
    [now.permission, now.cooldown].some((each) => each && each.value !== each.default) ||
    ["permissions", "cooldowns"].some((group) => desk.drafts.of(group, now.word) !== undefined);

  return {
    node,
    show,
    changed,
    fits: (sought) => `${now.word} ${now.help} ${now.game}`.toLowerCase().includes(sought),
  };
}
