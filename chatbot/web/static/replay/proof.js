// Shows what was checked of a table in this browser, what that proves and what it does not.

import { icon, make, nameTag } from "../dom.js";
import { word } from "../words.js";
import { check } from "./check.js";
import { isAble } from "./luck.js";

const HASH = /\b[0-9a-f]{64}\b/gi;
const LIMITS = ["replay-limit-rules", "replay-limit-told", "replay-limit-words", "replay-limit-ignored"];

/** @param {string} text @param {any} replayed @param {(seat: string) => string} nameOf */
export function createProof(text, replayed, nameOf) {
  const verdict = make("p", { className: "replay-verdict", role: "status", textContent: word("replay-checking"), data: { testid: "verdict" } });
  const list = make("ul", { className: "replay-checks" });
  const told = make("div");
  const limits = make("details", {}, make("summary", { textContent: word("replay-limits") }), make("ul", { className: "replay-limits" }, ...LIMITS.map((id) => make("li", { textContent: word(id) }))));
  const proof = make("a", { className: "button", textContent: word("replay-save"), href: URL.createObjectURL(new Blob([replayed.proof], { type: "application/json" })), download: `${JSON.parse(replayed.proof).table}.json` });
  const card = make("section", { className: "replay-card", aria: { labelledby: "h-proof" } }, make("h2", { id: "h-proof", textContent: word("replay-proof") }), verdict, list, told, limits, proof);
  const gains = make("section", { className: "replay-card", hidden: true, aria: { labelledby: "h-gains" } });
  run();

  async function run() {
    if (!isAble()) return end("none", "replay-no-crypto");
    try {
      const result = await check(text);
      list.replaceChildren(...result.findings.map(line));
      const holds = result.findings.every((each) => each.holds);
      end(holds ? "holds" : "fails", holds ? "replay-sound" : "replay-broken");
      told.replaceChildren(comparison(result.findings));
      draw(result.gains);
    } catch (failure) {
      end("fails", "replay-unreadable");
      list.replaceChildren(make("li", { data: { holds: "false" } }, icon("fails"), String(failure instanceof Error ? failure.message : failure)));
    }
    return undefined;
  }

  function end(kind, id) {
    verdict.dataset.kind = kind;
    verdict.textContent = word(id);
    card.dataset.state = kind;
  }

  function draw(rows) {
    gains.hidden = rows.length === 0;
    const items = rows.map(([seat, credits]) => make("li", { data: { sign: String(Math.sign(credits)) } }, nameTag(nameOf(seat)), make("b", { textContent: signed(credits) })));
    gains.replaceChildren(make("h2", { id: "h-gains", textContent: word("replay-gains") }), make("ul", { className: "replay-gains" }, ...items));
  }

  return [card, gains];
}

const signed = (credits) => new Intl.NumberFormat(document.documentElement.lang, { signDisplay: "exceptZero" }).format(credits).replace("-", "−");

/** @param {import("./check.js").Finding} finding */
function line({ what, holds, value }) {
  const isHash = value?.length === 64 && what !== "file"; // of which no chat was told
  const text = word(`replay-check-${what}`).replace("COUNT", value ?? "");
  const node = make("li", { data: { holds: String(holds), what } }, icon(holds ? "holds" : "fails", word(holds ? "replay-holds" : "replay-fails")), make("span", { textContent: text }));
  if (isHash) node.append(make("code", { textContent: value }));
  return node;
}

/** Make a field into which one pastes what a chat was told, and say which of the hashes in it are those of this table. */
function comparison(findings) {
  const known = new Map(findings.filter(({ what, value }) => ["chain", "terms", "record"].includes(what) && value).map(({ what, value }) => [value, what]));
  const area = make("textarea", { id: "told", spellcheck: false, autocomplete: "off" });
  const result = make("p", { className: "replay-told-result", role: "status" });
  area.addEventListener("input", () => {
    const hashes = [...new Set(area.value.toLowerCase().match(HASH) ?? [])];
    const others = hashes.filter((each) => !known.has(each));
    result.dataset.kind = hashes.length === 0 ? "" : others.length ? "fails" : "holds";
    const names = hashes.filter((each) => known.has(each)).map((each) => word(`replay-hash-${known.get(each)}`)).join(", ");
    result.textContent = hashes.length === 0 ? "" : word(others.length ? "replay-told-other" : "replay-told-same").replace("HASHES", names).replace("OTHER", others[0] ?? "");
  });
  return make("div", { className: "replay-told" }, make("label", { htmlFor: "told", textContent: word("replay-told") }), area, result);
}
