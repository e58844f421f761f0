// Checks the document of a replay by itself: it asks nobody. Everything is made again from the proof that the document
// contains: the chain, the hashes that chats were told, all draws, the cards that were dealt, and who was paid.
//
// What this does not know are the rules of the games. So it shows that nothing was drawn otherwise, and that credits
// were neither made nor lost at the table; that a move has the consequences that the rules give it is for
// `chatbot verify`, which plays the table again.

import { deals } from "./deals.js";
import { canonical, parse, plain, whole } from "./json.js";
import { bytes, commitment, createStream, hexOf, isDrawable, sha256, termsOf, turnKey, walked } from "./luck.js";

const FORMAT = "rabble.replay/1";
const PROOF = "rabble-proof-2";
const VALUES = "chain closed_at community format game link opened_at record refunds room seed settings state steps table terms version";
const MOST_LINKS = 10_000_000;
const NONCE = 128; // bits
const PERSONAL = ["person", "player"];
const KINDS = { bits: 3, below: 3, uniform: 2, sample: 4 }; // parts of a draw

/**
 * The result of one check: `what` is file, chain, terms, record, turns, draws, cards, choices, credits or pictures, or
 * `told` with the name of a hash; `value` is a hash or a count.
 * @typedef {{ what: string, holds: boolean, value?: string }} Finding
 */

/**
 * Check the text of a document. `told` are hashes that a chat was told (`head`, `terms`, `record`), as far as known.
 * @param {string} text
 * @param {Record<string, string>} [told]
 * @returns {Promise<{ findings: Finding[], report: string, gains: [string, number][] }>}
 */
export async function check(text, told = {}) {
  const content = parse(text);
  const document = plain(content);
  if (document.format !== FORMAT) throw new TypeError(`this is no ${FORMAT}`);
  const raw = parse(content.get("proof"));
  const proof = plain(raw);
  if (proof.format !== PROOF || Object.keys(proof).sort().join(" ") !== VALUES) throw new TypeError(`this is no ${PROOF}`);
  const hashes = await hashesOf(raw);
  const drawn = await redraw(raw, document.draws);
  const moved = movements(raw, proof);
  const findings = [
    await digested(content),
    finding("chain", hashes.head === proof.chain, hashes.head),
    finding("terms", hashes.terms === proof.terms, hashes.terms),
    finding("record", hashes.record === proof.record, hashes.record),
    finding("turns", isInOrder(proof), String(turnsOf(proof).length)),
    finding("draws", drawn.holds, String(drawn.count)),
    ...dealtCards(proof, document),
    ...(await hiddenChoices(document)),
    finding("credits", moved.holds, String(moved.count)),
    finding("pictures", arePictured(proof, document, moved), String(document.frames.length)),
    ...Object.entries(told).map(([name, value]) => finding(`told-${name}`, value.trim().toLowerCase() === hashes[name], hashes[name])),
  ];
  const report = canonical(new Map(Object.entries({ ...hashes, table: proof.table, draws: drawn.turns, balances: moved.balances })));
  return { findings, report, gains: moved.gains };
}

const finding = (what, holds, value) => ({ what, holds, value });

/** Compare the digest of a document with what it holds, which tells whether the file was damaged. */
async function digested(content) {
  const rest = new Map([...content].filter(([name]) => name !== "digest"));
  const digest = hexOf(await sha256(canonical(rest)));
  return finding("file", digest === content.get("digest"), digest);
}

/** Make the hashes of a proof: the head of its chain, of its terms and of its record. */
async function hashesOf(raw) {
  const link = whole(raw.get("link"));
  if (link < 1n || link > MOST_LINKS) throw new RangeError("there is no such link");
  const head = hexOf(await walked(bytes(raw.get("seed")), Number(link)));
  const version = String(whole(raw.get("version")));
  const terms = await termsOf(raw.get("table"), raw.get("game"), version, canonical(raw.get("settings")), raw.get("chain"), String(link));
  const body = new Map([...raw].filter(([name]) => name !== "terms" && name !== "record"));
  return { head, terms, record: hexOf(await sha256(canonical(body))) };
}

const turnsOf = (proof) => proof.steps.flatMap(({ turns }) => turns);

/** Whether turns are numbered without a gap, every step has some, and no step is there twice. */
function isInOrder(proof) {
  const numbers = turnsOf(proof).map(({ turn }) => turn);
  const postings = proof.steps.map(({ posting }) => posting);
  const isFull = proof.steps.length > 0 && proof.steps.every(({ turns }) => turns.length > 0);
  return isFull && numbers.every((turn, at) => turn === at + 1) && new Set(postings).size === postings.length;
}

/** Draw everything again that a document says was drawn. */
async function redraw(raw, told) {
  const seed = bytes(raw.get("seed"));
  const ids = new Map(); // the ids of all messages up to a turn
  const sofar = [];
  for (const step of raw.get("steps")) {
    if (step.get("message") !== "") sofar.push(step.get("message"));
    for (const turn of step.get("turns")) ids.set(Number(whole(turn.get("turn"))), [...sofar]);
  }
  const turns = [];
  let [holds, count, last] = [true, 0, 0];
  for (const { turn, key, draws } of told) {
    if (!ids.has(turn) || turn <= last || !Array.isArray(draws) || draws.length === 0) return { holds: false, count, turns };
    last = turn;
    const own = await turnKey(seed, turn, ids.get(turn));
    const stream = createStream(own);
    const again = [];
    for (const draw of draws) {
      const drawn = await drawAgain(stream, draw);
      if (drawn === null) return { holds: false, count, turns };
      again.push(drawn);
    }
    count += again.length;
    const made = { turn, key: hexOf(own), draws: again };
    turns.push(new Map(Object.entries(made)));
    holds &&= JSON.stringify(made) === JSON.stringify({ turn, key, draws });
  }
  return { holds, count, turns };
}

