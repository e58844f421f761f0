// Tells what became of something: in a line that screen readers hear, and in a box that goes by itself.

import { find, make, setText } from "../dom.js";
import { parts, word } from "../words.js";
import { Trouble } from "./api.js";

const LEAST_TIME = 6_000; // milliseconds
const TIME_PER_LETTER = 60;
const MOST_BOXES = 3;

/** Name a value that is chosen: by what it means, and as it is typed in the chat where that is another word. */
export function choice(value) {
  const id = `desk-choice-${value}`;
  const told = word(id);
  return told === id || told === value ? value : `${told} (${value})`;
}

/** Return a text with names in the place of the words in capital letters that stand for them. */
export function worded(id, given = {}) {
  const names = Object.keys(given);
  // At once: a member may be called as another part of the sentence is.
  return names.length ? word(id).replace(new RegExp(names.join("|"), "g"), (name) => String(given[name])) : word(id);
}

/** Make an element with a text. */
export const text = (tag, id, properties = {}) => make(tag, { textContent: word(id), ...properties });

/** Tell something for a while; `kind` is `done`, `refused` or `other`, which somebody else did. */
export function tell(said, kind = "done") {
  const close = make("button", { type: "button", className: "small", textContent: word("desk-close") });
  const box = make(
    "div",
    { className: "desk-box", data: { kind } },
    make("p", { dir: "auto" }, ...parts(said)),
    close,
  );
  const remove = () => box.remove();
  close.addEventListener("click", remove);
  const boxes = find("told");
  boxes.append(box);
  while (boxes.childElementCount > MOST_BOXES) boxes.firstElementChild?.remove();
  setTimeout(remove, LEAST_TIME + TIME_PER_LETTER * said.length);
  setText(find("announce"), said);
}

/** Tell the answers to a command, or else that it was `done`; returns whether it was done. */
export function tellResult(result, done = "") {
  const said =
    result.answers.map((each) => each.text).join("\n") ||
    (result.done ? done || word("desk-done") : word("desk-lost"));
  tell(said, result.done ? "done" : "refused");
  return result.done;
}

/** The sentence for a failure; whatever is no failure of the server is thrown on. */
export function sentenceFor(failure) {
  if (failure instanceof Trouble) return failure.message || word("desk-lost");
  throw failure;
}

/** Do something, and tell if the server cannot; returns null then. */
export async function attempt(work) {
  try {
    return await work();
  } catch (failure) {
    tell(sentenceFor(failure), "refused");
    return null;
  }
}
