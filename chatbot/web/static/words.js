// Holds the texts that the server sent, and puts them into the page.

import { make } from "./dom.js";

let words = {};

/** Store the texts of a hello, and fill every element that names one. */
export function speak(language, sent) {
  words = sent;
  document.documentElement.lang = language;
  fill("[data-word]", (node) => (node.textContent = word(node.dataset.word)));
  fill("[data-word-label]", label);
}

/** Say some texts otherwise from now on. */
export function reword(some) {
  words = { ...words, ...some };
}

/** Return the text with this id, or the id itself, so that a missing text is noticed. */
export function word(id) {
  return words[id] ?? id;
}

/** Return a text in parts, where commands, which stand between backticks, are elements. */
export function parts(text) {
  return text.split("`").map((part, at) => (at % 2 ? make("code", { textContent: part }) : part));
}

/** Write an explanation, such as that of a command, as a sentence of its own: it begins with a capital letter. */
export function sentence(text) {
  if (/\p{Script=Hangul}/u.test(text)) return text; // what it begins with in other letters is a word to type
  const [first = "", ...rest] = text;
  return first.toLocaleUpperCase(document.documentElement.lang) + rest.join("");
}

function fill(selector, change) {
  document.querySelectorAll(selector).forEach(change);
}

// A button with only an icon needs a name for screen readers, and a tooltip.
function label(node) {
  node.setAttribute("aria-label", word(node.dataset.wordLabel));
  if (node.tagName === "BUTTON") node.title = word(node.dataset.wordLabel);
}
