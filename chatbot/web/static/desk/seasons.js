// The seasons of games: when they end, who leads, and ending one now.

import { make, nameTag, withoutDouble } from "../dom.js";
import { word } from "../words.js";
import { act, askFirst } from "./asking.js";
import { sentenceFor, text, worded } from "./telling.js";
import { moment, number } from "./times.js";

const PLACES = 10;

/** Make the section of seasons. */
export function seasonsSection(desk) {
  const place = make("div", { className: "desk-stack" });
  const node = make(
    "div",
    { className: "desk-section" },
    text("h2", "desk-seasons"),
    text("p", "desk-seasons-hint", { className: "desk-soft" }),
    place,
  );
  let shown = "";
  place.replaceChildren(text("p", "desk-loading", { className: "desk-soft", role: "status" }));
  load();

  async function load() {
    try {
      const [seasons, top] = await Promise.all([desk.api.seasons(), desk.api.top({ count: PLACES })]);
      const now = JSON.stringify([seasons, top]);
      if (now === shown) return;
      shown = now;
      const focused = /** @type {HTMLElement | null} */ (place.querySelector(":focus"))?.dataset.game;
      const cards = seasons.map((each) => seasonCard(desk, each));
      const none = text("p", "desk-seasons-none", { className: "desk-soft desk-empty" });
      place.replaceChildren(...(cards.length ? cards : [none]), standings(desk, top));
      /** @type {HTMLElement | null} */ (place.querySelector(`[data-game="${focused}"]`))?.focus();
    } catch (failure) {
      const again = make("button", { type: "button", className: "button", textContent: word("desk-again") });
      again.addEventListener("click", load);
      const sentence = make("p", {
        className: "desk-wrong",
        role: "alert",
        textContent: sentenceFor(failure),
      });
      shown = "";
      place.replaceChildren(make("div", { className: "desk-row" }, sentence, again));
    }
  }

  return {
    node,
    changed: (what) => {
      if (what.audit || what.tables || what.settings) load();
    },
  };
}

function seasonCard(desk, season) {
  const title = make("h3", {
    textContent: worded("desk-season", { GAME: season.title, NUMBER: season.number }),
  });
  const since = make(
    "p",
    { className: "desk-soft" },
    word("desk-season-since"),
    " ",
    moment(season.started_at),
  );
  const last = season.last.length
    ? [
        text("h4", "desk-season-last"),
        places(season.last.map(({ place, name, credits }) => ({ place, name, amount: credits }))),
      ]
    : [];
  return make(
    "section",
    { className: "desk-card", data: { testid: `season-${season.game}` } },
    make("div", { className: "desk-row desk-spread" }, title, endButton(desk, season)),
    make("p", { dir: "auto", textContent: season.text }),
    since,
    ...last,
  );
}

function endButton(desk, season) {
  if (!desk.commands.has("seasonend")) return text("small", "desk-season-barred", { className: "desk-soft" });
  const button = withoutDouble(
    make("button", {
      type: "button",
      className: "button danger",
      textContent: word("desk-season-end"),
      aria: { label: `${word("desk-season-end")}: ${season.title}` },
      data: { game: season.game },
    }),
  );
  button.addEventListener("click", () => {
    const title = worded("desk-season-end-title", { GAME: season.title, NUMBER: season.number });
    const body = [text("p", "desk-season-end-does"), make("p", { dir: "auto", textContent: season.text })];
    askFirst({ title, body, go: word("desk-season-end"), reason: true, danger: true }, async (reason) => {
      await act(desk.api, "seasonend", `${season.game}${reason ? ` -- ${reason}` : ""}`);
      return undefined;
    });
  });
  return button;
}

function standings(desk, top) {
  const rows = top.map((each) => ({ ...each, opened: () => desk.open("members", { seat: each.seat }) }));
  const none = text("p", "desk-top-none", { className: "desk-soft" });
  return make(
    "section",
    { className: "desk-card" },
    text("h3", "desk-top"),
    rows.length ? places(rows) : none,
  );
}

function places(rows) {
  return make(
    "ol",
    { className: "desk-places" },
    ...rows.map(({ place, name, amount, opened }) => {
      const open = opened && make("button", { type: "button", className: "desk-name" }, nameTag(name));
      open?.addEventListener("click", opened);
      return make(
        "li",
        {},
        make("span", { className: "desk-soft", textContent: `${place}.` }),
        open ?? nameTag(name),
        make("strong", { textContent: number(amount) }),
      );
    }),
  );
}
