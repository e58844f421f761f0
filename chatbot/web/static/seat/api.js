// Everything that a seat asks of the server but what goes through its socket.

/** Why something was not done: a sentence for people, and the status of the answer (0: there was none). */
export class Trouble extends Error {
  constructor(text, status) {
    super(text);
    this.status = status;
  }
}

let csrf = "";

async function ask(path, body) {
  const headers = { "Content-Type": "application/json", "X-Rabble-Csrf": csrf };
  const post = body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) };
  const answer = await fetch(path, { ...post, cache: "no-store" }).catch(() => null);
  if (answer === null) throw new Trouble("", 0);
  const text = await answer.text();
  if (!answer.ok) throw new Trouble(text.trim(), answer.status);
  return JSON.parse(text);
}

/** Return whose seat this browser is: a `name`, or null and by what it can become one. */
export async function whoAmI() {
  const me = await ask("/seat/me");
  csrf = me.csrf ?? "";
  return me;
}

export const makeCode = () => ask("/seat/code", {});
export const pollCode = () => ask("/seat/code/poll", {});
export const beginTwitch = () => ask("/login/twitch", {});
export const pollTwitch = () => ask("/login/twitch/poll", {});
export const leave = (everywhere) => ask("/seat/leave", { everywhere });

/** Return the texts of this page, in a language or that of the program. */
export const texts = (language) => ask(`/words/seat?language=${encodeURIComponent(language)}`);
