// Who somebody is here, and how to log out.

import { make } from "../dom.js";
import { word } from "../words.js";
import { leave } from "./api.js";
import { attempt, text, worded } from "./telling.js";

/** Make the section of the account; `left()` is called when nobody is logged in any more. */
export function accountSection(me, room, left) {
  const out = (id, everywhere) => {
    const button = make("button", { type: "button", className: "button", textContent: word(id) });
    button.addEventListener("click", async () => (await attempt(() => leave(everywhere))) && left());
    return button;
  };
  const who = room
    ? worded("desk-account-who", { NAME: me.name, ROLE: word(`desk-role-${room.role}`), ROOM: room.title })
    : me.name;
  // Only whoever runs the bot may set it up, and only on its own machine.
  const setUp = make("a", { href: "/setup", className: "button", textContent: word("desk-to-setup") });
  const everywhere = me.kind === "operator" ? [] : [out("desk-leave-everywhere", true)];
  const node = make(
    "div",
    { className: "desk-section" },
    text("h2", "desk-account"),
    make(
      "section",
      { className: "desk-card" },
      make("p", { textContent: who }),
      text("p", "desk-account-hint", { className: "desk-soft" }),
      make(
        "div",
        { className: "desk-row" },
        ...(me.kind === "operator" ? [setUp] : []),
        out("desk-leave", false),
        ...everywhere,
      ),
    ),
  );
  return { node };
}
