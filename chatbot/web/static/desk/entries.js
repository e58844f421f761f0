// Lists of a moderator: words of their own for commands, regulars, and who is excluded.

import { make, withoutDouble } from "../dom.js";
import { word } from "../words.js";
import { act, askFirst } from "./asking.js";
import { text, worded } from "./telling.js";

/** Make the section of words that stand for commands. */
export function aliasesSection(desk) {
  const list = entryList(desk, {
    group: "aliases",
    title: "desk-aliases-list",
    empty: "desk-aliases-none",
    shown: ({ key, value }) => [make("code", { textContent: `!${key}` }), " → ", make("code", { textContent: `!${value}` })],
    removed: (entry, reason) => ["alias", `${entry.key} off${reason}`],
  });
  const form = entryForm(desk, {
    title: "desk-aliases-new",
    go: "desk-add",
    fields: [
      { id: "desk-aliases-word", placeholder: "rob", maxLength: 25 },
      { id: "desk-aliases-for", placeholder: "heist 100", maxLength: 200 },
    ],
    line: ([alias, command]) => ["alias", `${alias.replace(/^!/, "")} ${command.replace(/^!/, "")}`],
  });
  return section("desk-section-aliases", "desk-aliases-hint", [list, form]);
}

/** Make the section of regulars and of who is excluded. */
export function listsSection(desk) {
  const lists = ["regulars", "excluded"].map((group) =>
    entryList(desk, {
      group,
      title: `desk-lists-${group}`,
      empty: `desk-lists-${group}-none`,
      shown: ({ key, value }) => shownMember(group, key, value),
      // By the account: a name may be that of somebody else by now.
      removed: (entry, reason) => ["set", `${group} ${entry.key} default${reason}`],
    }),
  );
  const forms = [
    ["regular", "desk-lists-regular"],
    ["exclude", "desk-lists-exclude"],
  ].map(([name, title]) =>
    entryForm(desk, {
      title,
      go: "desk-add",
      fields: [{ id: "desk-lists-member", placeholder: "@bob", maxLength: 100 }],
      line: ([member]) => [name, `@${member.replace(/^@/, "").replace(/\s+/g, "_")}`],
    }),
  );
  return section("desk-section-lists", "desk-lists-hint", [lists[0], forms[0], lists[1], forms[1]]);
}

function shownMember(group, account, value) {
  const id = make("code", { textContent: account });
  if (group === "regulars") return [make("b", { dir: "auto", textContent: value }), " ", id];
  return [id, ...(value === "no" ? [" ", text("span", "desk-lists-included", { className: "desk-tag" })] : [])];
}

function section(title, hint, parts) {
  const node = make(
    "div",
    { className: "desk-section" },
    text("h2", title),
    text("p", hint, { className: "desk-soft" }),
    ...parts.map((each) => each.node),
  );
  return {
    node,
    refresh(groups) {
      for (const each of parts) each.refresh?.(groups);
    },
  };
}

function entryList(desk, { group, title, empty, shown, removed }) {
  const place = make("div", {});
  const node = make("section", { className: "desk-stack", data: { list: group } }, text("h3", title), place);
  refresh(desk.groups);

  function refresh(groups) {
    const entries = groups.find(({ name }) => name === group)?.settings ?? [];
    const rows = entries.map((entry) =>
      make("li", { className: "desk-item" }, make("p", {}, ...shown(entry)), remover(entry)),
    );
    const list = rows.length
      ? make("ul", { className: "desk-list-of" }, ...rows)
      : text("p", empty, { className: "desk-soft" });
    place.replaceChildren(list);
  }

  function remover(entry) {
    const button = make("button", {
      type: "button",
      className: "button",
      textContent: word("desk-remove"),
      aria: { label: `${word("desk-remove")}: ${entry.key}` },
    });
    button.addEventListener("click", () => {
      const said = make("p", {}, ...shown(entry));
      askFirst({ title: word("desk-remove-title"), body: [said], go: word("desk-remove"), reason: true }, async (reason) => {
        await act(desk.api, ...line(entry, reason));
        return undefined;
      });
    });
    return button;
  }

  /** @returns {[string, string]} */
  function line(entry, reason) {
    const [name, words] = removed(entry, reason ? ` -- ${reason}` : "");
    return [name, words];
  }

  return { node, refresh };
}

function entryForm(desk, { title, go, fields, line }) {
  const inputs = fields.map(({ placeholder, maxLength }) =>
    make("input", { className: "field", autocomplete: "off", spellcheck: false, required: true, placeholder, maxLength }),
  );
  const why = make("input", { className: "field", autocomplete: "off", maxLength: 150 });
  const labels = inputs.map((input, at) => make("label", { className: "desk-labelled" }, text("span", fields[at].id), input));
  const submit = withoutDouble(
    make("button", {
      type: "submit",
      className: "button brand-button",
      textContent: word(go),
      aria: { label: worded("desk-add-to", { LIST: word(title) }) },
    }),
  );
  const node = make(
    "form",
    { className: "desk-card", autocomplete: "off" },
    text("h4", title),
    make(
      "div",
      { className: "desk-fields" },
      ...labels,
      make("label", { className: "desk-labelled" }, text("span", "desk-reason"), why),
    ),
    make("div", { className: "desk-row" }, submit),
  );
  node.addEventListener("submit", async (event) => {
    event.preventDefault();
    const [name, words] = line(inputs.map((each) => each.value.trim()));
    const reason = why.value.trim() ? ` -- ${why.value.trim()}` : "";
    if (await act(desk.api, name, words + reason)) node.reset();
    inputs[0].focus();
  });
  return { node };
}
