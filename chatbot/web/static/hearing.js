// The switch of the sounds of drawings: off unless somebody has asked for them, and remembered between visits.

import { find } from "./dom.js";
import { rememberSound, rememberedSound } from "./memory.js";

/** `turn(on)` switches the sounds, which can be heard only after a click or a key. */
export function createHearing(turn) {
  const button = find("sound");
  let on = rememberedSound();

  button.addEventListener("click", () => {
    on = !on;
    rememberSound(on);
    show();
    turn(on);
  });
  show();
  if (on) turn(true);
  // A browser keeps a page silent until it is used.
  if (on) for (const event of ["pointerdown", "keydown"]) addEventListener(event, () => on && turn(true), { once: true });

  function show() {
    button.setAttribute("aria-pressed", String(on));
  }
}
