// The overlay for streams: reads the query of its address, and connects events, state and drawing.

import { openFeed } from "./connection.js";
import { createDirector } from "./director.js";
import { createStage, followLeague } from "./league.js";
import { playLeague, playSample } from "./sample.js";
import { createSounds } from "./sound.js";
import { createStore } from "./store.js";

const WIDTH = 1_920;
const HEIGHT = 1_080;
const CORNERS = ["top-left", "top", "top-right", "left", "center", "right", "bottom-left", "bottom", "bottom-right"];
const SIZES = ["bar", "card", "stage"];
const THEMES = ["bank", "space"];

const query = new URLSearchParams(location.search);
const screen = /** @type {HTMLElement} */ (document.getElementById("screen"));
const announcement = /** @type {HTMLElement} */ (document.getElementById("announcement"));

/** Return the value of a query parameter if it is one of `choices`, and the first of them otherwise. */
function chosen(name, choices) {
  const value = query.get(name) ?? "";
  return choices.includes(value) ? value : choices[0];
}

/** Scale the drawing, which is made for 1920 × 1080 pixels, to the window. */
function fit() {
  const ratio = Math.min(innerWidth / WIDTH, innerHeight / HEIGHT);
  screen.style.width = `${innerWidth / ratio}px`;
  screen.style.height = `${innerHeight / ratio}px`;
  screen.style.transform = `scale(${ratio})`;
}

const wanted = Number(query.get("scale") ?? 1);
const place = document.createElement("div");
place.className = "place";
place.dataset.at = chosen("at", ["bottom-left", ...CORNERS]);
place.style.setProperty("--zoom", String(wanted >= 0.25 && wanted <= 3 ? wanted : 1));
screen.append(place);

/** Return the look that is asked for, or else the one of the theme in which the chat is told, as it names it. */
const themeOf = (told) => chosen("theme", THEMES.includes(told) ? [told, ...THEMES] : THEMES);

/** The path of this overlay, without a slash at its end. */
const path = location.pathname.replace(/\/$/, "");
const isSample = path === "/overlay/sample";

function announce(text) {
  announcement.textContent = text;
}

/** Show the games of the room. */
function showGames() {
  const store = createStore();
  const director = createDirector({
    place,
    store,
    themeOf,
    size: SIZES.find((each) => each === query.get("size")) ?? null,
    sounds: createSounds(query.get("sound") === "1").play,
    announce,
  });

  function hear(event) {
    if (!store.hear(event)) return feed.send({ picture: true });
    document.documentElement.lang = store.language;
    director.update();
    place.dataset.number = String(event.number); // of the last event that is drawn, for whoever looks for a fault
    return undefined;
  }

  const feed = isSample ? playSample(hear) : openFeed(`${path}/events`, hear, () => screen.remove());
}

/** Show the league: the running duel of a ladder of programs, and its ratings. */
function showLeague() {
  place.dataset.theme = themeOf("");
  const stage = createStage({ place, size: /** @type {"stage"} */ (chosen("size", ["stage", ...SIZES])), announce });
  if (isSample) playLeague(stage.hear);
  else followLeague({ stage, path: `${path}/league`, replaced: () => screen.remove() });
}

// Faces are loaded before there is anything to draw: the first table is not to wait for them.
const faces = Promise.allSettled([...document.fonts].map((face) => face.load()));
fit();
addEventListener("resize", fit);
// A league is there at once, and its names are measured.
if (query.get("show") === "league") faces.then(showLeague);
else showGames();
