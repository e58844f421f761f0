// Shows a moment of a table on the stage: as it came, from the moment before, or at once.

import { make } from "../dom.js";
import { createDirector } from "../overlay/director.js";
import { createStore } from "../overlay/store.js";
import { dress } from "../sheets.js";

const SHEETS = ["overlay/overlay.css", "overlay/things.css", "overlay/heist.css", "overlay/cards.css", "drawn.css"];
const THEMES = ["bank", "space"];
const NARROW = 520; // pixels of width below which texts are drawn larger
const LARGEST = 1.15;

/**
 * `replayed` is the document, and `mine(seat)` tells the seat as whom one looks.
 * @param {any} replayed
 * @param {(seat: string) => boolean} mine
 */
export function createReplayStage(replayed, mine) {
  const { frames, labels, language } = replayed;
  const host = make("div", { className: "replay-drawn", data: { testid: "stage" } });
  const node = make("div", { className: "replay-stage" }, host);
  const root = host.attachShadow({ mode: "open" });
  dress(root, SHEETS);
  let number = 0;
  let shown = -1;
  /** @type {any} */
  let stage = null; // { place, store, director }
  const sizes = new ResizeObserver(fit);
  sizes.observe(node);
  host.addEventListener("click", () => stage?.director.skip());

  function build() {
    const place = make("div", { className: "place" });
    if (stage) sizes.unobserve(stage.place);
    stage?.place.remove();
    root.append(place);
    sizes.observe(place);
    const store = createStore();
    const director = createDirector({
      place,
      store,
      themeOf: (told) => (THEMES.includes(told) ? told : THEMES[0]),
      size: null,
      sounds: () => undefined,
      announce: () => undefined, // what was said stands below
      isMine: mine,
      stays: true,
    });
    stage = { place, store, director };
  }

  function hear(event) {
    number += 1;
    stage.store.hear({ at: new Date().toISOString(), number, ...event });
  }

  function tell(frame) {
    for (const [about, message] of frame.said) hear({ kind: "told", table: frame.table.id, about, message });
    hear({ kind: "changed", table: frame.table });
    if (frame.voided) hear({ kind: "voided", table: frame.table.id });
  }

  /** Show the frame of a place; the one after that which is shown plays on, and others are there at once. */
  function show(at) {
    if (at === shown) return;
    if (at !== shown + 1 || !stage) jump(at);
    else tell(frames[at]);
    shown = at;
    stage.director.update();
    fit();
  }

  // What is over is only drawn of a table that was seen before.
  function jump(at) {
    build();
    number = 0;
    const start = at > 0 && frames[at].table.over ? at - 1 : at;
    stage.store.hear({ kind: "picture", at: new Date().toISOString(), number, labels, language, tables: [{ ...frames[start].table, over: false }] });
    if (start < at) stage.director.update();
    for (const frame of frames.slice(0, start + 1)) for (const [about, message] of frame.said) hear({ kind: "told", table: frame.table.id, about, message });
    for (const frame of frames.slice(start, at + 1)) tell(frame);
  }

  function fit() {
    if (!stage) return;
    const { place } = stage;
    const most = Number.parseFloat(getComputedStyle(host).maxHeight) || Number.POSITIVE_INFINITY;
    const room = host.clientWidth;
    host.toggleAttribute("data-narrow", room < NARROW);
    const ratio = place.offsetWidth ? Math.min(room / place.offsetWidth, most / place.offsetHeight, LARGEST) : 0;
    host.style.height = `${Math.floor(place.offsetHeight * ratio)}px`;
    place.style.transform = `translateX(${(room - place.offsetWidth * ratio) / 2}px) scale(${ratio})`;
  }

  /** Draw the moment again, as for somebody else who looks. */
  function again() {
    const at = shown;
    shown = -2;
    if (at >= 0) show(at);
  }

  return { node, show, again };
}
