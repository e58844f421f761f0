// Themes as cards with lines of each; what would be told otherwise is shown before one is chosen.

import { make } from "../dom.js";
import { word } from "../words.js";
import { act, askFirst } from "./asking.js";
import { barredFor } from "./group.js";
import { attempt, text, worded } from "./telling.js";

/** Make the section of themes. */
export function themesSection(desk) {
  const { api } = desk;
  const place = make("div", { className: "desk-stack" });
  const node = make(
    "div",
    { className: "desk-section" },
    text("h2", "desk-section-themes"),
    text("p", "desk-themes-hint", { className: "desk-soft" }),
    place,
  );
  load();

  async function load() {
    const games = await attempt(api.themes);
    if (games !== null) place.replaceChildren(...games.map((game) => themedGame(desk, game, load)));
  }

  return { node, changed: (what) => what.settings && load() };
}

function themedGame(desk, game, changed) {
  const group = desk.groups.find(({ name }) => name === game.game);
  const least = group.settings.find(({ key }) => key === "theme").role;
  const barred = barredFor(desk, least);
  const own = game.own.length
    ? [make("p", { className: "desk-soft", textContent: worded("desk-themes-own", { KEYS: game.own.join(", ") }) })]
    : [];
  const cards = game.themes.map((theme) => card(desk.api, game, theme, barred, changed));
  return make(
    "section",
    { className: "desk-stack", data: { game: game.game } },
    make("h3", { textContent: game.title }),
    ...own,
    make("div", { className: "desk-cards" }, ...cards),
  );
}

function card(api, game, theme, barred, changed) {
  const heading = make(
    "h4",
    {},
    theme.name,
    ...(theme.chosen ? [" ", text("span", "desk-preset-chosen", { className: "desk-tag" })] : []),
  );
  const lines = make(
    "ul",
    { className: "desk-lines" },
    ...theme.lines.map((each) => make("li", { dir: "auto", textContent: each })),
  );
  const choose = make("button", {
    type: "button",
    className: "button",
    textContent: word("desk-themes-look"),
    aria: { label: `${word("desk-themes-look")}: ${theme.name}` },
    data: { theme: theme.name },
    hidden: theme.chosen,
  });
  choose.addEventListener("click", () => compare(api, game, theme, barred, changed));
  return make("article", { className: "desk-preset", data: { chosen: String(theme.chosen) } }, heading, lines, choose);
}

function compare(api, game, theme, barred, changed) {
  const before = game.themes.find(({ chosen }) => chosen);
  const rows = theme.lines.map((after, at) =>
    make(
      "tr",
      {},
      make("td", { className: "desk-old", dir: "auto", textContent: before.lines[at] }),
      make("td", { className: "desk-new", dir: "auto", textContent: after }),
    ),
  );
  const head = make("tr", {}, ...["desk-before", "desk-after"].map((id) => text("th", id, { scope: "col" })));
  const table = make(
    "div",
    { className: "desk-differences", tabIndex: 0, role: "region", aria: { label: word("desk-changes") } },
    make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)),
  );
  const title = worded("desk-themes-title", { THEME: theme.name, GAME: game.title });
  if (barred) {
    const body = [table, make("p", { textContent: barred })];
    askFirst({ title, body, go: word("desk-understood") }, async () => undefined);
    return;
  }
  askFirst({ title, body: [table], go: word("desk-themes-choose"), reason: true }, async (reason) => {
    await act(api, "set", `${game.game} theme ${theme.name}${reason ? ` -- ${reason}` : ""}`, { agreed: true });
    await changed();
    return undefined;
  });
}
