// Logs in: says what to do on each platform, and shows the codes that prove who somebody is.

import { make, withoutDouble } from "../dom.js";
import { parts, word } from "../words.js";
import { Trouble, beginCode, beginTwitch, leave, pollCode, pollTwitch, ways } from "./api.js";
import { attempt, sentenceFor, text, worded } from "./telling.js";

const LOOK_AGAIN = 2_000; // milliseconds between two looks whether a code was typed

/** Show how to log in, in `place`; `entered()` is called when this browser may do more than before. */
export async function showLogin(place, entered) {
  const offer = await ways().catch(() => ({ discord: false, twitch: false, redirect: false }));
  const cards = [];
  if (offer.discord) cards.push(card("discord", make("p", {}, ...parts(word("desk-login-discord-how")))));
  if (offer.twitch) cards.push(twitchCard(offer.redirect, entered));
  cards.push(card("operator", make("p", {}, ...parts(word("desk-login-operator-how")))));
  const head = make(
    "div",
    { className: "desk-head" },
    text("h2", "desk-login"),
    text("p", "desk-login-hint"),
  );
  place.replaceChildren(make("div", { className: "desk-login" }, head, ...cards));
}

function card(name, ...children) {
  const heading = text("h3", `desk-login-${name}`);
  return make("section", { className: "desk-card", data: { testid: `login-${name}` } }, heading, ...children);
}

function twitchCard(redirects, entered) {
  const body = make("div", { className: "desk-stack" });
  const show = (...nodes) => body.replaceChildren(...nodes);
  const begin = withoutDouble(button("desk-login-twitch-code", !redirects));
  const trouble = make("p", { className: "desk-wrong", role: "alert" });
  begin.addEventListener("click", async () => {
    begin.disabled = true;
    try {
      await waitForTwitch(show, entered);
    } catch (failure) {
      show(...start());
      trouble.textContent = sentenceFor(failure);
    }
    begin.disabled = false;
  });
  const there = make("a", {
    href: "/login/twitch/redirect",
    className: "button brand-button",
    textContent: word("desk-login-twitch-go"),
  });
  const start = () => {
    const row = make("div", { className: "desk-row" }, ...(redirects ? [there] : []), begin);
    return [text("p", "desk-login-twitch-how"), row, trouble];
  };
  show(...start());
  return card("twitch", body);
}

const button = (id, primary = false) =>
  make("button", {
    type: "button",
    className: primary ? "button brand-button" : "button",
    textContent: word(id),
  });

async function waitForTwitch(show, entered) {
  const begun = await beginTwitch();
  const link = make("a", {
    href: begun.address,
    target: "_blank",
    rel: "noreferrer noopener",
    className: "button brand-button",
    textContent: word("desk-login-twitch-open"),
  });
  const code = make("p", {
    className: "desk-code",
    textContent: begun.code,
    data: { testid: "twitch-code" },
  });
  const warning = text("p", "desk-login-twitch-warning", { className: "desk-soft" });
  const waiting = text("p", "desk-login-twitch-waits", { role: "status" });
  show(
    text("p", "desk-login-twitch-confirm"),
    code,
    make("div", { className: "desk-row" }, link),
    warning,
    waiting,
  );
  link.focus();
  await until(pollTwitch, begun.interval * 1000);
  entered();
}

/** Show the letters that the same account types in its chat, as whom this browser would then be. */
export async function showTyping(place, me, entered, left) {
  const code = make("p", { className: "desk-code", data: { testid: "typed-code" } });
  const how = make("p");
  const trouble = make("p", { className: "desk-wrong", role: "alert" });
  const again = withoutDouble(button("desk-login-again", true));
  const out = button("desk-leave");
  out.addEventListener("click", async () => (await attempt(() => leave(false))) && left());
  const head = make(
    "div",
    { className: "desk-head" },
    make("h2", { textContent: worded("desk-login-as", { NAME: me.name }) }),
  );
  const warning = text("p", "desk-login-type-warning", { className: "desk-soft" });
  const row = make("div", { className: "desk-row" }, again, out);
  const body = make(
    "section",
    { className: "desk-card", data: { testid: "login-type" } },
    how,
    code,
    warning,
    trouble,
    row,
  );
  place.replaceChildren(make("div", { className: "desk-login" }, head, body));

  async function begin() {
    again.hidden = true;
    trouble.textContent = "";
    try {
      const begun = await beginCode();
      code.textContent = `!desk ${begun.code}`;
      how.replaceChildren(...parts(worded("desk-login-type", { NAME: begun.name })));
      await until(pollCode, LOOK_AGAIN, () => place.contains(code));
      entered();
    } catch (failure) {
      trouble.textContent = sentenceFor(failure);
      again.hidden = false;
      again.focus();
    }
  }

  again.addEventListener("click", begin);
  await begin();
}

/** Ask again and again until there is an answer; a moment without a server ends nothing. */
async function until(poll, pause, wanted = () => true) {
  while (wanted()) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    try {
      const answer = await poll();
      if (!answer.waiting) return answer;
    } catch (failure) {
      if (!(failure instanceof Trouble) || failure.status !== 0) throw failure;
    }
  }
  throw new Trouble("", 0);
}
