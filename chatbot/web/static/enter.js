// Uses up the link of the address when the button is pressed, and goes on to what it opens.

import { find } from "./dom.js";
import { parts, speak, word } from "./words.js";

const link = location.pathname.split("/").pop() ?? "";
const button = /** @type {HTMLButtonElement} */ (find("enter"));

button.addEventListener("click", async () => {
  button.disabled = true;
  const answer = await fetch("/enter", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ link }) }).catch(() => null);
  if (answer?.ok) {
    location.replace((await answer.json()).next);
    return;
  }
  button.disabled = answer !== null;
  find("trouble").replaceChildren(...parts(word(answer === null ? "enter-lost" : "enter-used")));
});

const { language, words } = await (await fetch(`/words/enter?browser=${navigator.language}`)).json();
speak(language, words);
button.focus();
