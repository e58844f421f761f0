// Suggests commands while one is being typed, and lists them all on request.

import { find, findDialog, findField, icon, make } from "./dom.js";
import { word } from "./words.js";

const PREFIX = /^(\/w\s+)?!(\S*)$/;
const WITH_ARGUMENTS = /^(?:\/w\s+)?!(\S+)\s/;

/**
 * `accept(text, secret)` puts a command into the composer. `suggested()` groups the words of the commands that the
 * speaker may use, the likeliest first; where it tells nothing, all are suggested alike.
 */
export function createSuggestions(accept, suggested) {
  const field = findField("composer");
  const dialog = findDialog("commands");
  const box = find("suggestions");
  let commands = [];
  let offered = [];
  let index = 0;

  find("help").addEventListener("click", () => dialog.showModal());
  find("commands-close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());

  function setCommands(list) {
    commands = list;
    find("command-list").replaceChildren(...commands.map((command) => make("li", {}, listed(command))));
  }

  function listed(command) {
    const button = make("button", { type: "button", className: "command", data: { testid: "command" } }, ...describe(command));
    if (command.aliases.length) button.append(aliases(command));
    button.addEventListener("click", () => {
      dialog.close();
      accept(`!${command.word} `, command.secret);
    });
    return button;
  }

  /** Offer what fits the text so far: commands while the word is typed, then its own explanation beside the arguments. */
  function offer(text) {
    const typed = PREFIX.exec(text);
    const ranks = suggested() ?? [commands.map((command) => command.word)];
    offered = typed ? fitting(commands, typed[2].toLowerCase(), ranks) : [];
    index = 0;
    const explained = WITH_ARGUMENTS.exec(text);
    // A word may be one of a game and one of the house.
    const meant = explained ? fitting(commands, explained[1].toLowerCase(), ranks).filter((one) => named(one, explained[1].toLowerCase())) : [];
    show(meant.length ? meant.map(explanation) : offered.map(option));
  }

  function show(rows) {
    box.replaceChildren(...rows);
    box.hidden = rows.length === 0;
    // An explanation is no choice, so it makes a note of the list rather than a listbox.
    box.setAttribute("role", offered.length ? "listbox" : "note");
    field.setAttribute("aria-expanded", String(offered.length > 0));
    mark();
  }

  function option(command, position) {
    const row = make("li", { id: `suggestion-${position}`, className: "suggestion", data: { testid: "suggestion" } }, ...describe(command));
    row.setAttribute("role", "option");
    // A press would take the focus out of the text field before the click arrives.
    row.addEventListener("pointerdown", (event) => event.preventDefault());
    row.addEventListener("click", () => take(command));
    return row;
  }

  function mark() {
    if (!offered.length) return field.removeAttribute("aria-activedescendant");
    for (const [position, row] of [...box.children].entries()) row.setAttribute("aria-selected", String(position === index));
    field.setAttribute("aria-activedescendant", `suggestion-${index}`);
    box.children[index].scrollIntoView({ block: "nearest" });
  }

  function take(command) {
    const whispered = /^\/w\s+/.exec(field.value)?.[0] ?? "";
    accept(`${whispered}!${command.word} `, command.secret);
  }

  function close() {
    offered = [];
    show([]);
  }

  /** Use a key if it concerns the suggestions; true if it did. */
  function press(event) {
    if (!offered.length) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      index = (index + step + offered.length) % offered.length;
      mark();
    } else if (event.key === "Escape") close();
    else if (event.key === "Tab" && !event.shiftKey) take(offered[index]);
    else if (event.key === "Enter" && !complete()) take(offered[index]);
    else return false;
    return true;
  }

  // A command that is typed out, with nothing else chosen, is sent by Enter rather than completed once more.
  function complete() {
    const typed = PREFIX.exec(field.value)?.[2].toLowerCase();
    return index === 0 && commands.some((command) => named(command, typed));
  }

  return { close, offer, press, setCommands };
}

const named = (command, typed) => command.word === typed || command.aliases.includes(typed);

/**
 * The commands that begin as typed, by their place in `ranks`: but first those that are typed out, and of a rank
 * those whose own word begins so before those of which another name does.
 */
function fitting(commands, typed, ranks) {
  const begins = (name) => name.startsWith(typed);
  const place = (command) => ranks.findIndex((words) => words.includes(command.word));
  const key = (command) => [named(command, typed) ? 0 : 1, place(command), begins(command.word) ? 0 : 1];
  const all = commands.filter((command) => place(command) >= 0 && [command.word, ...command.aliases].some(begins));
  return all.sort((one, other) => compared(key(one), key(other)));
}

/** Compare two keys by the first of their numbers that differ. */
const compared = (one, other) => one.map((each, number) => each - other[number]).find(Boolean) ?? 0;

function describe(command) {
  const head = make("span", { className: "usage" }, make("code", { textContent: `!${command.word}` }));
  if (command.arguments) head.append(" ", make("span", { className: "arguments", textContent: command.arguments }));
  if (command.secret) head.append(" ", make("span", { className: "secret" }, icon("whisper"), word("page-secret")));
  return [head, make("span", { className: "help", textContent: command.help })];
}

function aliases(command) {
  const names = command.aliases.map((alias) => `!${alias}`).join(", ");
  return make("span", { className: "aliases" }, `${word("page-aliases")} `, make("span", { textContent: names }));
}

function explanation(command) {
  const row = make("li", { className: "suggestion explained" }, ...describe(command));
  row.setAttribute("role", "none");
  return row;
}
