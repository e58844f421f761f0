// Finds a section, a setting or a command by a few letters, from wherever somebody is.

import { make } from "../dom.js";
import { sentence, word } from "../words.js";

const MOST = 8; // that are offered at once

/** @typedef {{ title: string, hint: string, go: () => void }} Goal */

/**
 * Make the field that finds goals; `goals()` lists all that there are now.
 * @param {() => Goal[]} goals
 */
export function createFinder(goals) {
  const input = make("input", {
    type: "search",
    id: "finder",
    className: "field",
    placeholder: word("desk-find"),
    title: word("desk-find-key"),
    autocomplete: "off",
    spellcheck: false,
    aria: { label: word("desk-find"), expanded: "false", controls: "found", autocomplete: "list", keyshortcuts: "/" },
  });
  input.setAttribute("role", "combobox");
  const list = make("ul", { id: "found", hidden: true, aria: { label: word("desk-find") } });
  list.setAttribute("role", "listbox");
  const node = make("div", { className: "desk-finder" }, input, list);
  /** @type {Goal[]} */
  let offered = [];
  let chosen = 0;

  input.addEventListener("input", offer);
  input.addEventListener("focus", offer);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      mark((chosen + (event.key === "ArrowDown" ? 1 : offered.length - 1)) % Math.max(offered.length, 1));
    } else if (event.key === "Enter" && !event.isComposing && offered.length) {
      event.preventDefault();
      take(offered[chosen]);
    } else if (event.key === "Escape") close();
  });

  function offer() {
    const sought = input.value.trim().toLowerCase();
    offered = sought ? best(goals(), sought) : [];
    list.replaceChildren(...offered.map(option));
    list.hidden = offered.length === 0;
    input.setAttribute("aria-expanded", String(offered.length > 0));
    mark(0);
  }

  function option(goal, at) {
    const row = make(
      "li",
      { id: `found-${at}` },
      make("span", { textContent: sentence(goal.title) }),
      make("small", { textContent: goal.hint }),
    );
    row.setAttribute("role", "option");
    row.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      take(goal);
    });
    return row;
  }

  function mark(at) {
    chosen = at;
    for (const [place, each] of [...list.children].entries()) each.setAttribute("aria-selected", String(place === at));
    if (offered.length) input.setAttribute("aria-activedescendant", `found-${at}`);
    else input.removeAttribute("aria-activedescendant");
  }

  function take(goal) {
    input.value = "";
    close();
    goal.go();
  }

  function close() {
    offered = [];
    list.hidden = true;
    list.replaceChildren();
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  return { node, focus: () => input.focus() };
}

/** The goals that are most like what is sought: first those that begin so, by their short name or title. */
function best(goals, sought) {
  const rank = ({ title, hint }) => {
    const names = hint.toLowerCase().split(/[\s·]+/);
    if (names.includes(sought) || title.toLowerCase() === sought) return 0;
    if (title.toLowerCase().startsWith(sought) || names.some((each) => each.startsWith(sought))) return 1;
    return sought.split(/\s+/).every((each) => `${title} ${hint}`.toLowerCase().includes(each)) ? 2 : 3;
  };
  return goals
    .map((goal, at) => ({ goal, at, rank: rank(goal) }))
    .filter((each) => each.rank < 3)
    .sort((one, other) => one.rank - other.rank || one.at - other.at)
    .slice(0, MOST)
    .map(({ goal }) => goal);
}

/** Whether somebody types into something, so that a letter is no shortcut. */
export const isTyping = (target) =>
  target instanceof Element && target.closest("input:not([type=checkbox]), textarea, select, dialog") !== null;
