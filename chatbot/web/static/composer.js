// The text field: sends or whispers what is typed, and recalls earlier lines with the arrow keys.

import { find, findField, setText, withoutDouble } from "./dom.js";
import { createSuggestions } from "./suggest.js";
import { hideToast } from "./toast.js";
import { word } from "./words.js";

const WHISPER = /^\/w\s+/;
const COMMAND = /^(?:\/w\s+)?[!\uff01]([a-z]+)/i; // an input method may write a fullwidth sign
const MOST_RECALLED = 50;

/**
 * `say(text, whisper)` returns whether the line was sent; one that was not stays in the field.
 * `speaker()` is the seat that speaks; `nothing()` is what Enter does in an empty field; `hidden()` lists the
 * commands to be whispered now; `suggested()` groups those that the speaker may use, the most likely first.
 */
export function createComposer({ say, speaker, nothing, hidden, suggested }) {
  const field = findField("composer");
  const toggle = find("whisper");
  const suggestions = createSuggestions(accept, suggested);
  const said = new Map();
  let recalled = 0;
  let draft = "";
  let forOneLine = false;
  let noticed = "";

  withoutDouble(find("send"));
  find("composer-form").addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  toggle.addEventListener("click", () => {
    setWhisper(!whispering(), false);
    field.focus();
  });
  field.addEventListener("input", () => {
    recalled = 0;
    suggestions.offer(field.value);
    notice();
    refresh();
  });
  field.addEventListener("keydown", press);
  field.addEventListener("blur", suggestions.close);

  function press(event) {
    // During a composition (IME), Enter and the arrows belong to the input method.
    if (event.isComposing) return;
    const used = suggestions.press(event) || recallWith(event.key) || (event.key === "Enter" && event.repeat);
    if (used) event.preventDefault();
  }

  function send() {
    const text = field.value.replace(WHISPER, "").trim();
    if (!text) return nothing();
    if (!say(text, whispering() || WHISPER.test(field.value))) return;
    keep(field.value);
    if (forOneLine) setWhisper(false, false);
    put("");
    hideToast();
  }

  function keep(text) {
    const lines = (said.get(speaker()) ?? []).filter((line) => line !== text);
    said.set(speaker(), [...lines, text].slice(-MOST_RECALLED));
    recalled = 0;
  }

  function recallWith(key) {
    const step = { ArrowUp: 1, ArrowDown: -1 }[key];
    const lines = said.get(speaker()) ?? [];
    // Arrows recall lines only from an empty field, and continue once they have begun.
    if (!step || (recalled === 0 && (step < 0 || field.value))) return false;
    if (recalled === 0) draft = field.value;
    recalled = Math.max(0, Math.min(lines.length, recalled + step));
    put(recalled ? lines[lines.length - recalled] : draft);
    return true;
  }

  function put(text) {
    field.value = text;
    field.setSelectionRange(text.length, text.length);
    suggestions.close();
    notice();
    refresh();
  }

  /** Whisper a command that is secret now, unless the user has chosen otherwise. */
  function notice() {
    const typed = COMMAND.exec(field.value)?.[1].toLowerCase() ?? "";
    const found = hidden().includes(typed) ? typed : "";
    if (found === noticed) return;
    if (found && !whispering()) setWhisper(true, true);
    else if (!found && forOneLine) setWhisper(false, false);
    noticed = found;
  }

  /** Put a command into the field; a secret one is whispered unless the user has chosen otherwise. */
  function accept(text, secret) {
    put(text);
    if (secret && !whispering()) setWhisper(true, true);
    suggestions.offer(text);
    field.focus();
  }

  const whispering = () => toggle.getAttribute("aria-pressed") === "true";

  function setWhisper(on, once) {
    toggle.setAttribute("aria-pressed", String(on));
    forOneLine = once;
    refresh();
  }

  /** Show what Enter does now. */
  function refresh() {
    const whispered = whispering() || WHISPER.test(field.value);
    find("composer-form").classList.toggle("whispered", whispered);
    setText(find("whispering"), whispered ? word("page-whispering") : "");
    field.placeholder = word(whispered ? "page-placeholder-whisper" : "page-placeholder");
  }

  return { focus: () => field.focus(), notice, refresh, setCommands: suggestions.setCommands };
}
