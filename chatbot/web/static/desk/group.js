// A group of settings as a form.

import { make } from "../dom.js";
import { word } from "../words.js";
import { createField } from "./field.js";
import { presetCards } from "./presets.js";
import { text, worded } from "./telling.js";
import { reaches } from "./roles.js";

const FEW = 8; // settings that need no search

/** Why somebody may not change what takes a role; empty: they may. */
export const barredFor = ({ room }, role) =>
  reaches(room.role, role) ? "" : worded("desk-barred", { ROLE: word(`desk-role-${role}`) });

/** Make the row of a setting of a group, wherever it is shown; with a title of its own, or its explanation. */
export function settingField(desk, group, setting, title = "") {
  const { api, drafts } = desk;
  return createField(group.name, title ? { ...setting, help: title } : setting, {
    barred: barredFor(desk, setting.role),
    isGame: group.is_game,
    wanted: drafts.of(group.name, setting.key),
    want: (key, value) => drafts.want(group.name, key, value),
    check: (key, value) =>
      drafts.during(api.preview({ [group.name]: { ...drafts.values()[group.name], [key]: value } })),
  });
}

/**
 * Make the section of a group. `desk` has the room, its `api` and the `drafts`.
 * @param {any} desk
 * @param {any} first
 */
export function groupSection(desk, first) {
  const { api, drafts } = desk;
  let group = first;
  const shown = group.settings.filter(({ key }) => key !== "preset");
  const fields = shown.map((setting) => settingField(desk, group, setting));
  const presets = make("div");
  const search = make("input", {
    type: "search",
    className: "field",
    id: "search",
    placeholder: word("desk-search"),
    aria: { label: word("desk-search") },
  });
  const only = make("input", { type: "checkbox", id: "only" });
  const none = text("p", "desk-search-none", { className: "desk-soft", hidden: true, role: "status" });
  const tools = make(
    "div",
    { className: "desk-tools", hidden: shown.length <= FEW },
    search,
    make("label", { className: "desk-row" }, only, text("span", "desk-only-changed")),
  );
  const form = make("div", { className: "desk-form" }, ...fields.map(({ node }) => node));
  const notes = [];
  if (group.is_shared) notes.push(text("p", "desk-shared", { className: "desk-soft" }));
  if (group.is_game) notes.push(text("p", "desk-next-table", { className: "desk-soft" }));
  const node = make(
    "div",
    { className: "desk-section" },
    make("h2", { textContent: desk.titleOf(group) }),
    ...notes,
    presets,
    tools,
    none,
    form,
  );

  search.addEventListener("input", filter);
  only.addEventListener("change", filter);
  drawPresets();

  function filter() {
    const sought = search.value.trim().toLowerCase();
    let found = 0;
    for (const each of fields) {
      const fit = each.fits(sought) && (!only.checked || each.changed());
      each.node.hidden = !fit;
      found += fit ? 1 : 0;
    }
    none.hidden = found > 0;
  }

  function drawPresets() {
    if (!Object.keys(group.presets).length) return;
    const barred = barredFor(desk, "moderator");
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.preset;
    presets.replaceChildren(presetCards(api, group, barred));
    if (focused)
      /** @type {HTMLElement | null} */ (presets.querySelector(`[data-preset="${focused}"]`))?.focus();
  }

  /** Show what is so now. */
  function refresh(groups) {
    const present = groups.find(({ name }) => name === group.name);
    if (!present) return;
    const preset = group.preset;
    group = present;
    for (const each of fields) {
      const setting = present.settings.find(({ key }) => key === each.key);
      if (setting) each.show(setting, drafts.of(group.name, each.key));
    }
    if (preset !== group.preset) drawPresets();
  }

  return { node, refresh };
}
