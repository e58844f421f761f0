// A payment to many at once: whom it reaches is shown before anybody is paid.

import { make, nameTag } from "../dom.js";
import { word } from "../words.js";
import { act, askFirst } from "./asking.js";
import { chooser, field } from "./controls.js";
import { attempt, text, worded } from "./telling.js";
import { number } from "./times.js";

const COMMANDS = { here: "granthere", regulars: "grantregulars", all: "creditssetall" };
const MOST_NAMES = 30;

/** Make the section of payments to many. */
export function payingSection(desk) {
  const { api } = desk;
  const possible = Object.keys(COMMANDS).filter((each) => desk.commands.has(COMMANDS[each]));
  const whom = chooser(
    "desk-paying-whom",
    possible.map((each) => [each, word(`desk-paying-${each}`)]),
  );
  const amount = field("desk-paying-amount", { required: true, maxLength: 20, placeholder: "50", id: "paying-amount" });
  const form = make(
    "form",
    { className: "desk-card", autocomplete: "off" },
    make("div", { className: "desk-fields" }, whom.node, amount.node),
    make(
      "div",
      { className: "desk-row" },
      make("button", { type: "submit", className: "button brand-button", textContent: word("desk-paying-go") }),
    ),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await ask(whom.select.value, amount.value());
  });
  return {
    node: make(
      "div",
      { className: "desk-section" },
      text("h2", "desk-paying"),
      text("p", "desk-paying-hint", { className: "desk-soft" }),
      form,
    ),
  };

  async function ask(crowd, each) {
    const asked = crowd === "all" ? everybody(each) : await some(crowd, each);
    if (asked === null) return;
    askFirst({ ...asked, reason: true }, async (reason) => {
      const line = crowd === "all" && reason ? `${each} -- ${reason}` : `${each} ${reason}`;
      if (await act(api, COMMANDS[crowd], line.trim())) amount.input.value = "";
      return undefined;
    });
  }

  function everybody(each) {
    return {
      title: worded("desk-paying-set-title", { AMOUNT: each }),
      body: [text("p", "desk-paying-set")],
      go: word("desk-paying-set-do"),
    };
  }

  async function some(crowd, each) {
    const reached = await attempt(() => api.crowd(crowd));
    if (reached === null) return null;
    const { count, names } = reached;
    const listed = names.slice(0, MOST_NAMES);
    const rest = count - listed.length;
    return {
      title: worded("desk-paying-title", { COUNT: number(count), AMOUNT: each }),
      body: [
        make(
          "p",
          { className: "desk-row", data: { testid: "reached" } },
          ...listed.map((name) => nameTag(name)),
          ...(rest > 0 ? [make("span", { textContent: worded("desk-paying-more", { COUNT: number(rest) }) })] : []),
        ),
      ],
      go: word("desk-paying-do"),
    };
  }
}
