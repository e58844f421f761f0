// Shows the moves of the viewer who speaks as buttons, apart by what they risk, with an explanation of each.

import { allWithin, follow, icon, make, nameTag, setText, within, withoutDouble } from "./dom.js";
import { createForm } from "./form.js";
import { arrange, inRows } from "./rows.js";
import { sentence, word } from "./words.js";

const RISKS = ["stay", "safe", "bold"];
const FEW = 5; // moves that stand together, each with the colour of its risk; more of them have a heading for each risk
const LARGE = 3; // moves of one's turn that are drawn large

/**
 * The moves at one table. `say(text, whisper)` sends a line for it as the viewer who speaks; `commandOf(line)`
 * returns the command of a line.
 */
export function createMoves(say, commandOf) {
  const node = buildMoves();
  const groups = within(node, ".groups");
  const hint = within(node, ".move-hint");
  const explain = within(node, ".explain");
  const forms = within(node, ".move-forms");
  let shared = ""; // what is to be said of all moves alike, once

  explain.addEventListener("click", () => explained(explain.getAttribute("aria-pressed") !== "true"));
  for (const event of ["pointerover", "focusin"]) groups.addEventListener(event, ({ target }) => showHint(target instanceof Element ? target.closest(".action") : null));
  for (const event of ["pointerleave", "focusout"]) groups.addEventListener(event, () => showHint(null));

  // Buttons are kept when moves change, so that the focus stays while a move is read and made.
  function explained(on) {
    explain.setAttribute("aria-pressed", String(on));
    node.classList.toggle("explained", on);
    arrangeAll();
  }

  function showHint(button) {
    const shown = button ?? groups.querySelector(":focus-visible");
    setText(hint, shared || (shown?.title ?? word("page-move-hint")));
    hint.classList.toggle("idle", !shared && !shown);
  }

  /**
   * Show what `speaker` can do; hidden if there are no buttons and nothing is `chosen` by cards. `said` is a move that is
   * made by cards and has an explanation, and `join` the line of a command that takes any stake. A speaker who is `alone`
   * in the browser need not be named.
   */
  function show(speaker, buttons, { chosen, said, join }) {
    node.hidden = buttons.length === 0 && !chosen;
    if (speaker && node.dataset.seat !== speaker.seat) {
      node.dataset.seat = speaker.seat;
      within(node, "p").replaceChildren(...(speaker.alone ? [word("seat-your-move")] : [nameTag(speaker.name), " ", word("page-your-move")]));
    }
    setText(explain.lastElementChild, word("page-explain"));
    const all = said ? [...buttons, said] : buttons;
    // What a lone move does is said beside it: there is nothing to compare it with.
    explain.hidden = all.length < 2 || !all.some((button) => button.help);
    // The command that opens a table has an explanation of all that follows it, and none of leaving alone.
    const lone = all.length === 1 && opens(all[0].line);
    shared = all.length > 0 && !lone && all.every(({ help }) => help === all[0].help) ? sentence(all[0].help ?? "") : "";
    hint.hidden = all.length < 2 ? !shared : explain.hidden;
    node.classList.toggle("shared", Boolean(shared));
    // Explanations that the buttons already have as descriptions are not read a second time.
    hint.setAttribute("aria-hidden", String(!shared));
    follow(groups, grouped(buttons), ({ risk }) => risk, buildGroup, (group, lot) => updateGroup(group, lot, join));
    showHint(groups.querySelector(".action:hover"));
    showForms(speaker, buttons, said ? commandOf(said.line)?.word : "", join);
  }

  // A single move with options gets fields for them; several buttons of one command are the choice themselves.
  function showForms(speaker, buttons, handled, join) {
    const words = buttons.map(({ line }) => commandOf(line)?.word);
    const several = (line) => words.filter((each) => each === commandOf(line)?.word).length > 1;
    const joined = buttons.filter(({ line }) => line.startsWith(`${join} `)).slice(0, 1);
    const single = buttons.filter(({ line }) => !opens(line) && commandOf(line)?.options?.length && commandOf(line)?.word !== handled && !several(line));
    follow(forms, join ? joined : single, ({ line }) => `${speaker?.seat} ${commandOf(line).word}`, buildForm, () => {});
  }

  const opens = (line) => commandOf(line)?.opens;

  function buildForm({ line, secret }) {
    const command = commandOf(line);
    const send = (written) => say(written, secret);
    return opens(line) ? createForm({ ...command, options: command.options.filter(({ amount }) => amount).map((option) => ({ ...option, label: word("page-stake-other") })) }, send, { chips: false }).node : createForm(command, send).node;
  }

  function buildGroup() {
    return make("section", { className: "group" }, make("h4", {}), inRows(make("div", { className: "buttons" })));
  }

  function updateGroup(group, { risk, buttons, titled, large }, join) {
    const [head, row] = group.children;
    group.dataset.risk = risk;
    head.hidden = !titled;
    setText(head, titled ? word(`page-risk-${risk}`) : "");
    row.classList.toggle("large", large);
    row.classList.toggle("chips", Boolean(join));
    follow(row, buttons, (button) => `${button.line} ${button.secret}`, build, update);
  }

  /** @param {{ line: string, secret: boolean, label: string, help: string, risk: string | null }} button */
  function build({ line, secret }) {
    const button = withoutDouble(make("button", { type: "button", className: "button action", data: { testid: "table-button", line } }, make("span", {})));
    if (secret) button.append(icon("whisper", word("page-secret")));
    // The description of the button has this text already; it must not be part of its name as well.
    button.append(make("small", { className: "move-help", dir: "auto", aria: { hidden: "true" } }));
    button.addEventListener("click", () => say(line, secret));
    return button;
  }

  function update(button, { label, line, help, risk }) {
    setText(button.firstElementChild, label);
    setText(button.lastElementChild, shared ? "" : sentence(help ?? ""));
    button.dataset.risk = risk ?? "";
    // The title of a button that has a text of its own is its accessible description.
    button.title = shared ? line : sentence(help ?? line);
  }

  function arrangeAll() {
    for (const row of allWithin(groups, ".buttons")) arrange(row);
  }

  return { arrange: arrangeAll, node, show };
}

/** Divide moves by what they risk, if that needs headings; those without a risk come last. */
function grouped(buttons) {
  const risky = buttons.filter(({ risk }) => risk);
  const large = risky.length > 1 && risky.length <= LARGE;
  if (risky.length <= FEW) return buttons.length ? [{ risk: "", buttons, titled: false, large }] : [];
  const lots = [...RISKS, ""].map((risk) => ({ risk, buttons: buttons.filter((each) => (each.risk ?? "") === risk), titled: risk !== "", large: false }));
  return lots.filter((lot) => lot.buttons.length);
}

function buildMoves() {
  const mark = make("b", { textContent: "?", aria: { hidden: "true" } });
  const explain = make("button", { type: "button", className: "small explain", data: { testid: "explain-moves" }, aria: { pressed: "false" } }, mark, make("span", {}));
  const head = make("div", { className: "move-head" }, make("p", {}), explain);
  return make("div", { className: "actions", hidden: true }, head, make("div", { className: "groups" }), make("div", { className: "move-forms" }), make("p", { className: "move-hint", dir: "auto", aria: { hidden: "true" } }));
}
