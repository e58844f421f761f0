// Everything that the desk asks of the server; nothing else here knows an address.

/** @typedef {{ id: string, text: string, refused: boolean }} Answer */
/** @typedef {{ done: boolean, answers: Answer[] }} Result */
/** @typedef {{ group: string, key: string, before: string, after: string }} Difference */

/** Why something was not done: a sentence for people, and the status of the answer (0: there was none). */
export class Trouble extends Error {
  constructor(text, status) {
    super(text);
    this.status = status;
  }
}

let csrf = "";
let lost = () => {};
let barred = () => {};

/** Let `handler` be called when nobody is logged in any more. */
export function onLost(handler) {
  lost = handler;
}

/** Let `handler` be called when something was not allowed: whoever is here may have another role now. */
export function onBarred(handler) {
  barred = handler;
}

async function ask(path, body, { signal = undefined, quiet = false, method = "POST" } = {}) {
  const post =
    body === undefined
      ? {}
      : {
          method,
          headers: { "Content-Type": "application/json", "X-Rabble-Csrf": csrf },
          body: JSON.stringify(body),
        };
  const answer = await fetch(path, { ...post, signal, cache: "no-store" }).catch(() => null);
  if (answer === null) throw new Trouble("", 0);
  const text = await answer.text();
  if (answer.ok) return JSON.parse(text);
  if (answer.status === 401 && !quiet) lost();
  if (answer.status === 403) barred();
  throw new Trouble(sentenceOf(text), answer.status);
}

function sentenceOf(text) {
  try {
    return JSON.parse(text).error ?? text;
  } catch {
    return text.trim();
  }
}

/** Who is here; null: nobody is logged in. */
export async function whoAmI() {
  try {
    const me = await ask("/api/1/me", undefined, { quiet: true });
    csrf = me.csrf;
    return me;
  } catch (trouble) {
    if (trouble instanceof Trouble && trouble.status === 401) return null;
    throw trouble;
  }
}

/** The processes that share the database; only whoever runs the program is told. */
export const processes = () => ask("/api/1/processes");

export const ways = () => ask("/login");
export const beginTwitch = () => ask("/login/twitch", {});
export const pollTwitch = () => ask("/login/twitch/poll", {}, { quiet: true });
export const beginCode = () => ask("/login/code", {});
export const pollCode = () => ask("/login/code/poll", {}, { quiet: true });
export const leave = (everywhere) => ask("/leave", { everywhere });

/** The texts of this page, in a language, that of the program, or of the browser where the program has none of its own. */
export const texts = (language) =>
  ask(`/words/desk?language=${encodeURIComponent(language)}&browser=${navigator.language}`);

function queryOf(query) {
  const given = Object.entries(query).filter(([, value]) => value !== "" && value !== undefined);
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : "";
}

/** What the desk asks of one room. */
export function roomApi(id) {
  const base = `/api/1/rooms/${encodeURIComponent(id)}`;
  const read = (path, more = {}) => ask(`${base}${path}`, undefined, more);
  /**
   * Use a command as in chat; what is refused is an answer, too. `members` are seats that stand in the line
   * as `@SEAT`, and `table` the only one that it is for.
   * @returns {Promise<Result>}
   */
  async function use(word, line = "", { members = [], table = null } = {}) {
    try {
      return await ask(`${base}/commands/${word}`, { arguments: line, members, table });
    } catch (trouble) {
      if (!(trouble instanceof Trouble) || trouble.status !== 422) throw trouble;
      return { done: false, answers: [{ id: "refused", text: trouble.message, refused: true }] };
    }
  }
  return {
    commands: () => read("/commands"),
    groups: () => read("/settings"),
    /** @returns {Promise<Difference[]>} */
    preview: (values) => ask(`${base}/settings/preview`, { values }),
    /** @returns {Promise<Difference[]>} */
    preset: (group, name) => read(`/settings/${group}/presets/${encodeURIComponent(name)}`),
    tables: () => read("/desk/tables"),
    /** What calling a table off would return to whom. */
    cancelling: (table) => read(`/desk/tables/${encodeURIComponent(table)}/cancel`),
    members: (query) => read(`/desk/members${queryOf(query)}`),
    member: (seat) => read(`/desk/members/${encodeURIComponent(seat)}`),
    /** Whom a payment to many would reach: those who are `here`, or the `regulars`. */
    crowd: (name) => read(`/desk/crowds/${name}`),
    waiting: (query) => read(`/desk/waiting${queryOf(query)}`),
    transfers: (seat, query) => read(`/members/${encodeURIComponent(seat)}/transfers${queryOf(query)}`),
    audit: (query) => read(`/audit${queryOf(query)}`),
    actors: () => read("/audit/actors"),
    /** What taking an action back would do now. */
    undoing: (number) => read(`/audit/${number}/undo`),
    minted: (query) => read(`/minted${queryOf(query)}`),
    seasons: () => read("/seasons"),
    top: (query) => read(`/top${queryOf(query)}`),
    /** The texts that this room has otherwise than the page: those with its name for credits. */
    words: () => read("/desk/words"),
    texts: (sought) => read(`/desk/texts?q=${encodeURIComponent(sought)}`),
    /** How a text would be told; an empty one: how it is told now. */
    tryText: (key, text) => ask(`${base}/desk/texts/preview`, { key, text }),
    themes: () => read("/desk/themes"),
    access: () => read("/desk/access"),
    rewards: () => read("/desk/rewards"),
    overlay: () => read("/desk/overlay"),
    tokens: () => read("/tokens"),
    makeToken: (label, scopes) => ask(`${base}/tokens`, { label, scopes }),
    revokeToken: (token) => ask(`${base}/tokens/${encodeURIComponent(token)}`, {}, { method: "DELETE" }),
    imports: () => read("/imports"),
    importJob: () => read("/imports/job"),
    /** Begin to look at a file or to bring it in; `importJob` says how far that is. */
    beginImport: (wanted) => ask(`${base}/imports`, wanted),
    /** Begin to take an import back, or some of its lines. */
    undoImport: (run, lines) => ask(`${base}/imports/undo`, { id: run, lines }),
    webhooks: () => read("/webhooks"),
    makeWebhook: (url, kinds) => ask(`${base}/webhooks`, { url, kinds }),
    removeWebhook: (hook) => ask(`${base}/webhooks/${encodeURIComponent(hook)}`, {}, { method: "DELETE" }),
    /** Send a webhook an event of no table. */
    tryWebhook: (hook) => ask(`${base}/webhooks/${encodeURIComponent(hook)}/test`, {}),
    enableWebhook: (hook) => ask(`${base}/webhooks/${encodeURIComponent(hook)}/enable`, {}),
    deliveries: (hook) => read(`/webhooks/${encodeURIComponent(hook)}/deliveries`),
    /** Wait until the state of the room is another than `mark` names. */
    news: (mark, signal) => read(`/desk/news?mark=${encodeURIComponent(mark)}`, { signal }),
    use,
  };
}
