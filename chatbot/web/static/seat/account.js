// Shows whose seat this is, and ends it: whoever sees another name than their own must find the way out at once.

import { make } from "../dom.js";
import { word } from "../words.js";
import { leave } from "./api.js";
import { sentenceFor } from "./login.js";

/** Let `button` open a dialog about the account `me`; `left()` is called when this browser is nobody's seat. */
export function drawAccount(button, me, left) {
  button.onclick = () => show(me, left);
  button.setAttribute("aria-label", `${word("seat-account")}: ${me.name}`);
}

function show(me, left) {
  const trouble = make("p", { className: "seat-wrong", role: "alert" });
  const dialog = make("dialog", { className: "seat-dialog" });
  const ends = (id, everywhere, className) => {
    const button = make("button", { type: "button", className, textContent: word(id), data: { testid: id } });
    button.addEventListener("click", async () => {
      try {
        await leave(everywhere);
        dialog.close();
        left();
      } catch (failure) {
        trouble.textContent = sentenceFor(failure);
      }
    });
    return button;
  };
  const close = make("button", { type: "button", className: "button", textContent: word("seat-close") });
  close.addEventListener("click", () => dialog.close());
  const small = me.kind === "seat-by-code" ? [make("p", { textContent: word("seat-small") })] : [];
  const title = make("h2", { textContent: word("seat-you-are").replace("NAME", me.name) });
  dialog.append(title, ...small, make("p", { className: "seat-soft", textContent: word("seat-not-you") }), trouble, ends("seat-end", false, "button danger"), ends("seat-end-all", true, "button danger"), close);
  dialog.setAttribute("aria-label", word("seat-account"));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
