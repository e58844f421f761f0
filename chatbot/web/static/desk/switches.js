// What can be played: all games at once by a button, each by a switch, and only while the stream is on.

import { make, setText, withoutDouble } from "../dom.js";
import { word } from "../words.js";
import { act, askFirst } from "./asking.js";
import { settingField } from "./group.js";
import { text } from "./telling.js";

const ROOM = ["only_live"]; // settings of the room that belong here, too

/** Make the section of what can be played. */
export function switchesSection(desk) {
  const of = (name) => desk.groups.find((each) => each.name === name);
  const paused = () => of("room").settings.find(({ key }) => key === "paused").value === "yes";
  const titleOf = (game) => of(game)?.title ?? game;
  const state = make("p");
  const button = withoutDouble(make("button", { type: "button", className: "button" }));
  const fields = [
    ...of("room").settings.filter(({ key }) => ROOM.includes(key)).map((each) => row("room", each, "")),
    ...of("games").settings.map((each) => row("games", each, titleOf(each.key))),
  ];
  const node = make(
    "div",
    { className: "desk-section" },
    text("h2", "desk-section-switches"),
    make("section", { className: "desk-card" }, state, make("div", { className: "desk-row" }, button)),
    make("div", { className: "desk-form" }, ...fields.map(({ field }) => field.node)),
    text("p", "desk-switches-hint", { className: "desk-soft" }),
  );
  button.addEventListener("click", () => (paused() ? act(desk.api, "unpause", "") : ask()));
  draw();

  function row(group, setting, title) {
    return { group, field: settingField(desk, of(group), setting, title) };
  }

  function ask() {
    const body = [text("p", "desk-switches-pause-hint")];
    const title = word("desk-switches-pause");
    askFirst({ title, body, go: title, reason: true }, async (reason) => {
      await act(desk.api, "pause", reason ? `-- ${reason}` : "");
      return undefined;
    });
  }

  function draw() {
    setText(state, word(paused() ? "desk-switches-paused" : "desk-switches-going"));
    setText(button, word(paused() ? "desk-switches-go-on" : "desk-switches-pause"));
    button.classList.toggle("brand-button", paused());
  }

  function refresh(groups) {
    for (const { group, field } of fields) {
      const setting = groups.find(({ name }) => name === group)?.settings.find(({ key }) => key === field.key);
      if (setting) field.show(setting, desk.drafts.of(group, field.key));
    }
    draw();
  }

  return { node, refresh };
}
