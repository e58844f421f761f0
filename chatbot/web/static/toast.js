// Shows one short sentence above the composer for a while, such as why the server refused a line.

import { find, make, icon } from "./dom.js";
import { word } from "./words.js";

const LEAST_TIME = 5_000; // milliseconds
const TIME_PER_LETTER = 70;

let timer = null;

export function toast(text) {
  const close = closeButton();
  const focused = isFocused();
  clearTimeout(timer);
  find("toast").replaceChildren(make("p", { textContent: text, dir: "auto" }), close);
  if (focused) close.focus();
  timer = setTimeout(expire, LEAST_TIME + TIME_PER_LETTER * text.length);
}

export function hideToast() {
  const focused = isFocused();
  clearTimeout(timer);
  find("toast").replaceChildren();
  if (focused) find("composer").focus();
}

const isFocused = () => find("toast").contains(document.activeElement);

// Whoever is about to close it finds it there.
function expire() {
  if (isFocused()) timer = setTimeout(expire, LEAST_TIME);
  else hideToast();
}

function closeButton() {
  const button = make("button", { type: "button", className: "tool", title: word("page-close"), aria: { label: word("page-close") } }, icon("close"));
  button.addEventListener("click", () => {
    hideToast();
    find("composer").focus();
  });
  return button;
}
