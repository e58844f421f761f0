// Suggests commands while one is being typed, and lists them all on request.

import { find, findDialog, findField, icon, make } from "./dom.js";
import { sentence, word } from "./words.js";

// An input method may write a fullwidth sign.
const PREFIX = /^(\/w\s+)?[!\uff01](\S*)$/;
const WITH_ARGUMENTS = /^(?:\/w\s+)?[!\uff01](\S+)\s/;

/**
 * `accept(text, secret)` puts a command into the composer. `suggested()` groups the words of the commands that the
 * speaker may use, the most likely first; if it returns nothing, all commands are suggested.
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

  /** Suggest what fits the text: commands while the first word is typed, then the explanation of its arguments. */
  function offer(text) {
    const typed = PREFIX.exec(text);
    const ranks = suggested() ?? [commands.map((command) => command.word)];
    offered = typed ? fitting(commands, typed[2].toLowerCase(), ranks) : [];
    index = 0;
    const explained = WITH_ARGUMENTS.exec(text);
    // A game and the bot itself may have a command of the same word.
    const meant = explained ? fitting(commands, explained[1].toLowerCase(), ranks).filter((one) => named(one, explained[1].toLowerCase())) : [];
    show(meant.length ? meant.map(explanation) : offered.map(option));
  }

  function show(rows) {
    box.replaceChildren(...rows);
    box.hidden = rows.length === 0;
    // An explanation cannot be chosen, so the list is a note instead of a listbox.
    box.setAttribute("role", offered.length ? "listbox" : "note");
    field.setAttribute("aria-expanded", String(offered.length > 0));
    mark();
  }

  function option(command, position) {
    const row = make("li", { id: `suggestion-${position}`, className: "suggestion", data: { testid: "suggestion" } }, ...describe(command));
    row.setAttribute("role", "option");
    // Otherwise pressing the button would take the focus from the text field before the click.
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

  /** Handle a key if it concerns the suggestions; returns whether it did. */
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

  // If a command is typed in full and nothing else selected, Enter sends it instead of completing it.
  function complete() {
    const typed = PREFIX.exec(field.value)?.[2].toLowerCase();
    return index === 0 && commands.some((command) => named(command, typed));
  }

  return { close, offer, press, setCommands };
}

const named = (command, typed) => command.word === typed || command.aliases.includes(typed);

/**
 * Return the commands that begin with what is typed, by their rank in `ranks`; exact matches come first, and within
 * a rank those whose own word matches come before those with a matching alias.
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
  return [head, make("span", { className: "help", textContent: sentence(command.help) })];
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
