// Hashes and draws, made as the bot makes them, by WebCrypto: hash chains, keys of turns, and uniform draws.

const TEXT = new TextEncoder();
const LINK = TEXT.encode("rabble-chain-v1");
const TURN = TEXT.encode("rabble-turn-v1");
const TERMS = "rabble-terms-v1";
const WORD = 256n; // bits of a block of the stream
const FLOAT = 53n; // bits of a double's significand
const MOST_DRAWN = 100_000; // items of one draw: who checks a forged file must come to an end
const HEX = /^(?:[0-9a-f]{2})*$/;

/** Whether this browser has what the checks need, which it has on pages by HTTPS, of this machine, and in files. */
export const isAble = () => globalThis.crypto?.subtle !== undefined;

/** @param {string} hex */
export function bytes(hex) {
  if (!HEX.test(hex)) throw new TypeError("hexadecimal digits were expected");
  return Uint8Array.from(hex.match(/../g) ?? [], (each) => Number.parseInt(each, 16));
}

export const hexOf = (data) => Array.from(data, (each) => each.toString(16).padStart(2, "0")).join("");

/** @param {...(Uint8Array | string)} parts */
export async function sha256(...parts) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", joined(parts)));
}

async function hmac(key, data) {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, data));
}

/** Hash a link so many times, which gives the link so many places before it. */
export async function walked(link, steps) {
  let current = link;
  for (let done = 0; done < steps; done += 1) current = await sha256(LINK, current);
  return current;
}

/** Hash what a table was opened with, each part preceded by its length. */
export const termsOf = async (...parts) => hexOf(await sha256(...[TERMS, ...parts].flatMap(measured)));

/** Make the key of a turn from the seed and the ids of all messages so far. */
export const turnKey = (seed, turn, ids) => hmac(seed, joined([TURN, ...[String(turn), ...ids].flatMap(measured)]));

/** Make the hash that hides a choice. */
export const commitment = async (nonce, choice) => hexOf(await sha256(bytes(nonce), choice));

/** Make the stream of draws of a key. */
export function createStream(key) {
  let [pool, bits, counter] = [0n, 0n, 0n];

  async function take(count) {
    while (bits < count) {
      const block = new Uint8Array(8);
      new DataView(block.buffer).setBigUint64(0, counter);
      pool = (pool << WORD) | BigInt(`0x${hexOf(await hmac(key, block))}`);
      bits += WORD;
      counter += 1n;
    }
    bits -= count;
    const number = pool >> bits;
    pool &= (1n << bits) - 1n;
    return number;
  }

  async function below(limit) {
    const count = BigInt((limit - 1n).toString(2).length * Number(limit > 1n));
    for (;;) {
      const number = await take(count);
      if (number < limit) return number;
    }
  }

  async function sample(size, count) {
    const left = Array.from({ length: size }, (_, place) => place);
    for (let place = 0; place < count; place += 1) {
      const other = place + Number(await below(BigInt(size - place)));
      [left[place], left[other]] = [left[other], left[place]];
    }
    return left.slice(0, count);
  }

  return {
    bits: async (count) => (await take(count)).toString(16),
    below,
    uniform: () => take(FLOAT),
    sample,
  };
}

/** Whether a draw of so many items is one that can be made. */
export const isDrawable = (size, count) => size <= MOST_DRAWN && count <= size && size >= 0 && count >= 0;

function measured(part) {
  const data = TEXT.encode(part);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, data.length);
  return [length, data];
}

function joined(parts) {
  const data = parts.map((part) => (typeof part === "string" ? TEXT.encode(part) : part));
  const whole = new Uint8Array(data.reduce((sum, each) => sum + each.length, 0));
  let at = 0;
  for (const each of data) {
    whole.set(each, at);
    at += each.length;
  }
  return whole;
}
