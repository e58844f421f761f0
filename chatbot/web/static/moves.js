// Shows the moves of the viewer who speaks as buttons, with an explanation of each.

import { follow, icon, make, nameTag, setText, within } from "./dom.js";
import { createForm } from "./form.js";
import { arrange, inRows } from "./rows.js";
import { word } from "./words.js";

/**
 * The moves at one table. `say(text, whisper)` sends a line for it as the viewer who speaks; `commandOf(line)`
 * returns the command of a line.
 */
export function createMoves(say, commandOf) {
  const node = buildMoves();
  const row = inRows(within(node, ".buttons"));
  const hint = within(node, ".move-hint");
  const explain = within(node, ".explain");
  const forms = within(node, ".move-forms");
  let shared = ""; // what is to be said of all moves alike, once

  explain.addEventListener("click", () => explained(explain.getAttribute("aria-pressed") !== "true"));
  for (const event of ["pointerover", "focusin"]) row.addEventListener(event, (it) => showHint(it.target.closest(".action")));
  for (const event of ["pointerleave", "focusout"]) row.addEventListener(event, () => showHint(null));

  // Buttons are kept when moves change, so that the focus stays while a move is read and made.
  function explained(on) {
    explain.setAttribute("aria-pressed", String(on));
    node.classList.toggle("explained", on);
    arrange(row);
  }

  function showHint(button) {
    const shown = button ?? row.querySelector(":focus-visible");
    setText(hint, shared || (shown?.title ?? word("page-move-hint")));
    hint.classList.toggle("idle", !shared && !shown);
  }

  /** Show what `speaker` can do; hidden if there are no buttons and nothing is `chosen` by picking cards. */
  function show(speaker, buttons, chosen = false) {
    node.hidden = buttons.length === 0 && !chosen;
    if (speaker && node.dataset.seat !== speaker.seat) {
      node.dataset.seat = speaker.seat;
      within(node, "p").replaceChildren(nameTag(speaker.name), " ", word("page-your-move"));
    }
    setText(explain.lastElementChild, word("page-explain"));
    explain.hidden = hint.hidden = !buttons.some((button) => button.help);
    shared = buttons.length > 1 && buttons.every(({ help }) => help === buttons[0].help) ? buttons[0].help ?? "" : "";
    node.classList.toggle("shared", Boolean(shared));
    // Explanations that the buttons already have as descriptions are not read a second time.
    hint.setAttribute("aria-hidden", String(!shared));
    follow(row, buttons, (button) => `${button.line} ${button.secret}`, build, update);
    showHint(row.querySelector(".action:hover"));
    // A single move with options gets fields for them; several buttons of one command are the choice themselves.
    const words = buttons.map(({ line }) => commandOf(line)?.word);
    const several = (line) => words.filter((each) => each === commandOf(line)?.word).length > 1;
    const asked = buttons.filter(({ line }) => !opens(line) && commandOf(line)?.options?.length && !several(line));
    follow(forms, asked, ({ line }) => `${speaker?.seat} ${commandOf(line).word}`, buildForm, () => {});
  }

  const opens = (line) => commandOf(line)?.opens;

  const buildForm = ({ line, secret }) => createForm(commandOf(line), (written) => say(written, secret)).node;

  /** @param {{ line: string, secret: boolean, label: string, help: string }} button */
  function build({ line, secret }) {
    const button = make("button", { type: "button", className: "button action", data: { testid: "table-button", line } }, make("span", {}));
    if (secret) button.append(icon("whisper", word("page-secret")));
    // The description of the button has this text already; it must not be part of its name as well.
    button.append(make("small", { className: "move-help", dir: "auto", aria: { hidden: "true" } }));
    // The second click of a double click is ignored: it could make another move.
    button.addEventListener("click", (event) => event.detail > 1 || say(line, secret));
    return button;
  }

  function update(button, { label, line, help }) {
    setText(button.firstElementChild, label);
    setText(button.lastElementChild, shared ? "" : help ?? "");
    // The title of a button that has a text of its own is its accessible description.
    button.title = shared ? line : help ?? line;
  }

  return { arrange: () => arrange(row), node, show };
}

function buildMoves() {
  const mark = make("b", { textContent: "?", aria: { hidden: "true" } });
  const explain = make("button", { type: "button", className: "small explain", data: { testid: "explain-moves" }, aria: { pressed: "false" } }, mark, make("span", {}));
  const head = make("div", { className: "move-head" }, make("p", {}), explain);
  return make("div", { className: "actions", hidden: true }, head, make("div", { className: "buttons" }), make("div", { className: "move-forms" }), make("p", { className: "move-hint", dir: "auto", aria: { hidden: "true" } }));
}
