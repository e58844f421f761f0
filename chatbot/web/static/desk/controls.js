// Controls that several sections are made of.

import { make, withoutDouble } from "../dom.js";
import { word } from "../words.js";
import { tell, text } from "./telling.js";

const COVER = "•".repeat(24);

/** Make a button that does something once at a time; `kind` is the class of how it looks, such as `danger`. */
export function button(id, kind, done) {
  const made = withoutDouble(
    make("button", { type: "button", className: `button ${kind}`.trim(), textContent: word(id) }),
  );
  made.addEventListener("click", done);
  return made;
}

/** Make a labelled field for a line of text. */
export function field(id, properties) {
  const input = make("input", { className: "field", autocomplete: "off", ...properties });
  const node = make("label", { className: "desk-labelled" }, text("span", id), input);
  return { node, input, value: () => input.value.trim() };
}

/** Make a labelled list of which one is chosen, from pairs of a value and what it is called. */
export function chooser(id, values) {
  const select = make(
    "select",
    { className: "field", id },
    ...values.map(([value, title]) => make("option", { value, textContent: title })),
  );
  return { select, node: make("label", { className: "desk-labelled" }, text("span", id), select) };
}

/** Make a box to tick; `name` is what stands for it in the program. */
export function box(name, title, { checked = false } = {}) {
  const input = make("input", { type: "checkbox", checked, value: name });
  const node = make("label", { className: "desk-row desk-box-label" }, input, make("span", { textContent: title }));
  return { node, input, name };
}

/**
 * Make what covers a secret until it is shown, and copies it; the desk may be on a stream.
 * `secret` returns it, or null while there is none.
 * @param {() => string | null} secret
 * @param {{ testid: string, show: string, hide: string, copy: string, copied: string }} names
 */
export function covered(secret, names) {
  let shown = false;
  const code = make("code", { className: "desk-address", data: { testid: names.testid }, textContent: COVER });
  const show = button(names.show, "", () => {
    shown = !shown;
    draw();
  });
  const copy = button(names.copy, "brand-button", async () => {
    const present = secret();
    if (present !== null && (await copied(present))) tell(word(names.copied));
    else tell(word("desk-uncopied"), "refused");
  });

  function draw() {
    code.textContent = (shown ? secret() : null) ?? COVER;
    show.textContent = word(shown ? names.hide : names.show);
    show.setAttribute("aria-pressed", String(shown));
  }

  return { code, buttons: [copy, show], draw };
}

/** Show in a place what is told once: covered, to be copied, with a sentence that says so. */
export function reveal(place, secret, testid) {
  const cover = covered(() => secret, {
    testid,
    show: "desk-secret-show",
    hide: "desk-secret-hide",
    copy: "desk-secret-copy",
    copied: "desk-secret-copied",
  });
  const done = button("desk-secret-done", "", () => place.replaceChildren());
  place.replaceChildren(
    make(
      "div",
      { className: "desk-card", role: "status" },
      text("p", "desk-secret-once"),
      cover.code,
      make("div", { className: "desk-row" }, ...cover.buttons, done),
    ),
  );
  cover.draw();
  cover.buttons[0].focus();
}

async function copied(present) {
  try {
    await navigator.clipboard.writeText(present);
    return true;
  } catch {
    return false; // where there is no TLS, pages may not
  }
}
