// Texts that moderators may word themselves: found by key or wording, and read aloud while they are typed.

import { make, setText } from "../dom.js";
import { word } from "../words.js";
import { attempt, text } from "./telling.js";
import { textEditor } from "./text_editor.js";

const WAIT = 200; // milliseconds without a key after which is searched

/** Make the section of texts. */
export function textsSection(desk) {
  const { api } = desk;
  /** @type {Map<string, any>} */
  const rows = new Map();
  const search = make("input", {
    type: "search",
    className: "field",
    id: "search",
    placeholder: word("desk-texts-search"),
    aria: { label: word("desk-texts-search") },
  });
  const none = text("p", "desk-texts-none", { className: "desk-soft", hidden: true, role: "status" });
  const list = make("ul", { className: "desk-list-of desk-texts" });
  const node = make(
    "div",
    { className: "desk-section" },
    text("h2", "desk-section-texts"),
    text("p", "desk-texts-hint", { className: "desk-soft" }),
    make("div", { className: "desk-tools" }, search),
    none,
    list,
  );
  let waiting = 0;
  let asked = 0;

  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = window.setTimeout(load, WAIT);
  });
  load();

  /** Find texts, and keep the rows that are there already: somebody may be typing in one. */
  async function load() {
    const mine = ++asked;
    const found = await attempt(() => api.texts(search.value.trim()));
    if (found === null || mine !== asked) return;
    const keys = found.rows.map(({ key }) => key);
    for (const each of found.rows) {
      if (!rows.has(each.key)) rows.set(each.key, textRow(api, found, load));
      rows.get(each.key).show(each);
    }
    none.hidden = keys.length > 0;
    const present = [...list.children].map((each) => /** @type {HTMLElement} */ (each).dataset.text);
    if (present.join() !== keys.join()) list.replaceChildren(...keys.map((key) => rows.get(key).node));
  }

  return { node, changed: (what) => what.settings && load(), refresh: () => {} };
}

/** A text in the list; it opens to its editor. */
function textRow(api, limits, changed) {
  const key = make("code");
  const said = make("span", { className: "desk-text-said", dir: "auto" });
  const tag = text("span", "desk-texts-own", { className: "desk-tag" });
  const button = make(
    "button",
    { type: "button", className: "desk-row-button", aria: { expanded: "false" } },
    make("span", { className: "desk-row-head" }, key, tag),
    said,
  );
  const node = make("li", {}, button);
  let editor = null;
  let now = null;

  button.addEventListener("click", () => {
    if (editor) {
      editor.node.remove();
      editor = null;
    } else {
      editor = textEditor(api, now, limits, changed);
      node.append(editor.node);
      editor.focus();
    }
    button.setAttribute("aria-expanded", String(editor !== null));
  });

  function show(row) {
    now = row;
    node.dataset.text = row.key;
    setText(key, row.key);
    setText(said, row.text);
    tag.hidden = row.own.length === 0;
    editor?.show(row);
  }

  return { node, show };
}
