// Dialogs that say what will happen before it does, and what the chat asks to confirm.

import { make, nameTag, withoutDouble } from "../dom.js";
import { parts, word } from "../words.js";
import { attempt, tellResult, text } from "./telling.js";

const OWN = new Set(["confirm-ask", "confirm-own"]); // what whoever asked may confirm themselves
const ANOTHERS = "confirm-another";

/**
 * Ask in a dialog; `answer` is called with the reason that was given, and keeps it open by a sentence.
 * @param {{ title: string, body: Node[], go: string, reason?: boolean, danger?: boolean }} what
 * @param {(reason: string) => Promise<string | undefined>} answer
 */
export function askFirst({ title, body, go, reason = false, danger = false }, answer) {
  const dialog = make("dialog", { className: "desk-dialog" });
  const why = make("input", { className: "field", id: "why", maxLength: 150, autocomplete: "off" });
  const label = make("label", { className: "desk-stack" }, text("span", "desk-why"), why);
  const wrong = make("p", { className: "desk-wrong", role: "alert" });
  const apply = withoutDouble(
    make("button", {
      type: "submit",
      className: danger ? "button danger" : "button brand-button",
      textContent: go,
      data: { testid: "go" },
    }),
  );
  const back = make("button", { type: "button", className: "button", textContent: word("desk-back") });
  const heading = make("h2", { id: "asking", textContent: title });
  const form = make(
    "form",
    { method: "dialog", className: "desk-stack" },
    heading,
    ...body,
    ...(reason ? [label] : []),
    wrong,
    make("div", { className: "desk-row" }, apply, back),
  );
  back.addEventListener("click", () => dialog.close());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    apply.disabled = true;
    const trouble = await answer(why.value.trim());
    apply.disabled = false;
    if (trouble === undefined) dialog.close();
    else wrong.replaceChildren(...parts(trouble));
  });
  dialog.addEventListener("close", () => dialog.remove());
  dialog.setAttribute("aria-labelledby", "asking");
  dialog.append(form);
  document.body.append(dialog);
  dialog.showModal();
  (reason ? why : apply).focus();
}

/** List differences as before and after: of settings, or of what members have where these have a `name`. */
export function differences(rows) {
  const of = rows.every(({ name }) => name !== undefined) ? "desk-member" : "desk-key";
  const head = make(
    "tr",
    {},
    ...[of, "desk-before", "desk-after"].map((id) => text("th", id, { scope: "col" })),
  );
  const body = rows.map(({ group, key, name, before, after }) =>
    make(
      "tr",
      {},
      make(
        "th",
        { scope: "row" },
        name === undefined ? make("code", { textContent: key }) : nameTag(name),
        ...(group ? [" ", make("small", { textContent: group })] : []),
      ),
      make("td", { className: "desk-old", textContent: before || "–" }),
      make("td", { className: "desk-new", textContent: after || "–" }),
    ),
  );
  const table = make("table", {}, make("thead", {}, head), make("tbody", {}, ...body));
  return make(
    "div",
    { className: "desk-differences", tabIndex: 0, role: "region", aria: { label: word("desk-changes") } },
    table,
  );
}

/**
 * Use a command of a room, tell its answers, and ask on where the chat wants it confirmed.
 * `agreed`: whoever asked has seen already what a confirmation would say. `done` is told where the chat has
 * nothing to answer. `members` and `table` are those that the line means.
 * Returns whether it was done now.
 * @param {any} api
 * @param {string} name
 * @param {string} line
 * @param {{ agreed?: boolean, done?: string, members?: string[], table?: string | null }} [how]
 */
export async function act(api, name, line, { agreed = false, done = "", ...named } = {}) {
  const result = await attempt(() => api.use(name, line, named));
  if (result === null) return false;
  const question = result.answers.find(({ id }) => OWN.has(id) || id === ANOTHERS);
  if (!question) return tellResult(result, done);
  if (agreed && question.id === "confirm-ask") return act(api, "confirm", "");
  if (question.id === ANOTHERS) {
    askFirst(
      {
        title: word("desk-another"),
        body: [said(question.text), text("p", "desk-another-how")],
        go: word("desk-understood"),
      },
      async () => undefined,
    );
    return false;
  }
  askFirst(
    { title: word("desk-confirm"), body: [said(question.text)], go: word("desk-confirm-go") },
    async () => {
      const confirmed = await attempt(() => api.use("confirm"));
      if (confirmed === null) return word("desk-lost");
      if (!confirmed.done) return confirmed.answers.map((each) => each.text).join(" ");
      tellResult(confirmed);
      return undefined;
    },
  );
  return false;
}

const said = (sentence) => make("p", { dir: "auto" }, ...parts(sentence));
