// Shows one short sentence above the composer for a while, such as why the server refused a line.

import { find, make, icon } from "./dom.js";
import { word } from "./words.js";

const LEAST_TIME = 5_000; // milliseconds
const TIME_PER_LETTER = 70;

let timer = null;

export function toast(text) {
  clearTimeout(timer);
  find("toast").replaceChildren(make("p", { textContent: text, dir: "auto" }), closeButton());
  timer = setTimeout(hideToast, LEAST_TIME + TIME_PER_LETTER * text.length);
}

export function hideToast() {
  clearTimeout(timer);
  find("toast").replaceChildren();
}

function closeButton() {
  const button = make("button", { type: "button", className: "tool", title: word("page-close"), aria: { label: word("page-close") } }, icon("close"));
  button.addEventListener("click", () => {
    hideToast();
    find("composer").focus();
  });
  return button;
}
