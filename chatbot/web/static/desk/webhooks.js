// Webhooks of the room: where events go, how it is going, and the secret of a new one.

import { make } from "../dom.js";
import { word } from "../words.js";
import { askFirst } from "./asking.js";
import { box, button, field, reveal } from "./controls.js";
import { attempt, tell, text, worded } from "./telling.js";
import { moment } from "./times.js";

const KINDS = ["opened", "told", "settled", "voided", "halted", "resumed"];
const USUAL = ["opened", "settled", "voided"];

/** Make the list of webhooks, with a form for another one. */
export function webhooks({ api }) {
  const list = make("div", { className: "desk-stack", data: { testid: "webhooks" } });
  const made = make("div", { className: "desk-stack" });
  load();
  return make("div", { className: "desk-stack" }, list, made, maker());

  async function load() {
    const rows = await attempt(api.webhooks);
    if (rows === null) return;
    list.replaceChildren(
      rows.length
        ? make("ul", { className: "desk-list-of" }, ...rows.map(row))
        : text("p", "desk-webhooks-none", { className: "desk-soft" }),
    );
  }

  function row(hook) {
    const { id, url, kinds, maker: by, created_at: created } = hook;
    const listed = make("div", { className: "desk-stack" });
    const look = button("desk-webhooks-look", "", () => showDeliveries(id, listed));
    const attemptIt = button("desk-webhooks-try", "", async () => {
      if ((await attempt(() => api.tryWebhook(id))) === null) return;
      tell(word("desk-webhooks-tried"));
      await showDeliveries(id, listed);
    });
    const enable = button("desk-webhooks-enable", "brand-button", async () => {
      if ((await attempt(() => api.enableWebhook(id))) === null) return;
      tell(word("desk-webhooks-enabled"));
      await load();
    });
    const remove = button("desk-webhooks-remove", "danger", () => askToRemove(id, url));
    for (const each of [look, attemptIt, enable, remove]) each.setAttribute("aria-label", `${each.textContent}: ${url}`);
    return make(
      "li",
      { className: "desk-item", data: { webhook: id } },
      make(
        "div",
        { className: "desk-grow" },
        make("code", { className: "desk-address", textContent: url }),
        make("p", { className: "desk-soft" }, worded("desk-tokens-made", { NAME: by }), " · ", moment(created)),
        make("p", {}, ...state(hook)),
        make("p", { className: "desk-row" }, ...kinds.map((each) => make("span", { className: "desk-tag", textContent: each }))),
      ),
      make("div", { className: "desk-row" }, ...(hook.disabled_at ? [enable] : [attemptIt]), look, remove),
      listed,
    );
  }

  function maker() {
    const url = field("desk-webhooks-url", { required: true, maxLength: 500, type: "url", placeholder: "https://example.com/hook" });
    const kinds = KINDS.map((each) => box(each, word(`desk-webhooks-${each}`), { checked: USUAL.includes(each) }));
    const form = make(
      "form",
      { className: "desk-card", autocomplete: "off" },
      text("h4", "desk-webhooks-new"),
      url.node,
      make("fieldset", { className: "desk-stack" }, text("legend", "desk-webhooks-kinds"), ...kinds.map((each) => each.node)),
      make(
        "div",
        { className: "desk-row" },
        make("button", { type: "submit", className: "button brand-button", textContent: word("desk-webhooks-make") }),
      ),
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const chosen = kinds.filter(({ input }) => input.checked).map(({ name }) => name);
      const answer = await attempt(() => api.makeWebhook(url.value(), chosen));
      if (answer === null) return;
      url.input.value = "";
      reveal(made, answer.secret, "webhook-secret");
      await load();
    });
    return form;
  }

  async function showDeliveries(id, listed) {
    const rows = await attempt(() => api.deliveries(id));
    if (rows === null) return;
    listed.replaceChildren(
      rows.length
        ? make("ul", { className: "desk-lines", data: { testid: "deliveries" } }, ...rows.map(deliveryRow))
        : text("p", "desk-webhooks-nothing", { className: "desk-soft" }),
    );
  }

  function askToRemove(id, url) {
    const body = [make("code", { className: "desk-address", textContent: url }), text("p", "desk-webhooks-remove-hint")];
    askFirst({ title: word("desk-webhooks-remove-title"), body, go: word("desk-webhooks-remove"), danger: true }, async () => {
      if ((await attempt(() => api.removeWebhook(id))) === null) return word("desk-lost");
      made.replaceChildren();
      tell(word("desk-webhooks-removed"));
      await load();
      return undefined;
    });
  }
}

function state({ disabled_at: disabled, failing_since: failing }) {
  if (disabled) return [word("desk-webhooks-off"), " ", moment(disabled)];
  return failing ? [word("desk-webhooks-failing"), " ", moment(failing)] : [word("desk-webhooks-works")];
}

function deliveryRow({ kind, created_at: created, attempts, next_at: next, delivered_at: delivered, status, fault }) {
  const became = delivered ? "desk-delivery-taken" : next ? "desk-delivery-waits" : "desk-delivery-lost";
  const why = [status, fault].filter((each) => each !== null).join(" ");
  return make(
    "li",
    {},
    `${kind} · ${worded(became, { COUNT: attempts })}${why ? ` (${why})` : ""} · `,
    moment(created),
  );
}
