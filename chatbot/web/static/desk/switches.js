// What can be played: each game by a switch, and all of them only while the stream is on.

import { make } from "../dom.js";
import { settingField } from "./group.js";
import { text } from "./telling.js";

const ROOM = ["only_live"]; // settings of the room that belong here, too

/** Make the section of what can be played. */
export function switchesSection(desk) {
  const of = (name) => desk.groups.find((each) => each.name === name);
  const titleOf = (game) => of(game)?.title ?? game;
  const fields = [
    ...of("room").settings.filter(({ key }) => ROOM.includes(key)).map((each) => row("room", each, "")),
    ...of("games").settings.map((each) => row("games", each, titleOf(each.key))),
  ];
  const node = make(
    "div",
    { className: "desk-section" },
    text("h2", "desk-section-switches"),
    make("div", { className: "desk-form" }, ...fields.map(({ field }) => field.node)),
    text("p", "desk-switches-hint", { className: "desk-soft" }),
  );

  function row(group, setting, title) {
    return { group, field: settingField(desk, of(group), setting, title) };
  }

  function refresh(groups) {
    for (const { group, field } of fields) {
      const setting = groups.find(({ name }) => name === group)?.settings.find(({ key }) => key === field.key);
      if (setting) field.show(setting, desk.drafts.of(group, field.key));
    }
  }

  return { node, refresh };
}
