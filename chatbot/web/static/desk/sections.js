// Which sections a desk has, for this room and this role.

import { word } from "../words.js";
import { auditSection } from "./audit.js";
import { groupSection } from "./group.js";
import { membersSection } from "./members.js";
import { mintedSection } from "./minted.js";
import { seasonsSection } from "./seasons.js";
import { tablesSection } from "./tables.js";

const PLAIN = ["room", "credits", "earning"]; // groups that are forms, besides those of games

/** What people call a group of settings. */
export const titleOf = (group) => (group.is_game ? group.title : word(`desk-group-${group.name}`));

/**
 * List the sections of a desk, each with what makes it, for what it is opened at: such as a member.
 * @returns {{ id: string, part: string, title: string, make: (at?: any) => any }[]}
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
  const now = (id, build) => ({ id, part: "now", title: word(`desk-${id}`), make: (at) => build(desk, at) });
  return [
    now("tables", tablesSection),
    now("members", membersSection),
    now("audit", auditSection),
    now("minted", mintedSection),
    now("seasons", seasonsSection),
    ...forms("games", ({ is_game: isGame }) => isGame),
    ...forms("room", ({ name }) => PLAIN.includes(name)),
  ];
}
