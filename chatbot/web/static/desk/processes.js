// The processes that share the database, for whoever runs the program: what each does, and its signs of life.

import { make } from "../dom.js";
import { word } from "../words.js";
import { processes } from "./api.js";
import { attempt, text, worded } from "./telling.js";
import { number } from "./times.js";

const AGAIN = 5_000; // milliseconds between two looks
const HEARING = "hear-";

/** Make the section of processes, which looks again and again while it is open. */
export function processesSection() {
  const list = make("div", { className: "desk-stack", ariaBusy: "true", data: { testid: "processes" } });
  const node = make(
    "div",
    { className: "desk-section" },
    text("h2", "desk-section-processes"),
    text("p", "desk-processes-hint", { className: "desk-soft" }),
    list,
  );
  load();
  const looks = setInterval(() => (node.isConnected ? load() : clearInterval(looks)), AGAIN);
  return { node };

  async function load() {
    const answer = await attempt(processes);
    list.removeAttribute("aria-busy");
    if (answer === null) return;
    list.replaceChildren(
      ...(answer.free.length
        ? [
            make("p", {
              className: "desk-wrong",
              textContent: worded("desk-processes-free", { NAMES: answer.free.map(named).join(", ") }),
            }),
          ]
        : []),
      make("ul", { className: "desk-list-of" }, ...answer.processes.map(row)),
    );
  }
}

function row(each) {
  const states = [
    [each.is_alive ? "alive" : "silent", each.is_alive ? "now" : "off"],
    ...(each.leaves ? [["leaves", "off"]] : []),
    ...(each.serves ? [["serves", "now"]] : []),
  ];
  const facts = [
    worded("desk-processes-last", { SECONDS: number(each.seconds_silent) }),
    worded("desk-processes-homes", { COUNT: number(each.homes) }),
    worded("desk-processes-partitions", { COUNT: number(each.partitions) }),
    ...(each.waiting ? [worded("desk-processes-waiting", { COUNT: number(each.waiting) })] : []),
  ];
  return make(
    "li",
    { className: "desk-item", data: { process: each.label } },
    make(
      "div",
      { className: "desk-grow" },
      make("strong", { dir: "auto", textContent: each.label }),
      make(
        "p",
        { className: "desk-row" },
        ...states.map(([state, kind]) =>
          text("span", `desk-processes-${state}`, { className: "desk-tag", data: { kind } }),
        ),
      ),
      make("p", { className: "desk-soft", textContent: facts.join(" · ") }),
      ...(each.duties.length
        ? [make("p", { className: "desk-soft", textContent: each.duties.map(named).join(" · ") })]
        : []),
      ...(each.troubles.length
        ? [
            make("p", {
              className: "desk-wrong",
              textContent: worded("desk-processes-troubles", { REASONS: each.troubles.join("; ") }),
            }),
          ]
        : []),
    ),
  );
}

/** What people call something that is dealt out. */
function named(duty) {
  if (duty === "page" || duty === "upkeep") return word(`desk-processes-${duty}`);
  if (duty.startsWith(HEARING)) return worded("desk-processes-hears", { NAME: duty.slice(HEARING.length) });
  return duty;
}
