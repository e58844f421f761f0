// The overlay of a stream: its secret address, how it looks over a scene, and a sample.

import { make, withoutDouble } from "../dom.js";
import { word } from "../words.js";
import { askFirst } from "./asking.js";
import { attempt, tell, text } from "./telling.js";

const COVER = "•".repeat(24);
const PLACES = [
  "bottom-left",
  "bottom",
  "bottom-right",
  "left",
  "center",
  "right",
  "top-left",
  "top",
  "top-right",
];
const SIZES = ["stage", "card", "bar"];

/** Make the section of the overlay. */
export function overlaySection(desk) {
  const { api } = desk;
  let told = null;
  let shown = false;
  const address = make("code", { className: "desk-address", data: { testid: "overlay-address" }, textContent: COVER });
  const show = button("desk-overlay-show", () => {
    shown = !shown;
    draw();
  });
  const copy = button("desk-overlay-copy", async () => {
    if (told && (await copied(whole()))) tell(word("desk-overlay-copied"));
    else tell(word("desk-overlay-uncopied"), "refused");
  });
  copy.classList.add("brand-button");
  const renew = button("desk-overlay-renew", askToRenew);
  renew.classList.add("danger");
  const at = chooser("desk-overlay-at", PLACES);
  const size = chooser("desk-overlay-size", SIZES);
  const frame = make("iframe", { className: "desk-scene-frame", title: word("desk-overlay-preview") });
  const sample = button("desk-overlay-sample", () => play("/overlay/sample", { language: document.documentElement.lang }));
  const live = button("desk-overlay-live", () => told && play(told.path));
  // Without a page in it a frame is nothing that anybody could look at or read.
  const scene = make("div", { className: "desk-scene" }, make("span", { className: "desk-scene-camera" }));
  const node = make(
    "div",
    { className: "desk-section" },
    text("h2", "desk-section-overlay"),
    make(
      "section",
      { className: "desk-card" },
      text("h3", "desk-overlay-address"),
      text("p", "desk-overlay-hint", { className: "desk-soft" }),
      address,
      make("div", { className: "desk-row" }, copy, show, renew),
    ),
    make(
      "section",
      { className: "desk-card" },
      text("h3", "desk-overlay-preview"),
      make("div", { className: "desk-row" }, at.node, size.node),
      scene,
      make("div", { className: "desk-row" }, sample, live),
    ),
  );
  for (const each of [at.select, size.select])
    each.addEventListener("change", () => {
      draw();
      if (frame.src) play(new URL(frame.src).pathname, Object.fromEntries(kept()));
    });
  load();

  const kept = () => [...new URL(frame.src).searchParams].filter(([name]) => name === "language");
  const options = () => {
    const wanted = new URLSearchParams();
    if (at.select.value !== PLACES[0]) wanted.set("at", at.select.value);
    if (size.select.value !== SIZES[0]) wanted.set("size", size.select.value);
    return wanted;
  };
  const whole = () => {
    const query = options().toString();
    return told.address + (query ? `?${query}` : "");
  };

  async function load() {
    told = await attempt(api.overlay);
    draw();
  }

  function draw() {
    address.textContent = shown && told ? whole() : COVER;
    show.textContent = word(shown ? "desk-overlay-hide" : "desk-overlay-show");
    show.setAttribute("aria-pressed", String(shown));
  }

  function play(path, more = {}) {
    const query = new URLSearchParams([...options(), ...Object.entries(more)]);
    frame.src = `${path}?${query}`;
    if (!frame.isConnected) scene.append(frame);
  }

  function askToRenew() {
    askFirst(
      {
        title: word("desk-overlay-renew-title"),
        body: [text("p", "desk-overlay-renew-hint")],
        go: word("desk-overlay-renew"),
        reason: true,
        danger: true,
      },
      async (reason) => {
        const result = await attempt(() => api.use("overlay", `new${reason ? ` -- ${reason}` : ""}`));
        if (result === null) return word("desk-lost");
        if (!result.done) return result.answers.map((each) => each.text).join(" ");
        frame.removeAttribute("src");
        frame.remove();
        await load();
        tell(word("desk-overlay-renewed"));
        return undefined;
      },
    );
  }

  return { node };
}

function button(id, done) {
  const made = withoutDouble(make("button", { type: "button", className: "button", textContent: word(id) }));
  made.addEventListener("click", done);
  return made;
}

function chooser(id, values) {
  const select = make(
    "select",
    { className: "field", id },
    ...values.map((each) => make("option", { value: each, textContent: each })),
  );
  return { select, node: make("label", { className: "desk-labelled" }, text("span", id), select) };
}

async function copied(address) {
  try {
    await navigator.clipboard.writeText(address);
    return true;
  } catch {
    return false; // where there is no TLS, pages may not
  }
}
