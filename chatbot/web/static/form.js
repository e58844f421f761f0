// A form for a command with arguments, which makes a line from its fields.

import { make, setText, withoutDouble } from "./dom.js";
import { word } from "./words.js";

const AMOUNTS = [{ text: "25%", label: "" }, { text: "half", label: "page-stake-half" }, { text: "all", label: "page-stake-all" }];

let forms = 0;

/**
 * Make a form for `command`; `send(line)` sends the line and returns whether it was sent; `people` are suggested as members,
 * and `chips` offer amounts.
 */
export function createForm(command, send, { people = [], chips = true } = {}) {
  const usual = command.opens ? word("page-form-usual") : "";
  const fields = command.options.filter(({ answers }) => !answers || !command.opens).map((option) => buildField(option, usual, people, chips));
  const written = make("code", { className: "written", dir: "ltr", data: { testid: "form-line" } });
  const missing = make("p", { className: "form-error", data: { testid: "form-error" } });
  missing.setAttribute("role", "alert");
  const submit = withoutDouble(make("button", { type: "submit", className: "button brand-button", textContent: word("page-send"), data: { testid: "form-send" } }));
  const node = make("form", { className: "command-form", noValidate: true, autocomplete: "off", data: { testid: "command-form", word: command.word } });
  node.append(make("div", { className: "form-fields" }, ...fields.map(({ label }) => label)), make("div", { className: "form-end" }, submit, written), missing);

  const line = () => [`!${command.word}`, ...fields.map(({ option, input }) => argument(option, input.value)).filter(Boolean)].join(" ");
  const refresh = () => setText(written, line());
  node.addEventListener("input", () => {
    setText(missing, "");
    refresh();
  });
  node.addEventListener("submit", (event) => {
    event.preventDefault();
    // Values without a key are recognized by their position, so none may be omitted before another.
    const gap = fields.find(({ option, input }) => option.required && !input.value.trim());
    setText(missing, gap ? word("page-form-missing") : "");
    if (gap) gap.input.focus();
    else send(line());
  });
  refresh();
  return { node, focus: () => fields[0].input.focus() };
}

// Spaces would split a value into several; a member is recognized by the @.
function argument(option, value) {
  const text = value.trim();
  if (option.member) return text && `${option.key}@${text.replace(/^@\s*/, "")}`;
  return text && option.key + text.replace(/\s+/g, "_");
}

function buildField(option, usual, people, chips) {
  const id = `form-${++forms}`;
  const input = option.choices.length ? buildChoice(option, usual) : make("input", { type: "text", inputMode: option.whole ? "numeric" : "text", maxLength: 40 });
  const extras = option.amount && chips ? buildChips(input) : option.whole && input instanceof HTMLInputElement ? buildStepper(option, input) : [];
  Object.assign(input, { id, className: "field", required: option.required, enterKeyHint: "send" });
  input.dataset.testid = `field-${option.name}`;
  if (!option.required && input instanceof HTMLInputElement) input.placeholder = usual;
  const label = make("div", { className: "form-field" }, make("label", { htmlFor: id, textContent: option.label }), make("div", { className: "field-row" }, input, ...extras));
  if (option.member) label.append(offered(input, people));
  return { option, input, label };
}

// Amounts that need no typing; the one that is chosen can be taken back.
function buildChips(input) {
  const chips = AMOUNTS.map(({ text, label }) => {
    const chip = make("button", { type: "button", className: "stake-chip", textContent: label ? word(label) : text, data: { testid: "stake-chip", amount: text }, aria: { pressed: "false" } });
    chip.addEventListener("click", () => fill(input, input.value === text ? "" : text));
    return chip;
  });
  input.addEventListener("input", () => {
    for (const chip of chips) chip.setAttribute("aria-pressed", String(input.value === chip.dataset.amount));
  });
  return chips;
}

// Buttons that count a number down and up, within what the command takes.
function buildStepper({ least, most, label }, input) {
  const step = (by) => {
    const now = Number.parseInt(input.value, 10);
    const next = Number.isNaN(now) ? (by > 0 ? least ?? 0 : most ?? least ?? 0) : now + by;
    fill(input, String(Math.min(most ?? next, Math.max(least ?? next, next))));
  };
  return [-1, 1].map((by) => {
    const button = make("button", { type: "button", className: "step", textContent: by < 0 ? "\u2212" : "+", data: { testid: by < 0 ? "less" : "more" }, aria: { label: `${word(by < 0 ? "page-less" : "page-more")}: ${label}` } });
    button.addEventListener("click", () => step(by));
    return button;
  });
}

function fill(input, text) {
  input.value = text;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

// Suggested names; others can be typed.
function offered(input, people) {
  const list = make("datalist", { id: `${input.id}-names` }, ...people.map((name) => make("option", { value: name })));
  input.setAttribute("list", list.id);
  return list;
}

function buildChoice({ choices }, usual) {
  return make("select", {}, make("option", { value: "", textContent: usual }), ...choices.map((choice) => make("option", { value: choice, textContent: choice })));
}
