// The tables that are being played: who sits there for what, and calling one off.

import { follow, make, nameTag, withoutDouble } from "../dom.js";
import { word } from "../words.js";
import { act, askFirst } from "./asking.js";
import { clock, moment, number } from "./times.js";
import { attempt, sentenceFor, text, worded } from "./telling.js";

const TICK = 1_000; // milliseconds

/** Make the section of the running tables. */
export function tablesSection(desk) {
  const opening = make("section", { className: "desk-card", data: { testid: "opening" } });
  const list = make("ul", { className: "desk-tables", aria: { label: word("desk-tables") } });
  const state = make("div", { className: "desk-state", role: "status" });
  const node = make("div", { className: "desk-section" }, text("h2", "desk-tables"), opening, state, list);
  let endings = /** @type {Map<string, number>} */ (new Map()); // when the clock of each table has run out

  drawOpening();
  state.replaceChildren(text("p", "desk-loading", { className: "desk-soft" }));
  load();
  const ticking = setInterval(tick, TICK);

  async function load() {
    let tables;
    try {
      tables = (await desk.api.tables()).filter(({ over }) => !over);
    } catch (failure) {
      const again = make("button", { type: "button", className: "button", textContent: word("desk-again") });
      again.addEventListener("click", load);
      const sentence = make("p", { className: "desk-wrong", textContent: sentenceFor(failure) });
      state.replaceChildren(make("div", { className: "desk-row" }, sentence, again));
      return;
    }
    const now = performance.now();
    endings = new Map(
      tables.filter(({ left }) => left !== null).map(({ id, left }) => [id, now + left * TICK]),
    );
    follow(
      list,
      tables,
      ({ id }) => id,
      () => make("li", { className: "desk-card desk-table" }),
      fill,
    );
    state.replaceChildren(
      ...(tables.length ? [] : [text("p", "desk-tables-none", { className: "desk-soft desk-empty" })]),
    );
    tick();
  }

  function fill(card, table) {
    const { left: _, ...shown } = table;
    const drawn = JSON.stringify(shown);
    if (card.dataset.drawn === drawn) return;
    const focused = card.contains(document.activeElement);
    card.dataset.drawn = drawn;
    card.replaceChildren(...tableParts(desk, table));
    if (focused) card.querySelector("button")?.focus();
  }

  function tick() {
    if (!node.isConnected && list.children.length) return clearInterval(ticking);
    const now = performance.now();
    for (const each of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("[data-clock]"))) {
      const until = endings.get(each.dataset.clock ?? "");
      each.textContent = until === undefined ? "–" : clock((until - now) / TICK);
    }
    return undefined;
  }

  function drawOpening() {
    const paused = settingOf(desk, "room", "paused") === "yes";
    if (opening.dataset.paused === String(paused)) return;
    opening.dataset.paused = String(paused);
    const focused = opening.contains(document.activeElement);
    const button = withoutDouble(
      make("button", {
        type: "button",
        className: paused ? "button brand-button" : "button",
        textContent: word(paused ? "desk-resume" : "desk-pause"),
      }),
    );
    button.addEventListener("click", () => askToPause(desk, !paused));
    const tag = text("span", paused ? "desk-paused" : "desk-open", {
      className: "desk-tag",
      data: { kind: paused ? "off" : "on" },
    });
    const line = make("p", {}, tag, " ", text("span", paused ? "desk-paused-hint" : "desk-open-hint"));
    opening.replaceChildren(make("div", { className: "desk-row desk-spread" }, line, button));
    if (focused) button.focus();
  }

  return {
    node,
    refresh: drawOpening,
    changed: (what) => {
      if (what.tables || what.audit) load();
    },
  };
}

function settingOf(desk, group, key) {
  const settings = desk.groups.find(({ name }) => name === group)?.settings ?? [];
  return settings.find((each) => each.key === key)?.value;
}

function askToPause(desk, pausing) {
  const body = [text("p", pausing ? "desk-pause-does" : "desk-resume-does")];
  const title = word(pausing ? "desk-pause" : "desk-resume");
  askFirst({ title, body, go: title, reason: true }, async (reason) => {
    const line = reason ? `-- ${reason}` : "";
    await act(desk.api, pausing ? "pause" : "unpause", line, { agreed: true });
    await desk.renew();
    return undefined;
  });
}

