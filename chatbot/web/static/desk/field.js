// One setting: its control, what it takes, what it would be by itself, and why a value is not possible.

import { make } from "../dom.js";
import { parts, sentence, word } from "../words.js";
import { choice, sentenceFor, worded } from "./telling.js";

const WAIT = 400; // milliseconds without a key after which a value is checked

/**
 * Make the row of a setting of a group. `check(key, value)` asks the server; `want(key, value)` notes a wish.
 * `barred` is why it cannot be changed here; empty: it can.
 */
export function createField(group, setting, { barred, isGame, check, want, wanted }) {
  const id = `set-${group}-${setting.key}`;
  const control = controlOf(setting, id);
  const wrong = make("p", { className: "desk-wrong", role: "alert", id: `${id}-wrong` });
  const mark = make("p", { className: "desk-mark" });
  const reset = make("button", { type: "button", className: "small", hidden: true });
  const takes = make("p", {
    className: "desk-soft",
    id: `${id}-takes`,
    textContent: isSwitch(setting) ? "" : sentence(setting.expected),
  });
  const title = make("span", { className: "desk-title", textContent: sentence(setting.help) });
  const label = make("label", { htmlFor: id }, title, " ", make("code", { textContent: setting.key }));
  const reason = barred
    ? [make("p", { className: "desk-barred", id: `${id}-barred`, textContent: barred })]
    : [];
  const node = make(
    "div",
    { className: "desk-field", data: { key: setting.key } },
    label,
    make("div", { className: "desk-control" }, control, mark, reset),
    takes,
    ...reason,
    wrong,
  );
  let now = setting;
  let base = setting.value; // the value of which whoever typed a wish knew
  let waiting = 0;
  let decided = 0;

  control.disabled = Boolean(barred);
  control.setAttribute("aria-describedby", `${id}-takes ${id}-wrong${barred ? ` ${id}-barred` : ""}`);
  control.addEventListener("change", () => decide(typedIn(control)));
  control.addEventListener("input", () => {
    clearTimeout(waiting); // so that who types sees the bar before they leave the field
    waiting = window.setTimeout(() => decide(typedIn(control)), WAIT);
  });
  control.addEventListener("keydown", (event) => {
    if (event instanceof KeyboardEvent && event.key === "Enter") decide(typedIn(control));
  });
  reset.addEventListener("click", () => {
    put(control, now.default);
    decide(null);
    control.focus();
  });

  async function decide(value) {
    base = now.value;
    clearTimeout(waiting);
    const mine = ++decided;
    wrong.replaceChildren();
    control.removeAttribute("aria-invalid");
    if (value === now.value) {
      settle(undefined);
      return;
    }
    try {
      const rows = await check(now.key, value);
      if (mine !== decided) return;
      const after = rows.find((each) => each.group === group && each.key === now.key);
      settle(after ? value : undefined);
    } catch (failure) {
      if (mine !== decided) return;
      settle(undefined);
      control.setAttribute("aria-invalid", "true");
      wrong.replaceChildren(...parts(sentenceFor(failure)));
    }
  }

  function settle(value) {
    want(now.key, value);
    draw(value);
  }

  function draw(value) {
    const drafted = value !== undefined;
    node.classList.toggle("drafted", drafted);
    node.classList.toggle("changed", now.is_changed);
    const told = isGame ? "desk-preset-says" : "desk-default-is";
    const marks = [];
    const meanwhile = drafted && base !== now.value;
    node.classList.toggle("meanwhile", meanwhile);
    if (meanwhile) {
      const values = { BEFORE: base || "–", NOW: now.value || "–", WISH: (value ?? now.default) || "–" };
      marks.push(worded("desk-meanwhile", values));
    } else if (drafted) marks.push(worded("desk-now", { VALUE: now.value || "–" }));
    if (now.is_changed) marks.push(worded(told, { VALUE: now.default || "–" }));
    mark.textContent = marks.join(" · ");
    reset.hidden = Boolean(barred) || (drafted ? value === null : !now.is_changed);
    reset.textContent = worded("desk-reset", { VALUE: now.default || "–" });
    reset.setAttribute("aria-label", `${reset.textContent}: ${now.key}`);
  }

  /** Show the setting as it is now; a wish that is not applied stays. */
  function show(present, wish) {
    now = present;
    if (wish === undefined) base = now.value;
    else if ((wish ?? now.default) === now.value) {
      wish = undefined; // somebody else has just done it
      want(now.key, undefined);
    }
    if (wish === undefined && document.activeElement !== control) put(control, now.value);
    draw(wish);
  }

  if (wanted !== undefined) put(control, wanted ?? setting.default);
  draw(wanted);
  return {
    node,
    show,
    key: setting.key,
    fits: (sought) => fits(setting, sought),
    changed: () => now.is_changed || node.classList.contains("drafted"),
  };
}

const isSwitch = ({ choices }) => choices.length === 2 && choices.includes("yes") && choices.includes("no");

function controlOf(setting, id) {
  if (isSwitch(setting)) {
    const node = make("input", {
      type: "checkbox",
      id,
      className: "desk-switch",
      checked: setting.value === "yes",
    });
    node.setAttribute("role", "switch");
    return node;
  }
  if (setting.choices.length) {
    const all = setting.choices.includes(setting.value)
      ? setting.choices
      : [setting.value, ...setting.choices];
    const options = all.map((each) => make("option", { value: each, textContent: choice(each) }));
    return make(
      "select",
      { id, className: "field", value: setting.value },
      ...options.map((each) => {
        each.selected = each.value === setting.value;
        return each;
      }),
    );
  }
  return make("input", {
    id,
    className: "field",
    value: setting.value,
    placeholder: setting.example,
    autocomplete: "off",
    spellcheck: false,
  });
}

function typedIn(control) {
  if (control.type === "checkbox") return control.checked ? "yes" : "no";
  return control.value.trim();
}

function put(control, value) {
  if (control.type === "checkbox") control.checked = value === "yes";
  else control.value = value;
}

const fits = ({ key, help }, sought) =>
  `${key} ${help} ${word(`desk-key-${key}`)}`.toLowerCase().includes(sought);
