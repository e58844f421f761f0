// Which sections a desk has, for this room and this role.

import { word } from "../words.js";
import { groupSection } from "./group.js";

const PLAIN = ["room", "credits", "earning"]; // groups that are forms, besides those of games

/** What people call a group of settings. */
export const titleOf = (group) => (group.is_game ? group.title : word(`desk-group-${group.name}`));

/**
 * List the sections of a desk, each with what makes it.
 * @returns {{ id: string, part: string, title: string, make: () => any }[]}
 */
export function sectionsOf(desk) {
  const forms = (part, fits) =>
    desk.groups.filter(fits).map((group) => ({
      id: group.name,
      part,
      title: titleOf(group),
      make: () =>
        groupSection(
          desk,
          desk.groups.find(({ name }) => name === group.name),
        ),
    }));
  return [
    ...forms("games", ({ is_game: isGame }) => isGame),
    ...forms("room", ({ name }) => PLAIN.includes(name)),
  ];
}