function tableParts(desk, table) {
  const title = make(
    "h3",
    {},
    table.title,
    " ",
    make("span", { className: "desk-tag", data: { kind: "now" }, textContent: table.phase }),
  );
  const facts = make(
    "dl",
    { className: "desk-facts" },
    ...fact("desk-table-pot", make("span", { textContent: number(table.pot) })),
    ...(table.since ? fact("desk-table-since", moment(table.since)) : []),
    ...fact("desk-table-clock", make("span", { data: { clock: table.id }, textContent: "–" })),
    ...table.facts.map(({ label, value }) =>
      make("div", {}, make("dt", { textContent: label }), make("dd", { textContent: value })),
    ),
  );
  const players = make(
    "ul",
    { className: "desk-players", aria: { label: word("desk-table-players") } },
    ...table.players.map((each) =>
      make(
        "li",
        {},
        nameTag(each.name),
        ...(each.detail ? [" ", make("small", { textContent: each.detail })] : []),
      ),
    ),
  );
  const nobody = text("p", "desk-table-nobody", { className: "desk-soft" });
  return [
    make("div", { className: "desk-row desk-spread" }, title, cancelButton(desk, table)),
    facts,
    table.players.length ? players : nobody,
  ];
}

const fact = (id, value) => [make("div", {}, text("dt", id), make("dd", {}, value))];

function cancelButton(desk, table) {
  if (!desk.commands.has("cancel")) return "";
  const button = withoutDouble(
    make("button", {
      type: "button",
      className: "button danger",
      textContent: word("desk-cancel"),
      aria: { label: `${word("desk-cancel")}: ${table.title}` },
      data: { act: "cancel" },
    }),
  );
  button.addEventListener("click", () => askToCancel(desk, table));
  return button;
}

async function askToCancel(desk, table) {
  const { api } = desk;
  const planned = await attempt(() => api.cancelling(table.id));
  if (planned === null) return;
  const title = worded("desk-cancel-title", { GAME: table.title });
  if (planned.why) {
    const body = [make("p", { textContent: planned.why })];
    askFirst({ title, body, go: word("desk-understood") }, async () => undefined);
    return;
  }
  const shown = make("div", { className: "desk-stack" }, ...consequences(planned));
  let known = planned;
  askFirst(
    { title, body: [shown], go: word("desk-cancel-go"), reason: true, danger: true },
    async (reason) => {
      const present = await attempt(() => api.cancelling(table.id));
      if (present === null) return word("desk-cancel-over");
      if (JSON.stringify(present) !== JSON.stringify(known)) {
        known = present;
        shown.replaceChildren(...consequences(present));
        return word("desk-cancel-changed");
      }
      const line = `${table.game}${reason ? ` -- ${reason}` : ""}`;
      await act(api, "cancel", line, {
        table: table.id,
        done: worded("desk-cancelled", { GAME: table.title }),
      });
      return undefined;
    },
  );
}

function consequences({ refunds, foregone }) {
  const rows = refunds.map(({ name, credits, points, house }) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, house ? text("span", "desk-house") : nameTag(name)),
      make("td", { textContent: number(credits) }),
      make("td", { textContent: points ? worded("desk-cancel-points", { COUNT: number(points) }) : "" }),
    ),
  );
  const back = make(
    "div",
    { className: "desk-differences", tabIndex: 0, role: "region", aria: { label: word("desk-cancel-back") } },
    make("table", {}, make("tbody", {}, ...rows)),
  );
  const lost = foregone.map(({ name, credits }) =>
    make("li", {}, nameTag(name), ` ${credits < 0 ? "−" : "+"}${number(Math.abs(credits))}`),
  );
  return [
    text("p", rows.length ? "desk-cancel-does" : "desk-cancel-empty"),
    ...(rows.length ? [back] : []),
    ...(lost.length
      ? [text("p", "desk-cancel-foregone"), make("ul", { className: "desk-players" }, ...lost)]
      : []),
    text("p", "desk-cancel-final", { className: "desk-soft" }),
  ];
}
