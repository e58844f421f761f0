// Every command that somebody may use here, as a form: also those that have no section of their own.

import { make, withoutDouble } from "../dom.js";
import { parts, sentence, word } from "../words.js";
import { act } from "./asking.js";
import { keeps } from "./roles.js";
import { attempt, text, worded } from "./telling.js";

// What works only where the platform itself vouches for who speaks, and what opens the desk.
const ELSEWHERE = new Set(["bridge", "link", "unlink", "desk"]);

/**
 * Make the section of all commands. `places` names the section of a command that has one, and `opened(id)`
 * goes there.
 */
export function commandsSection(desk, places, opened) {
  const rows = [];
  const search = make("input", {
    type: "search",
    className: "field",
    id: "search",
    placeholder: word("desk-commands-search"),
    aria: { label: word("desk-commands-search") },
  });
  const none = text("p", "desk-commands-none", { className: "desk-soft", hidden: true, role: "status" });
  const list = make("div", { className: "desk-list-of" });
  const node = make(
    "div",
    { className: "desk-section" },
    text("h2", "desk-section-commands"),
    text("p", "desk-commands-hint", { className: "desk-soft" }),
    make("div", { className: "desk-tools" }, search),
    none,
    list,
  );
  search.addEventListener("input", filter);
  load();

  async function load() {
    const told = await attempt(desk.api.commands);
    const own = (told ?? []).filter(({ game, word: name }) => game === null && !ELSEWHERE.has(name));
    const keeping = (each) => Number(keeps(each.role)); // first what only moderators may do
    for (const each of own.sort((one, other) => keeping(other) - keeping(one))) {
      const row = commandRow(desk.api, each, places[each.word], opened);
      rows.push({ node: row, text: `${each.word} ${each.help}`.toLowerCase() });
      list.append(row);
    }
    filter();
  }

  function filter() {
    const sought = search.value.trim().toLowerCase().replace(/^!/, "");
    let found = 0;
    for (const each of rows) {
      each.node.hidden = !each.text.includes(sought);
      found += each.node.hidden ? 0 : 1;
    }
    none.hidden = found > 0;
  }

  return { node };
}

function commandRow(api, command, place, opened) {
  const role = make("span", { className: "desk-row-values", textContent: word(`desk-role-${command.role}`) });
  const body = make("div", { className: "desk-command-body" });
  const node = make(
    "details",
    { className: "desk-command", data: { command: command.word } },
    make(
      "summary",
      {},
      make("code", { textContent: `!${command.word}` }),
      make("span", { className: "desk-row-help", textContent: sentence(command.help) }),
      role,
    ),
    body,
  );
  node.addEventListener("toggle", () => {
    if (!node.open || body.childElementCount) return;
    body.replaceChildren(...(place ? [link(place, opened)] : []), form(api, command));
  });
  return node;
}

function link({ id, title }, opened) {
  const button = make("button", {
    type: "button",
    className: "button",
    textContent: worded("desk-commands-place", { SECTION: title }),
  });
  button.addEventListener("click", () => opened(id));
  return button;
}

function form(api, command) {
  const fields = command.options.map(fieldOf);
  const answer = make("div", { className: "desk-stack", role: "status" });
  const submit = withoutDouble(
    make("button", {
      type: "submit",
      className: "button brand-button",
      textContent: word(command.reads ? "desk-commands-ask" : "desk-commands-do"),
      aria: { label: `${word(command.reads ? "desk-commands-ask" : "desk-commands-do")}: !${command.word}` },
    }),
  );
  const node = make(
    "form",
    { className: "desk-stack", autocomplete: "off" },
    make("div", { className: "desk-fields" }, ...fields.map((each) => each.node)),
    make("div", { className: "desk-row" }, submit),
    answer,
  );
  node.addEventListener("submit", async (event) => {
    event.preventDefault();
    const line = fields
      .map((each) => each.typed())
      .filter(Boolean)
      .join(" ");
    if (!command.reads) {
      if (await act(api, command.word, line)) node.reset();
      return;
    }
    const result = await attempt(() => api.use(command.word, line));
    if (result !== null)
      answer.replaceChildren(
        ...result.answers.map((each) => make("p", { className: "desk-bubble", dir: "auto" }, ...parts(each.text))),
      );
  });
  return node;
}

function fieldOf(option) {
  const properties = { className: "field", required: option.required, data: { option: option.name } };
  const input = option.choices.length
    ? make(
        "select",
        properties,
        ...["", ...option.choices].map((each) => make("option", { value: each, textContent: each || "–" })),
      )
    : make("input", { ...properties, autocomplete: "off", inputMode: option.kind === "whole" ? "numeric" : "text" });
  const node = make(
    "label",
    { className: "desk-labelled" },
    make("span", { textContent: sentence(option.help) }),
    input,
  );
  const typed = () => {
    const value = input.value.trim();
    if (!value) return "";
    if (option.kind === "member") return `${option.key}@${value.replace(/^@\s*/, "").replace(/\s+/g, "_")}`;
    return option.key + value;
  };
  return { node, typed };
}
