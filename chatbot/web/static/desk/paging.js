// A list that is read page by page, says what it is doing, and takes up changes without moving the focus.

import { follow, make } from "../dom.js";
import { word } from "../words.js";
import { sentenceFor, text, worded } from "./telling.js";

const PAGE = 25;
const MOST_AGAIN = 100; // rows that are read again at once when something has changed

/**
 * Make a list. `read(count, last)` returns the rows after `last`, or the first ones for null.
 * `key(row)` tells rows apart, and `draw(row)` returns what is in one. `empty` is the text of a list without
 * rows, `label` that of the list.
 * @param {{ read: (count: number, last: any) => Promise<any[]>, key: (row: any) => unknown,
 *   draw: (row: any) => (Node | string)[], empty: string, label: string, name: string, page?: number }} how
 */
export function pagedList({ read, key, draw, empty, label, name, page = PAGE }) {
  const list = make("ul", { className: "desk-list-rows", aria: { label }, data: { testid: name } });
  const state = make("div", { className: "desk-state", role: "status" });
  const more = make("button", {
    type: "button",
    className: "button",
    textContent: word("desk-more"),
    hidden: true,
  });
  const node = make("div", { className: "desk-stack" }, list, state, more);
  let rows = /** @type {any[]} */ ([]);
  let asked = 0; // the number of the newest question: answers to older ones come too late

  more.addEventListener("click", next);

  function show() {
    follow(list, rows, key, () => make("li", { className: "desk-item" }), fill);
    list.hidden = rows.length === 0;
  }

  function fill(item, row) {
    const drawn = JSON.stringify(row);
    if (item.dataset.drawn === drawn) return;
    const focused = item.contains(document.activeElement) ? focusOf(document.activeElement) : null;
    item.dataset.drawn = drawn;
    item.replaceChildren(...draw(row));
    if (focused) /** @type {HTMLElement | null} */ (item.querySelector(focused))?.focus();
  }

  function say(...nodes) {
    state.replaceChildren(...nodes);
  }

  async function ask(count, last) {
    asked += 1;
    const number = asked;
    more.disabled = true;
    list.setAttribute("aria-busy", "true");
    try {
      const some = await read(count, last);
      return number === asked ? some : null;
    } catch (failure) {
      if (number === asked) fail(failure);
      return null;
    } finally {
      if (number === asked) {
        more.disabled = false;
        list.removeAttribute("aria-busy");
      }
    }
  }

  function fail(failure) {
    const again = make("button", { type: "button", className: "button", textContent: word("desk-again") });
    again.addEventListener("click", rows.length ? next : reload);
    const sentence = make("p", { className: "desk-wrong", textContent: sentenceFor(failure) });
    more.hidden = true;
    say(make("div", { className: "desk-row" }, sentence, again));
  }

  function settle(count) {
    more.hidden = count < page;
    say(...(rows.length ? [] : [text("p", empty, { className: "desk-soft desk-empty" })]));
  }

  /** Read the list from its beginning. */
  async function reload() {
    if (!rows.length) say(text("p", "desk-loading", { className: "desk-soft" }));
    const first = await ask(page, null);
    if (first === null) return;
    rows = first;
    show();
    settle(first.length);
  }

  async function next() {
    const before = rows.length;
    const some = await ask(page, rows.at(-1) ?? null);
    if (some === null) return;
    rows = [...rows, ...some];
    show();
    settle(some.length);
    if (some.length)
      say(
        text("p", "desk-more-read", {
          className: "unseen",
          textContent: worded("desk-more-read", { COUNT: some.length }),
        }),
      );
    const first = /** @type {HTMLElement | undefined} */ (list.children[before]);
    // The button may be gone, and whoever reads on wants to go on from there.
    if (more.hidden)
      /** @type {HTMLElement | null | undefined} */ (first?.querySelector("button, a"))?.focus();
  }

  /** Take up what has changed, of as much as is shown. */
  async function refresh() {
    const count = Math.min(Math.max(rows.length, page), MOST_AGAIN);
    const first = await ask(count, null);
    if (first === null) return;
    const keys = new Set(first.map(key));
    const rest =
      first.length < count ? [] : rows.slice(MOST_AGAIN - page).filter((row) => !keys.has(key(row)));
    const known = rows.length;
    rows = known <= count ? first : [...first, ...rest];
    show();
    if (!rows.length || known < page) settle(first.length);
  }

  return { node, reload, refresh, rows: () => rows };
}

function focusOf(node) {
  const act = /** @type {HTMLElement} */ (node).dataset.act;
  return act ? `[data-act="${act}"]` : null;
}
