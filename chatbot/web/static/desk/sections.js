// Which sections a desk has, for this room and this role.

import { word } from "../words.js";
import { accessSection } from "./access.js";
import { auditSection } from "./audit.js";
import { commandsSection } from "./commands.js";
import { aliasesSection, listsSection } from "./entries.js";
import { groupSection } from "./group.js";
import { importsSection } from "./imports.js";
import { membersSection } from "./members.js";
import { mintedSection } from "./minted.js";
import { overlaySection } from "./overlay.js";
import { payingSection } from "./paying.js";
import { processesSection } from "./processes.js";
import { programsSection } from "./programs.js";
import { rewardsSection } from "./rewards.js";
import { reaches } from "./roles.js";
import { seasonsSection } from "./seasons.js";
import { switchesSection } from "./switches.js";
import { tablesSection } from "./tables.js";
import { textsSection } from "./texts.js";
import { themesSection } from "./themes.js";

const PLAIN = ["room", "credits", "earning"]; // groups that are forms, besides those of games

/** What happens now and has happened, with the commands that it uses; everybody who keeps a room sees it. */
const NOW = [
  { id: "tables", commands: ["cancel", "pause", "unpause"], make: tablesSection },
  { id: "members", commands: ["grant", "take", "creditsset", "regular", "exclude"], make: membersSection },
  { id: "paying", commands: ["granthere", "grantregulars", "creditssetall"], make: payingSection },
  { id: "audit", commands: ["audit", "undo"], make: auditSection },
  { id: "minted", commands: ["auditmint"], make: mintedSection },
  { id: "seasons", commands: ["season", "seasonend"], make: seasonsSection },
];

/**
 * Sections of their own: in which part of the list they stand, which commands of the chat they use, and what
 * makes them. One that somebody may use none of is not shown to them; one that is of no command takes a role.
 * @type {{ id: string, part: string, commands: string[], least?: string, make: (desk: any) => any }[]}
 */
const OWN = [
  { id: "switches", part: "room", commands: ["enable", "disable"], make: switchesSection },
  { id: "access", part: "room", commands: ["cooldown", "permit"], make: accessSection },
  { id: "aliases", part: "room", commands: ["alias"], make: aliasesSection },
  { id: "lists", part: "room", commands: ["regular", "exclude"], make: listsSection },
  { id: "texts", part: "words", commands: ["text"], make: textsSection },
  { id: "themes", part: "words", commands: ["set"], make: themesSection },
  { id: "rewards", part: "stream", commands: ["rewards"], make: rewardsSection },
  { id: "overlay", part: "stream", commands: ["overlay"], make: overlaySection },
  { id: "imports", part: "room", commands: [], least: "broadcaster", make: importsSection },
  { id: "programs", part: "stream", commands: [], least: "broadcaster", make: programsSection },
];
const FORMS = { games: ["settings", "set", "preset"], room: ["settings", "set", "talk"] };

/** What people call a group of settings. */
export const titleOf = (group) => (group.is_game ? group.title : word(`desk-group-${group.name}`));

/**
 * List the sections of a desk, each with what makes it, for what it is opened at (such as a member), and the
 * commands of the chat that it uses.
 * @returns {{ id: string, part: string, title: string, commands: string[], make: (at?: any) => any }[]}
 */
export function sectionsOf(desk) {
  const forms = (part, fits) =>
    desk.groups.filter(fits).map((group) => ({
      id: group.name,
      part,
      title: titleOf(group),
      commands: FORMS[part],
      make: () =>
        groupSection(
          desk,
          desk.groups.find(({ name }) => name === group.name),
        ),
    }));
  const now = NOW.map((each) => ({ ...each, part: "now", title: word(`desk-${each.id}`), make: (at) => each.make(desk, at) }));
  const serves = ({ commands, least = "" }) =>
    least ? reaches(desk.room.role, least) : commands.some((name) => desk.commands.has(name));
  const own = (part) =>
    OWN.filter((each) => each.part === part && serves(each)).map((each) => ({
      ...each,
      title: word(`desk-section-${each.id}`),
      make: () => each.make(desk),
    }));
  const sections = [
    ...now,
    ...forms("games", ({ is_game: isGame }) => isGame),
    ...forms("room", ({ name }) => PLAIN.includes(name)),
    ...own("room"),
    ...own("words"),
    ...own("stream"),
  ];
  const places = Object.fromEntries(
    [...sections].reverse().flatMap((each) => each.commands.map((name) => [name, each])),
  );
  const all = {
    id: "commands",
    part: "all",
    title: word("desk-section-commands"),
    commands: [],
    make: () => commandsSection(desk, places, desk.open),
  };
  const processes = {
    id: "processes",
    part: "all",
    title: word("desk-section-processes"),
    commands: [],
    make: () => processesSection(),
  };
  return [...sections, all, ...(desk.me.kind === "operator" ? [processes] : [])];
}
