// Presets as cards: what choosing one would change is shown before it is chosen.

import { make } from "../dom.js";
import { sentence, word } from "../words.js";
import { act, askFirst, differences } from "./asking.js";
import { attempt, text, worded } from "./telling.js";

/** Make the cards of a game's presets; `barred` is why none can be chosen here. */
export function presetCards(api, group, barred) {
  const cards = Object.entries(group.presets).map(([name, about]) => card(api, group, name, about, barred));
  return make(
    "section",
    { className: "desk-presets", aria: { label: word("desk-presets") } },
    text("h3", "desk-presets"),
    make("div", { className: "desk-cards" }, ...cards),
  );
}

function card(api, group, name, about, barred) {
  const chosen = group.preset === name;
  const look = make("button", {
    type: "button",
    className: "button",
    textContent: word(chosen ? "desk-preset-again" : "desk-preset-look"),
    aria: { label: `${word(chosen ? "desk-preset-again" : "desk-preset-look")}: ${name}` },
    data: { preset: name },
  });
  look.addEventListener("click", () => compare(api, group, name, barred));
  const heading = make(
    "h4",
    {},
    name,
    ...(chosen ? [" ", text("span", "desk-preset-chosen", { className: "desk-tag" })] : []),
  );
  return make(
    "article",
    { className: "desk-preset", data: { chosen: String(chosen) } },
    heading,
    make("p", { textContent: sentence(about) }),
    look,
  );
}

async function compare(api, group, name, barred) {
  const rows = await attempt(() => api.preset(group.name, name));
  if (rows === null) return;
  const settings = rows.filter(({ key }) => key !== "preset").map((each) => ({ ...each, group: "" }));
  const title = worded("desk-preset-title", { PRESET: name, GAME: group.title });
  if (!rows.length || barred) {
    const body = rows.length
      ? [differences(settings), make("p", { textContent: barred })]
      : [text("p", "desk-preset-same")];
    askFirst({ title, body, go: word("desk-understood") }, async () => undefined);
    return;
  }
  const hint = make("p", { textContent: worded("desk-preset-changes", { COUNT: settings.length }) });
  askFirst(
    { title, body: [hint, differences(settings)], go: word("desk-preset-choose"), reason: true },
    async (reason) => {
      await act(api, "preset", `${group.name} ${name}${reason ? ` -- ${reason}` : ""}`, { agreed: true });
      return undefined;
    },
  );
}