/** Make a draw again that is given as JSON; null: it is none. */
async function drawAgain(stream, draw) {
  const [kind, size, count] = draw;
  if (KINDS[kind] !== draw.length) return null;
  if (kind === "uniform") return [kind, Number(await stream.uniform())];
  if (!Number.isSafeInteger(size) || size < (kind === "sample" ? 0 : 1)) return null;
  if (kind === "bits") return size > 4096 ? null : [kind, size, await stream.bits(BigInt(size))];
  if (kind === "below") return [kind, size, Number(await stream.below(BigInt(size)))];
  return isDrawable(size, count) ? [kind, size, count, await stream.sample(size, count)] : null;
}

/** Compare the cards on the pictures with those that were dealt, in games that deal any. */
function* dealtCards(proof, { draws, frames }) {
  const deal = deals[proof.game];
  if (!deal) return;
  const dealt = deal.dealt(draws.flatMap((each) => each.draws));
  const shows = frames.some(({ hands }) => Object.values(hands).some((rows) => rows.some(({ cards }) => cards.length > 0)));
  const holds = dealt === null ? !shows : !frames.some((frame) => deal.contradicts(dealt, frame));
  yield finding("cards", holds);
}

/** Check that the hashes that hid what the house had fixed are those of what it then showed, and came of its draws. */
async function hiddenChoices({ choices, draws, frames }) {
  const told = frames.flatMap(({ table: { view } }) => [view.committed ?? []].flat());
  if (choices.length === 0 && told.length === 0) return [];
  const nonces = draws.flatMap((each) => each.draws.filter(([kind, size]) => kind === "bits" && size === NONCE).map(([, , hex]) => hex.padStart(NONCE / 4, "0")));
  let holds = told.every(({ seat, digest }) => choices.some((each) => each.seat === seat && each.digest === digest));
  for (const { nonce, choice, digest } of choices) holds &&= nonces.includes(nonce) && (await commitment(nonce, choice)) === digest;
  return [finding("choices", holds, String(choices.length))];
}

/** Add up all transfers of a proof: what each purse has gained, and the pot after each turn. */
function movements(raw, proof) {
  const pot = canonical(["pot", proof.community, proof.table]);
  const [balances, ofPot, pots] = [new Map(), new Map(), new Map()];
  const add = (map, key, credits) => map.set(key, (map.get(key) ?? 0n) + credits);
  let [holds, count] = [true, 0];
  const move = (entry) => {
    const [source, target] = [canonical(entry.get("source")), canonical(entry.get("target"))];
    const credits = whole(entry.get("credits"));
    add(balances, source, -credits);
    add(balances, target, credits);
    if (source === pot) add(ofPot, target, credits);
    if (target === pot) add(ofPot, source, -credits);
    holds &&= credits > 0n && source !== target && (balances.get(pot) ?? 0n) >= 0n;
    count += 1;
  };
  for (const step of raw.get("steps")) {
    for (const entry of step.get("transfers")) move(entry);
    for (const turn of step.get("turns")) pots.set(Number(whole(turn.get("turn"))), balances.get(pot) ?? 0n);
  }
  for (const entry of raw.get("refunds")) move(entry);
  holds &&= (balances.get(pot) ?? 0n) === 0n;
  // Of a table that was called off everybody has what they had; at another nothing moves outside of its steps.
  if (proof.state === "void") holds &&= [...ofPot].every(([, credits]) => credits >= 0n);
  else holds &&= proof.state === "settled" && raw.get("refunds").length === 0;
  const written = new Map([...balances].map(([purse, credits]) => [purse, String(credits)]));
  return { holds, count, balances: written, gains: gainsOf(balances), pots };
}

/** Return what each player has gained, most first. */
function gainsOf(balances) {
  const gains = /** @type {[string, number][]} */ ([]);
  for (const [purse, credits] of balances) {
    const [kind, , owner] = JSON.parse(purse);
    if (PERSONAL.includes(kind)) gains.push([owner, Number(credits)]);
  }
  return gains.sort((one, other) => other[1] - one[1]);
}

/** Whether the pictures are of turns of the proof, in their order up to the last, with the credits in the pot then. */
function arePictured(proof, { frames }, { pots }) {
  const times = new Map(turnsOf(proof).map(({ turn, at }) => [turn, at]));
  const isOver = proof.state === "settled";
  const last = frames.at(-1);
  let before = 0;
  for (const { turn, at, table } of frames) {
    if (turn <= before || times.get(turn) !== at || table.id !== proof.table || table.game !== proof.game) return false;
    if (table.over !== (isOver && turn === times.size) || (table.pot !== null && BigInt(table.pot) !== pots.get(turn))) return false;
    before = turn;
  }
  return last !== undefined && last.turn === times.size;
}
