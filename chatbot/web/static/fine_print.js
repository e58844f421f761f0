// Folds long technical lines, such as hashes, to one line of text, which can be unfolded.

import { make } from "./dom.js";
import { word } from "./words.js";

const STEPS = { ArrowUp: -1, ArrowDown: 1 };

/** Fold a line, so that screen readers do not read 64 digits unasked. */
export function fold(line, text) {
  line.setAttribute("aria-live", "off");
  line.title = text;
  line.append(make("button", { type: "button", className: "more", textContent: "…", aria: { label: word("page-fine-more"), expanded: "false" }, data: { testid: "more" } }));
}

/** Handle clicks and keys in the fine print of a `log`. */
export function createFinePrint(log) {
  const buttons = () => [...log.querySelectorAll(".line:not([hidden]) > .more")];

  log.addEventListener("click", (event) => unfold(event.target));
  log.addEventListener("keydown", walk);

  // A click anywhere unfolds, but only the button folds again, because a click may select text to be copied.
  function unfold(pressed) {
    const line = pressed.closest(".fine");
    if (!line || (line.classList.contains("unfolded") && !pressed.closest(".more"))) return;
    const unfolded = line.classList.toggle("unfolded");
    line.querySelector(".more").setAttribute("aria-expanded", String(unfolded));
    line.scrollIntoView({ block: "nearest" });
  }

  function walk(event) {
    const all = buttons();
    const next = all[all.indexOf(event.target) + STEPS[event.key]];
    if (!event.target.matches(".more") || !STEPS[event.key]) return;
    event.preventDefault();
    if (!next) return;
    rove(next);
    next.focus();
  }

  function rove(stop) {
    for (const each of log.querySelectorAll(".more")) each.tabIndex = each === stop ? 0 : -1;
  }

  /** Make only the newest line reachable by Tab; arrow keys move between the lines. */
  function refresh() {
    rove(buttons().at(-1));
  }

  return { refresh };
}
