// What moderators did: page by page, by whom and what, and taking one thing back.

import { make, nameTag } from "../dom.js";
import { word } from "../words.js";
import { act, askFirst, differences } from "./asking.js";
import { pagedList } from "./paging.js";
import { attempt, text, worded } from "./telling.js";
import { moment, number } from "./times.js";

const KINDS = ["money", "setting", "void", "season", "reward", "overlay", "link", "forgetting", "repair"];

/** Make the section of the audit; `at` may say of whom (`actor`, `name`) or what (`subject`, `about`). */
export function auditSection(desk, at = {}) {
  const wanted = { actor: at.actor ?? "", kind: "", subject: at.subject ?? "" };
  const everybody = make("option", { value: "", textContent: word("desk-audit-everybody") });
  const who = make("select", { className: "field", id: "audit-who" }, everybody);
  const kind = make(
    "select",
    { className: "field", id: "audit-kind" },
    make("option", { value: "", textContent: word("desk-audit-everything") }),
    ...KINDS.map((each) => make("option", { value: each, textContent: word(`desk-kind-${each}`) })),
  );
  const about = make("div", { className: "desk-row" });
  const list = pagedList({
    read: (count, last) => desk.api.audit({ ...wanted, count, before: last?.number }),
    key: ({ number }) => number,
    draw: (row) => auditRow(desk, row, onlyOf),
    empty: "desk-audit-none",
    label: word("desk-audit"),
    name: "audit",
  });
  const filters = make(
    "div",
    { className: "desk-filters" },
    make("label", { className: "desk-stack" }, text("span", "desk-audit-who"), who),
    make("label", { className: "desk-stack" }, text("span", "desk-audit-kind"), kind),
  );
  const node = make(
    "div",
    { className: "desk-section" },
    text("h2", "desk-audit"),
    text("p", "desk-audit-hint", { className: "desk-soft" }),
    filters,
    about,
    list.node,
  );

  who.addEventListener("change", () => only({ actor: who.value }));
  kind.addEventListener("change", () => only({ kind: kind.value }));
  if (at.actor) offer([{ actor: at.actor, name: at.name }]);
  drawAbout();
  loadActors();
  list.reload();

  function only(change) {
    Object.assign(wanted, change);
    list.reload();
  }

  function onlyOf({ actor, by }) {
    offer([{ actor, name: by }]);
    who.value = actor;
    only({ actor });
    who.focus();
  }

  function offer(actors) {
    const known = new Set([...who.options].map(({ value }) => value));
    const some = actors.filter(({ actor }) => !known.has(actor));
    who.append(...some.map(({ actor, name }) => make("option", { value: actor, textContent: name })));
    who.value = wanted.actor;
  }

  async function loadActors() {
    const actors = await attempt(desk.api.actors);
    if (actors) offer(actors);
  }

  function drawAbout() {
    if (!wanted.subject) return about.replaceChildren();
    const all = make("button", { type: "button", className: "button", textContent: word("desk-audit-all") });
    all.addEventListener("click", () => {
      only({ subject: "" });
      drawAbout();
      who.focus();
    });
    const told = make("span", { textContent: worded("desk-audit-about", { NAME: at.about }) });
    return about.replaceChildren(told, all);
  }

  return {
    node,
    changed: (what) => {
      if (what.audit) list.refresh();
    },
  };
}

function auditRow(desk, row, onlyOf) {
  const by = make(
    "button",
    {
      type: "button",
      className: "desk-name",
      title: word("desk-audit-only"),
      data: { act: "by" },
    },
    nameTag(row.by),
  );
  by.addEventListener("click", () => onlyOf(row));
  const tags = [
    ...(row.undoes
      ? [text("span", "desk-audit-undoes", { className: "desk-tag", data: { kind: "now" } })]
      : []),
    ...(row.undone
      ? [text("span", "desk-audit-undone", { className: "desk-tag", data: { kind: "off" } })]
      : []),
  ];
  const head = make(
    "p",
    { className: "desk-line" },
    make("span", { className: "desk-soft", textContent: `#${row.number}` }),
    by,
    moment(row.at),
    ...tags,
  );
  const what = make("p", { dir: "auto", textContent: row.text });
  const why = row.why
    ? [
        make("p", {
          className: "desk-soft",
          dir: "auto",
          textContent: worded("desk-audit-why", { WHY: row.why }),
        }),
      ]
    : [];
  const body = make("div", { className: "desk-grow" }, head, what, ...why);
  return [body, undoPart(desk, row)];
}

function undoPart(desk, row) {
  if (row.undone) return "";
  if (row.barred) return make("small", { className: "desk-soft desk-barred-row", textContent: row.barred });
  if (!desk.commands.has("undo")) return "";
  const button = make("button", {
    type: "button",
    className: "button",
    textContent: word("desk-undo"),
    aria: { label: worded("desk-undo-of", { NUMBER: row.number }) },
    data: { act: "undo" },
  });
  button.addEventListener("click", () => askToUndo(desk, row));
  return button;
}

async function askToUndo({ api }, row) {
  const planned = await attempt(() => api.undoing(row.number));
  if (planned === null) return;
  const title = worded("desk-undo-title", { NUMBER: row.number });
  const was = make("p", {
    dir: "auto",
    textContent: worded("desk-undo-was", { NAME: row.by, WHAT: row.text }),
  });
  if (!planned.possible) {
    const why = make("p", { className: "desk-wrong", textContent: planned.why });
    askFirst({ title, body: [was, why], go: word("desk-understood") }, async () => undefined);
    return;
  }
  const shown = make("div", {}, changesOf(planned));
  let known = planned;
  askFirst({ title, body: [was, shown], go: word("desk-undo-go"), reason: true }, async (reason) => {
    const present = await attempt(() => api.undoing(row.number));
    if (present === null) return word("desk-lost");
    if (!present.possible) return present.why;
    if (JSON.stringify(present) !== JSON.stringify(known)) {
      known = present;
      shown.replaceChildren(changesOf(present));
      return word("desk-meanwhile-look");
    }
    await act(api, "undo", `${row.number}${reason ? ` -- ${reason}` : ""}`);
    return undefined;
  });
}

function changesOf({ differences: rows }) {
  return differences(
    rows.map(({ member, of, key, before, after }) =>
      member === null
        ? { group: of, key, before, after }
        : { name: member, before: number(before), after: number(after) },
    ),
  );
}
