// The overlay of a stream: its secret address, how it looks over a scene, and a sample.

import { make } from "../dom.js";
import { word } from "../words.js";
import { askFirst } from "./asking.js";
import { button, chooser, covered } from "./controls.js";
import { attempt, choice, tell, text } from "./telling.js";

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
  const secret = covered(() => (told ? whole() : null), {
    testid: "overlay-address",
    show: "desk-overlay-show",
    hide: "desk-overlay-hide",
    copy: "desk-overlay-copy",
    copied: "desk-overlay-copied",
  });
  const renew = button("desk-overlay-renew", "danger", askToRenew);
  const at = chooser("desk-overlay-at", PLACES.map((each) => [each, choice(each)]));
  const size = chooser("desk-overlay-size", SIZES.map((each) => [each, choice(each)]));
  const frame = make("iframe", { className: "desk-scene-frame", title: word("desk-overlay-preview") });
  const sample = button("desk-overlay-sample", "", () => play("/overlay/sample", { language: document.documentElement.lang }));
  const live = button("desk-overlay-live", "", () => told && play(told.path));
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
      secret.code,
      make("div", { className: "desk-row" }, ...secret.buttons, renew),
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
      secret.draw();
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
    secret.draw();
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
