// Draws the table that matters most above the others, as the overlay of a stream draws it.

import { find, make, setText } from "./dom.js";
import { finishOf } from "./finish.js";
import { openFeed } from "./overlay/connection.js";
import { createDirector } from "./overlay/director.js";
import { createSounds } from "./overlay/sound.js";
import { createStore } from "./overlay/store.js";
import { dress } from "./sheets.js";
import { word } from "./words.js";

const SHEETS = ["overlay/overlay.css", "overlay/things.css", "overlay/heist.css", "overlay/cards.css", "drawn.css"];
const THEMES = ["bank", "space"];
const HEADED = new Set(["gathering", "play", "beat"]); // moments that show the title and the clock
const SKIPPED = new Set(["reveal", "outcome"]);
const LAST = new Set(["winner", "off"]); // moments after everything has been revealed
const NARROW = 520; // pixels of width below which texts are drawn larger
const LARGEST = 1.15;

/**
 * `isOwn(id)` tells the table of the viewer who speaks that comes first, `credits()` is what they have in words, and
 * `changed()` is called when the moment is another one, or something has happened.
 */
export function createDrawing({ isOwn, seat, credits, changed }) {
  const frame = find("drawing");
  const host = find("drawn");
  const skip = find("skip-reveal");
  const finish = find("finish");
  const place = make("div", { className: "place" });
  const store = createStore();
  const sounds = createSounds(false);
  let ended = ""; // the table and the seat whose finish is written
  /** @type {any} */
  let shown = null; // the table that is drawn

  // The drawings have styles of their own, whose names are not those of the page.
  const root = host.attachShadow({ mode: "open" });
  dress(root, SHEETS);
  root.append(place);

  const director = createDirector({
    place,
    store,
    themeOf: (told) => (THEMES.includes(told) ? told : THEMES[0]),
    size: null,
    sounds: sounds.play,
    announce: () => undefined, // what is said to everybody is in the chat already
    isOwn,
    isMine: (other) => other === seat(),
    stays: true,
    showing,
  });

  host.addEventListener("click", director.skip);
  skip.addEventListener("click", director.skip);
  const sizes = new ResizeObserver(() => {
    fit();
    changed(); // it may be out of sight now
  });
  for (const each of [place, frame]) sizes.observe(each);
  addEventListener("resize", fit);

  function open() {
    setText(skip, word("page-skip-reveal"));
    // Names are measured before they are drawn.
    for (const face of document.fonts) face.load().catch(() => undefined);
    const feed = openFeed("/socket/events", (event) => {
      if (!store.hear(event)) return feed.send({ picture: true });
      director.update();
      changed(); // who has come has a colour now
      return undefined;
    });
  }

  function showing(moment, table) {
    shown = table;
    frame.dataset.moment = moment ?? "";
    frame.dataset.table = table?.id ?? "";
    const focused = document.activeElement === skip;
    skip.hidden = !SKIPPED.has(moment);
    // Whoever has skipped by the keyboard goes on where everything can be reached from.
    if (focused && skip.hidden) find("composer").focus();
    if (moment === "winner") write();
    else clear();
    fit();
    changed();
  }

  /** Say how a table has ended for the viewer who speaks, if they played there. */
  function write() {
    const now = `${shown.id} ${seat()}`;
    if (now === ended) return;
    ended = now;
    const said = finishOf(shown, seat(), store.label, credits());
    finish.dataset.kind = said?.kind ?? "";
    setText(finish, said?.text ?? "");
  }

  /** Follow what the page knows of tables, and who speaks. */
  function update() {
    director.update();
    if (frame.dataset.moment === "winner") write();
  }

  function clear() {
    ended = "";
    setText(finish, "");
  }

  /** Make the drawing as large as its frame; one that is empty takes no room. */
  function fit() {
    const width = place.offsetWidth;
    const most = Number.parseFloat(getComputedStyle(host).maxHeight);
    const room = host.clientWidth;
    host.toggleAttribute("data-narrow", room < NARROW);
    const ratio = width ? Math.min(room / width, most / place.offsetHeight, LARGEST) : 0;
    host.style.height = `${Math.floor(place.offsetHeight * ratio)}px`;
    place.style.transform = `translateX(${(room - width * ratio) / 2}px) scale(${ratio})`;
  }

  /** The moment that is drawn, if one sees a title and a clock there; "" otherwise. */
  const headed = () => (HEADED.has(frame.dataset.moment ?? "") && frame.getClientRects().length ? (frame.dataset.moment ?? "") : "");

  // Where the chat is what a phone shows, the drawing is not seen.
  const seen = () => document.body.dataset.look !== "chat" || !matchMedia("(max-width: 719px)").matches;
  const drawn = (id) => frame.dataset.table === id && seen();

  /** Whether a table is just being revealed, or will be at once because it is `over`, as the page knows already. */
  const awaited = (id, over) => drawn(id) && (SKIPPED.has(frame.dataset.moment ?? "") || (over && !LAST.has(frame.dataset.moment ?? "")));

  return { awaited, colours: director.colours, drawn, headed, open, table: () => frame.dataset.table ?? "", turnSound: sounds.turn, update };
}
