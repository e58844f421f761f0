// Programs of the room: the tokens that they have, and the webhooks that tell them what happens.

import { make } from "../dom.js";
import { word } from "../words.js";
import { askFirst } from "./asking.js";
import { box, button, field, reveal } from "./controls.js";
import { attempt, tell, text, worded } from "./telling.js";
import { moment } from "./times.js";
import { webhooks } from "./webhooks.js";

const SCOPES = ["events", "read", "play", "give", "moderate", "own"];

/** Make the section of programs. */
export function programsSection(desk) {
  const hooks = webhooks(desk);
  const node = make(
    "div",
    { className: "desk-section" },
    text("h2", "desk-section-programs"),
    text("p", "desk-programs-hint", { className: "desk-soft" }),
    text("h3", "desk-tokens"),
    tokens(desk),
    text("h3", "desk-webhooks"),
    hooks,
  );
  return { node };
}

/** Make the list of tokens, with a form for another one. */
function tokens({ api }) {
  const list = make("div", { className: "desk-stack", data: { testid: "tokens" } });
  const made = make("div", { className: "desk-stack" });
  load();
  return make("div", { className: "desk-stack" }, list, made, maker());

  async function load() {
    const rows = await attempt(api.tokens);
    if (rows === null) return;
    list.replaceChildren(
      rows.length
        ? make("ul", { className: "desk-list-of" }, ...rows.map(row))
        : text("p", "desk-tokens-none", { className: "desk-soft" }),
    );
  }

  function row({ id, label, scopes, maker: by, created_at: created, used_at: used }) {
    const revoke = button("desk-tokens-revoke", "danger", () => askToRevoke(id, label));
    revoke.setAttribute("aria-label", `${revoke.textContent}: ${label}`);
    return make(
      "li",
      { className: "desk-item", data: { token: label } },
      make(
        "div",
        { className: "desk-grow" },
        make("strong", { dir: "auto", textContent: label }),
        make("p", { className: "desk-soft" }, worded("desk-tokens-made", { NAME: by }), " · ", moment(created)),
        make(
          "p",
          { className: "desk-soft" },
          ...(used ? [word("desk-tokens-used"), " ", moment(used)] : [word("desk-tokens-unused")]),
        ),
        make("p", { className: "desk-row" }, ...scopes.map((each) => make("span", { className: "desk-tag", textContent: each }))),
      ),
      revoke,
    );
  }

  function maker() {
    const label = field("desk-tokens-label", { required: true, maxLength: 50, placeholder: "OBS" });
    const scopes = SCOPES.map((each) => box(each, word(`desk-scope-${each}`), { checked: each === "events" || each === "read" }));
    const form = make(
      "form",
      { className: "desk-card", autocomplete: "off" },
      text("h4", "desk-tokens-new"),
      label.node,
      make(
        "fieldset",
        { className: "desk-stack" },
        text("legend", "desk-tokens-scopes"),
        ...scopes.map((each) => each.node),
      ),
      make(
        "div",
        { className: "desk-row" },
        make("button", { type: "submit", className: "button brand-button", textContent: word("desk-tokens-make") }),
      ),
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const chosen = scopes.filter(({ input }) => input.checked).map(({ name }) => name);
      const answer = await attempt(() => api.makeToken(label.value(), chosen));
      if (answer === null) return;
      label.input.value = "";
      reveal(made, answer.token, "token");
      await load();
    });
    return form;
  }

  function askToRevoke(id, label) {
    const body = [text("p", "desk-tokens-revoke-hint")];
    const title = worded("desk-tokens-revoke-title", { NAME: label });
    askFirst({ title, body, go: word("desk-tokens-revoke"), danger: true }, async () => {
      if ((await attempt(() => api.revokeToken(id))) === null) return word("desk-lost");
      made.replaceChildren();
      tell(word("desk-tokens-revoked"));
      await load();
      return undefined;
    });
  }
}
