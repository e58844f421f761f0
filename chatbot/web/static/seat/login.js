// Makes this browser somebody's seat: by six letters for the chat, by Twitch's code, or by Discord's link.

import { make, withoutDouble } from "../dom.js";
import { parts, word } from "../words.js";
import { Trouble, beginTwitch, makeCode, pollCode, pollTwitch } from "./api.js";

const LOOK_AGAIN = 2_000; // milliseconds between two looks whether the letters were typed

/** Show how this browser becomes a seat, in `place`; `entered()` is called when it is one. */
export function showLogin(place, offer, entered) {
  const title = make("h2", { textContent: word("seat-login") });
  const cards = [codeCard(place, entered)];
  if (offer.twitch) cards.push(twitchCard(entered));
  if (offer.discord) cards.push(make("section", { className: "seat-card" }, heading("seat-login-discord"), make("p", {}, ...parts(word("seat-login-discord-how")))));
  place.replaceChildren(make("div", { className: "seat-login" }, title, ...cards));
}

const heading = (id) => make("h3", { textContent: word(id) });
const text = (id, properties = {}) => make("p", { textContent: word(id), ...properties });
const button = (id, className = "button brand-button") => withoutDouble(make("button", { type: "button", className, textContent: word(id) }));

function codeCard(place, entered) {
  const show = button("seat-code-show");
  const body = make("div", { className: "seat-stack" }, show);
  const trouble = make("p", { className: "seat-wrong", role: "alert" });
  // The letters are shown when somebody asks for them: a page that happens to be on a stream shows none.
  show.addEventListener("click", async () => {
    trouble.textContent = "";
    try {
      const begun = await makeCode();
      const line = `!seat ${begun.code}`;
      const code = make("p", { className: "seat-code", tabIndex: -1, textContent: line, data: { testid: "seat-code" } });
      body.replaceChildren(text("seat-code-type"), code, ...copied(line), text("seat-code-warning", { className: "seat-soft" }), text("seat-code-waits", { role: "status" }));
      code.focus(); // the button that had the focus is gone
      await until(pollCode, LOOK_AGAIN, () => place.contains(code));
      entered();
    } catch (failure) {
      trouble.textContent = sentenceFor(failure);
      body.replaceChildren(show);
      show.focus();
    }
  });
  return make("section", { className: "seat-card", data: { testid: "login-code" } }, heading("seat-login-code"), text("seat-login-code-how"), body, trouble);
}

/** Make the button that copies a line, for whoever has the chat on the same phone; pages without TLS may not copy. */
function copied(line) {
  if (!navigator.clipboard) return [];
  const copy = make("button", { type: "button", className: "button", textContent: word("seat-code-copy"), data: { testid: "seat-copy" } });
  copy.addEventListener("click", async () => {
    const done = await navigator.clipboard.writeText(line).then(() => true, () => false);
    if (done) copy.textContent = word("seat-code-copied");
    else copy.remove(); // the line itself is selected by a tap
  });
  return [copy];
}

function twitchCard(entered) {
  const begin = button("seat-twitch-begin", "button");
  const body = make("div", { className: "seat-stack" }, begin);
  const trouble = make("p", { className: "seat-wrong", role: "alert" });
  begin.addEventListener("click", async () => {
    trouble.textContent = "";
    try {
      const begun = await beginTwitch();
      const link = make("a", { href: begun.address, target: "_blank", rel: "noreferrer noopener", className: "button brand-button", textContent: word("seat-twitch-open") });
      body.replaceChildren(text("seat-twitch-confirm"), make("p", { className: "seat-code", textContent: begun.code, data: { testid: "twitch-code" } }), link, text("seat-twitch-warning", { className: "seat-soft" }));
      link.focus();
      await until(pollTwitch, begun.interval * 1_000, () => body.contains(link));
      entered();
    } catch (failure) {
      trouble.textContent = sentenceFor(failure);
      body.replaceChildren(begin);
      begin.focus();
    }
  });
  return make("section", { className: "seat-card", data: { testid: "login-twitch" } }, heading("seat-login-twitch"), text("seat-login-twitch-how"), body, trouble);
}

/** Ask again and again until there is an answer; a moment without a server ends nothing. */
async function until(poll, pause, wanted) {
  while (wanted()) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    try {
      const answer = await poll();
      if (!answer.waiting) return;
    } catch (failure) {
      if (!(failure instanceof Trouble) || failure.status !== 0) throw failure;
    }
  }
  throw new Trouble("", 0);
}

/** Say what went wrong, in the language of the page where the server has said nothing that helps. */
export function sentenceFor(failure) {
  const status = failure instanceof Trouble ? failure.status : 0;
  if (status === 410) return word("seat-code-over");
  if (status === 429) return word("seat-code-often");
  return (failure instanceof Trouble && failure.message) || word("seat-lost");
}
