// What makes credits because somebody chose it: who, how much, for whom.

import { make, nameTag } from "../dom.js";
import { word } from "../words.js";
import { pagedList } from "./paging.js";
import { text, worded } from "./telling.js";
import { moment, number } from "./times.js";

/** Make the section of what has made credits. */
export function mintedSection(desk) {
  const list = pagedList({
    read: (count, last) => desk.api.minted({ count, before: last?.number }),
    key: (row) => row.number,
    draw: (row) => mintRow(desk, row),
    empty: "desk-minted-none",
    label: word("desk-minted"),
    name: "minted",
  });
  const node = make(
    "div",
    { className: "desk-section" },
    text("h2", "desk-minted"),
    text("p", "desk-minted-hint", { className: "desk-soft" }),
    list.node,
  );
  list.reload();
  return {
    node,
    changed: (what) => {
      if (what.audit || what.tables) list.refresh();
    },
  };
}

function mintRow(desk, row) {
  const tags = [
    text("span", `desk-minted-${row.kind}`, { className: "desk-tag", data: { kind: "now" } }),
    ...(row.undone
      ? [text("span", "desk-audit-undone", { className: "desk-tag", data: { kind: "off" } })]
      : []),
    ...(row.over ? [text("span", "desk-minted-over", { className: "desk-tag", data: { kind: "off" } })] : []),
  ];
  const head = make(
    "p",
    { className: "desk-line" },
    make("span", { className: "desk-soft", textContent: `#${row.number}` }),
    nameTag(row.by),
    moment(row.at),
    ...tags,
  );
  const people = row.receivers.map(({ seat, name, credits }) => {
    const open = make(
      "button",
      { type: "button", className: "desk-name", data: { act: seat } },
      nameTag(name),
    );
    open.addEventListener("click", () => desk.open("members", { seat }));
    return make("li", {}, open, ` ${number(credits)}`);
  });
  const notes = [
    ...(row.why ? [worded("desk-audit-why", { WHY: row.why })] : []),
    ...(row.confirmed_by ? [worded("desk-minted-by", { NAME: row.confirmed_by })] : []),
  ];
  const body = make(
    "div",
    { className: "desk-grow" },
    head,
    make("p", { dir: "auto", textContent: row.text }),
    ...notes.map((each) => make("p", { className: "desk-soft", dir: "auto", textContent: each })),
    ...(people.length ? [make("ul", { className: "desk-players" }, ...people)] : []),
  );
  return [body, make("strong", { className: "desk-amount", textContent: number(row.credits) })];
}
