// Holds the words that the server sent, and puts them wherever the page asks for one.

let words = {};

/** Take the words of a hello and fill every element that names one. */
export function speak(language, sent) {
  words = sent;
  document.documentElement.lang = language;
  fill("[data-word]", (node) => (node.textContent = word(node.dataset.word)));
  fill("[data-word-label]", label);
}

/** The word with this id; an id without a word shows itself, so that the gap is seen. */
export function word(id) {
  return words[id] ?? id;
}

function fill(selector, change) {
  document.querySelectorAll(selector).forEach(change);
}

// A button that is only an icon needs its name for a screen reader, and as a tip for the mouse.
function label(node) {
  node.setAttribute("aria-label", word(node.dataset.wordLabel));
  if (node.tagName === "BUTTON") node.title = word(node.dataset.wordLabel);
}
