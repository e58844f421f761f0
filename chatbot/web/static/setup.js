// Set up: draws a card for each platform, the overlay and phones, and does what their buttons say.

import { find, make, within } from "./dom.js";
import { parts, speak, word } from "./words.js";

const LOOK_AGAIN = 2_000; // milliseconds between two looks at what has become of a code or a connection
const TWITCH_APPLICATIONS = "https://dev.twitch.tv/console/apps";
const DISCORD_APPLICATIONS = "https://discord.com/developers/applications";

let csrf = "";
/** @type {Record<string, any>} */
let cards = {};
let drawn = "";

/** Ask the server for a change, and return why it was not done, or an empty text. */
async function act(card, action, given = {}) {
  const answer = await fetch(`/setup/${card}/${action}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Rabble-Csrf": csrf },
    body: JSON.stringify(given),
  }).catch(() => null);
  if (answer === null) return word("setup-lost");
  if (answer.status === 401 || answer.status === 403) {
    location.reload();
    return "";
  }
  const content = await answer.json().catch(() => ({}));
  if (!answer.ok) return content.error ?? word("setup-lost");
  cards = { ...cards, ...content.cards };
  draw();
  return "";
}

function text(tag, id, properties = {}) {
  return make(tag, { textContent: word(id), ...properties });
}

/** Make a card; `done` says whether its platform is connected, and is null where there is none. */
function card(name, title, done, ...children) {
  const state = done ? "done" : "open";
  const mark = make("span", { className: "setup-mark", data: { state }, textContent: word(done ? "setup-done" : "setup-open") });
  const heading = make("h2", {}, make("span", { textContent: word(title) }), ...(done === null ? [] : [mark]));
  return make("section", { className: "setup-card", id: `card-${name}`, data: { state } }, heading, ...children);
}

function outward(address, id) {
  return make("a", { href: address, target: "_blank", rel: "noreferrer noopener", textContent: word(id) });
}

/** Make a button that asks for a change with the texts of its card's fields, and shows why it was not done. */
function button(id, cardName, action, { fixed = {}, primary = false, busy = "" } = {}) {
  const node = /** @type {HTMLButtonElement} */ (text("button", id, { type: "button", className: primary ? "primary" : "" }));
  node.addEventListener("click", async () => {
    const place = find(`card-${cardName}`);
    const fields = Object.fromEntries([...place.querySelectorAll("input")].map((each) => [each.name, each.value]));
    node.disabled = true;
    if (busy) node.textContent = word(busy);
    const trouble = await act(cardName, action, { ...fields, ...fixed });
    node.disabled = false;
    if (busy) node.textContent = word(id);
    if (trouble) within(find(`card-${cardName}`), ".setup-trouble").replaceChildren(...parts(trouble));
  });
  return node;
}

function field(name, id, type = "text") {
  const input = make("input", { name, type, autocomplete: "off", spellcheck: false });
  input.addEventListener("keydown", ({ key }) => {
    if (key !== "Enter") return;
    const buttons = [...(input.closest(".setup-card")?.querySelectorAll("button") ?? [])];
    // That which follows the field.
    buttons.find((each) => input.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING)?.click();
  });
  return make("label", {}, make("span", { textContent: word(id) }), input);
}

const trouble = (said = "") => make("p", { className: "setup-trouble", role: "alert" }, ...parts(said));

function steps(...ids) {
  return make("ol", {}, ...ids.map((id) => text("li", id)));
}

/** Hide what only who changes something needs. */
const folded = (...children) => make("details", {}, text("summary", "setup-change"), ...children);

const twitchApplication = (primary) => [
  steps("setup-twitch-step-1", "setup-twitch-step-2", "setup-twitch-step-3"),
  make("p", {}, outward(TWITCH_APPLICATIONS, "setup-twitch-open")),
  field("client_id", "setup-twitch-id"),
  make("details", {}, text("summary", "setup-twitch-with-secret"), text("p", "setup-twitch-secret-hint"), field("client_secret", "setup-twitch-secret", "password")),
  make("div", { className: "setup-row" }, button("setup-check", "twitch", "application", { primary })),
];

function twitchCard(state) {
  const connected = Boolean(state.bot) && state.broadcasters.length > 0;
  const children = [];
  if (!state.application) children.push(text("p", "setup-twitch-hint"), ...twitchApplication(true));
  else if (state.code) {
    children.push(
      text("p", "setup-twitch-confirm"),
      make("div", { className: "setup-row" }, outward(state.code.address, "setup-twitch-activate"), button("setup-cancel", "twitch", "cancel")),
      // The address brings the code along. A stranger who reads it on a stream could confirm an account of theirs.
      make("details", {}, text("summary", "setup-twitch-code"), text("p", "setup-twitch-code-hint"), make("p", { className: "setup-code", textContent: state.code.code })),
    );
  } else {
    if (connected) children.push(make("p", { textContent: word("setup-twitch-connected").replace("BOT", () => state.bot).replace("CHANNELS", () => state.broadcasters.join(", ")) }));
    else children.push(text("p", "setup-twitch-press"));
    const both = button("setup-twitch-both", "twitch", "connect", { fixed: { purpose: "both" }, primary: !connected });
    const bot = button("setup-twitch-bot", "twitch", "connect", { fixed: { purpose: "bot" } });
    const more = connected ? ["points", "predictions", "announcements"].map((each) => button(`setup-twitch-${each}`, "twitch", "connect", { fixed: { purpose: each } })) : [];
    children.push(make("div", { className: "setup-row" }, both, bot, ...more));
    if (!state.fixed) children.push(folded(...twitchApplication(false)));
  }
  return card("twitch", "setup-twitch", connected && !state.code, ...children, trouble(state.trouble));
}

const discordToken = (primary) => [
  steps("setup-discord-step-1", "setup-discord-step-2", "setup-discord-step-3"),
  make("p", {}, outward(DISCORD_APPLICATIONS, "setup-discord-open")),
  field("token", "setup-discord-token", "password"),
  make("div", { className: "setup-row" }, button("setup-check", "discord", "connect", { primary })),
];

function discordCard(state) {
  const children = [];
  if (state.bot) {
    children.push(
      make("p", { textContent: word("setup-discord-known").replace("BOT", () => state.bot.name) }),
      text("p", state.bot.reads ? "setup-discord-reads" : "setup-discord-deaf"),
      make("div", { className: "setup-row" }, outward(state.bot.invitation, "setup-discord-invite")),
    );
  } else if (state.entered && (state.connected || !state.trouble)) children.push(text("p", state.connected ? "setup-discord-connected" : "setup-discord-entered"));
  if (!state.entered) children.push(text("p", "setup-discord-hint"), ...discordToken(true));
  else if (!state.fixed) children.push(folded(...discordToken(false)));
  return card("discord", "setup-discord", state.connected, ...children, trouble(state.trouble));
}

/** Make an address and the button that copies it; `what` tells buttons of the same text apart. */
function copied(address, what) {
  const copy = /** @type {HTMLButtonElement} */ (text("button", "setup-copy", { type: "button" }));
  copy.setAttribute("aria-label", `${word("setup-copy")}: ${what}`);
  const code = make("code", { className: "setup-address", textContent: address });
  copy.addEventListener("click", async () => {
    const done = await navigator.clipboard?.writeText(address).then(() => true, () => false);
    if (done) copy.textContent = word("setup-copied");
    else getSelection()?.selectAllChildren(code); // as in a dock of OBS, which lets no page copy
  });
  return [code, copy];
}

const WAYS = ["cloudflared", "tailscale", "network"];
const CLOUDFLARED = "https://developers.cloudflare.com/cloudflare-one/networks/connectors/cloudflare-tunnel/downloads/";

function phonesCard(state) {
  const children = [text("p", "setup-phones-hint")];
  const way = (name, primary) => button(`setup-phones-${name}`, "phones", "open", { fixed: { way: name }, primary, busy: "setup-phones-opening" });
  if (state.address) {
    children.push(
      make("img", { className: "setup-qr", src: `/setup/phones.svg?${encodeURIComponent(state.address)}`, alt: word("setup-phones-code") }),
      make("div", { className: "setup-row" }, ...copied(state.address, word("setup-phones"))),
    );
    if (!state.secure) children.push(text("p", "setup-phones-plain"));
  } else if (state.programs.length === 0) children.push(text("p", "setup-phones-none"), make("p", {}, outward(CLOUDFLARED, "setup-phones-get")));
  else children.push(text("p", "setup-phones-consent"));
  if (!state.fixed) {
    const ways = WAYS.filter((each) => (each === "network" || state.programs.includes(each)) && each !== state.choice);
    const close = state.choice ? [button("setup-phones-close", "phones", "close")] : [];
    children.push(make("div", { className: "setup-row" }, ...close, ...ways.map((each, place) => way(each, !state.choice && place === 0))));
  }
  return card("phones", "setup-phones", Boolean(state.address), ...children, trouble(state.trouble));
}

function overlayCard({ overlays }) {
  const rows = overlays.map(({ title, address }) => make("div", { className: "setup-row" }, make("b", { textContent: title }), ...copied(address, title)));
  const preview = make("div");
  const play = text("button", "setup-overlay-sample", { type: "button" });
  play.addEventListener("click", () => {
    const src = `/overlay/sample?at=center&language=${document.documentElement.lang}`;
    preview.replaceChildren(make("iframe", { className: "setup-preview", title: word("setup-overlay-preview"), src }));
  });
  return card("overlay", "setup-overlay", null, text("p", "setup-overlay-hint"), ...rows, make("div", { className: "setup-row" }, play), preview, trouble());
}

/** Draw what has changed, and leave what somebody is typing into. */
function draw() {
  const now = JSON.stringify(cards);
  if (now === drawn) return;
  const former = drawn ? JSON.parse(drawn) : {};
  drawn = now;
  const makers = { twitch: twitchCard, discord: discordCard, overlay: overlayCard, phones: phonesCard };
  for (const [name, maker] of Object.entries(makers)) {
    if (!(name in cards)) continue;
    const known = document.getElementById(`card-${name}`);
    if (known && JSON.stringify(former[name]) === JSON.stringify(cards[name])) continue;
    const made = maker(cards[name]);
    const focused = known?.contains(document.activeElement);
    if (known) known.replaceWith(made);
    else find("cards").append(made);
    if (focused) /** @type {HTMLElement | null} */ (made.querySelector("input, button, a"))?.focus();
  }
}

async function look() {
  const answer = await fetch("/setup/state").catch(() => null);
  if (answer?.ok) {
    const content = await answer.json();
    csrf = content.csrf;
    cards = content.cards;
    draw();
  } else if (answer) {
    find("leave").hidden = true;
    find("cards").replaceChildren(make("section", { className: "setup-card" }, text("h2", "setup-closed"), make("p", {}, ...parts(word("setup-closed-hint")))));
    return;
  }
  setTimeout(look, LOOK_AGAIN);
}

find("leave").addEventListener("click", async () => {
  await fetch("/leave", { method: "POST", headers: { "Content-Type": "application/json", "X-Rabble-Csrf": csrf }, body: "{}" });
  location.reload();
});

const { language, words } = await (await fetch(`/words/setup?browser=${navigator.language}`)).json();
speak(language, words);
document.title = word("setup-name");
await look();
