// The editor of one text: what is told now, what would be told instead, and what the chat would refuse.

import { make, setText, withoutDouble } from "../dom.js";
import { parts, word } from "../words.js";
import { act } from "./asking.js";
import { attempt, sentenceFor, text, worded } from "./telling.js";

const WAIT = 150; // milliseconds without a key after which a text is tried

let editors = 0;

/** Make the editor of a text; `changed()` is called after it was changed. */
export function textEditor(api, first, { most, longest }, changed) {
  const id = `text-${++editors}`;
  let now = first;
  let tried = 0;
  let waiting = 0;
  const area = make("textarea", {
    id,
    className: "field desk-area",
    rows: 3,
    value: first.own.length > 1 ? "" : first.text,
    spellcheck: true,
  });
  const typed = () => area.value.trim().replace(/\s+/g, " ");
  const count = make("span", { className: "desk-soft", id: `${id}-count` });
  const chips = make("div", { className: "desk-row", role: "group", aria: { label: word("desk-texts-places") } });
  const present = make("div", { className: "desk-stack" });
  const then = make("div", { className: "desk-stack", role: "status" });
  const wrong = make("p", { className: "desk-wrong", role: "alert", id: `${id}-wrong` });
  const instead = action("desk-texts-instead", "brand-button", () => use(`"${typed()}"`));
  const besides = action("desk-texts-besides", "", () => use(`add "${typed()}"`));
  const usual = action("desk-texts-usual", "", () => use("default"));
  area.setAttribute("aria-describedby", `${id}-count ${id}-wrong`);
  const node = make(
    "div",
    { className: "desk-editor", data: { testid: "text-editor" } },
    make("div", { className: "desk-stack" }, text("h3", "desk-texts-now"), present),
    make(
      "div",
      { className: "desk-stack" },
      make("div", { className: "desk-row" }, text("label", "desk-texts-yours", { htmlFor: id }), count),
      area,
      chips,
      wrong,
    ),
    make("div", { className: "desk-stack" }, text("h3", "desk-texts-then"), then),
    make("div", { className: "desk-row" }, instead, besides, usual),
  );

  area.addEventListener("input", () => {
    drawCount();
    clearTimeout(waiting);
    waiting = window.setTimeout(attemptIt, WAIT);
  });
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault(); // a text is one line; Enter is what one presses when it is done
      if (!event.ctrlKey) instead.click();
    }
  });
  show(first);

  function action(name, kind, done) {
    const button = withoutDouble(
      make("button", { type: "button", className: `button ${kind}`.trim(), textContent: word(name) }),
    );
    button.addEventListener("click", done);
    return button;
  }

  async function use(line) {
    clearTimeout(waiting);
    if (line !== "default" && !(await attemptIt())) return area.focus();
    if (await act(api, "text", `${now.key} ${line}`)) await changed();
    if (document.activeElement === document.body) area.focus(); // a button that cannot be pressed any more loses it
  }

  function drawCount() {
    const length = [...typed()].length;
    setText(count, `${length} / ${longest}`);
    count.classList.toggle("desk-over", length > longest);
  }

  /** Let the server say what would be told; returns whether it would be. */
  async function attemptIt() {
    const mine = ++tried;
    let rows = [];
    let trouble = "";
    if (typed()) {
      try {
        rows = await api.tryText(now.key, typed());
      } catch (failure) {
        trouble = sentenceFor(failure);
      }
    }
    if (mine !== tried) return false;
    wrong.replaceChildren(...parts(trouble));
    if (trouble) area.setAttribute("aria-invalid", "true");
    else area.removeAttribute("aria-invalid");
    const possible = rows.length > 0 && typed() !== now.text;
    then.replaceChildren(...(rows.length ? rows.map(bubble) : [text("p", "desk-texts-nothing", { className: "desk-soft" })]));
    instead.disabled = besides.disabled = !possible;
    return rows.length > 0;
  }

  /** Show the text as it is now, and leave what is typed. */
  async function show(row) {
    if (area.value === now.text && row.text !== now.text && row.own.length < 2) area.value = row.text;
    now = row;
    usual.hidden = row.own.length === 0;
    setText(instead, word(row.own.length > 1 ? "desk-texts-alone" : "desk-texts-instead"));
    besides.hidden = row.own.length === 0 || row.own.length >= most;
    chips.replaceChildren(...row.placeholders.map(chip));
    chips.hidden = row.placeholders.length === 0;
    drawCount();
    await attemptIt();
    const told = await attempt(() => api.tryText(row.key, ""));
    if (told !== null) present.replaceChildren(...told.map((each, at) => own(each, at, row.own.length)));
  }

  /** A text of several that are told in turns, which can be removed. */
  function own(trial, at, many) {
    const shown = bubble(trial);
    if (many < 2) return shown;
    const remove = make("button", {
      type: "button",
      className: "small",
      textContent: word("desk-remove"),
      aria: { label: worded("desk-texts-remove", { NUMBER: at + 1 }) },
    });
    remove.addEventListener("click", async () => (await act(api, "text", `${now.key} remove ${at + 1}`)) && changed());
    return make("div", { className: "desk-turn" }, shown, remove);
  }

  /** A placeholder, which is put where the cursor is. */
  function chip(name) {
    const button = make("button", {
      type: "button",
      className: "small desk-chip",
      textContent: `{${name}}`,
      aria: { label: worded("desk-texts-insert", { NAME: `{${name}}` }) },
    });
    button.addEventListener("click", () => {
      area.setRangeText(`{${name}}`, area.selectionStart, area.selectionEnd, "end");
      area.dispatchEvent(new Event("input"));
      area.focus();
    });
    return button;
  }

  return { node, show, focus: () => area.focus() };
}

/** What the chat would read. */
function bubble({ told, missing }) {
  const left = missing.map((each) => `{${each}}`).join(", ");
  return make(
    "div",
    {},
    make("p", { className: "desk-bubble", dir: "auto", textContent: told }),
    ...(left ? [make("p", { className: "desk-soft", textContent: worded("desk-texts-missing", { PLACES: left }) })] : []),
  );
}
