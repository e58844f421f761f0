// Fine print, which is for whoever wants to check: a line of it stands on one line and unfolds on request.

import { make } from "./dom.js";
import { word } from "./words.js";

const STEPS = { ArrowUp: -1, ArrowDown: 1 };

/** Fold a line. Nobody wants 64 digits read aloud that they have not asked for; whoever goes there reads them. */
export function fold(line, text) {
  line.setAttribute("aria-live", "off");
  line.title = text;
  line.append(make("button", { type: "button", className: "more", textContent: "…", aria: { label: word("page-fine-more"), expanded: "false" }, data: { testid: "more" } }));
}

/** Answer to presses and keys in the fine print of a `log`. */
export function createFinePrint(log) {
  const buttons = () => [...log.querySelectorAll(".line:not([hidden]) > .more")];

  log.addEventListener("click", (event) => unfold(event.target));
  log.addEventListener("keydown", walk);

  // A press anywhere unfolds; only the button folds again, for whoever marks a part of the text wants to copy it.
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

  /** Make one stop of the Tab key of it all, the newest; the arrows go on from there. */
  function refresh() {
    rove(buttons().at(-1));
  }

  return { refresh };
}
