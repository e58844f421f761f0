// The bar of changes that are not applied yet, and the dialog that lists them before they are.

import { find, make } from "../dom.js";
import { word } from "../words.js";
import { act, askFirst, differences } from "./asking.js";
import { attempt, sentenceFor, tell, worded } from "./telling.js";

/** Draw the bar for the changes of a desk, or hide it. */
export function drawBar(desk) {
  const { drafts } = desk;
  const bar = find("bar");
  const count = drafts.count();
  bar.hidden = count === 0;
  if (!count) return bar.replaceChildren();
  const sentence = worded(count === 1 ? "desk-bar-one" : "desk-bar", { COUNT: count });
  const told = make("span", { textContent: sentence });
  // The bar is the last thing of the page: who does not see it must hear that Enter alone applied nothing.
  find("announce").textContent = `${sentence}. ${word("desk-bar-look")}: Ctrl + Enter`;
  if (bar.firstElementChild) return bar.firstElementChild.replaceWith(told);
  const look = make("button", {
    type: "button",
    className: "button brand-button",
    textContent: word("desk-bar-look"),
    id: "apply",
    title: word("desk-bar-key"),
  });
  const drop = make("button", { type: "button", className: "button", textContent: word("desk-bar-drop") });
  look.addEventListener("click", () => review(desk));
  drop.addEventListener("click", () => {
    drafts.clear();
    desk.reopen();
    tell(word("desk-dropped"));
  });
  return bar.replaceChildren(told, look, drop);
}

/** List all changes that are not applied yet, and apply them if that is wanted. */
export async function review(desk) {
  if (document.querySelector("dialog[open]")) return;
  await desk.drafts.checked();
  if (!desk.drafts.count()) return;
  const { api, drafts } = desk;
  let rows;
  try {
    rows = await api.preview(drafts.values());
  } catch (failure) {
    tell(sentenceFor(failure), "refused");
    return;
  }
  const many = drafts.groups().length > 1;
  const body = [
    differences(rows.map((each) => ({ ...each, group: many ? desk.titleOf({ name: each.group }) : "" }))),
  ];
  const title = worded(rows.length === 1 ? "desk-apply-one" : "desk-apply", { COUNT: rows.length });
  askFirst({ title, body, go: word("desk-apply-go"), reason: true }, async (reason) => {
    for (const group of drafts.groups()) {
      const result = await attempt(() => api.preview({ [group]: drafts.values()[group] }));
      if (result === null) return word("desk-lost");
      await act(api, "set", drafts.line(group, reason), { agreed: true });
      drafts.clear(group);
    }
    await desk.renew();
    find("main").focus();
    return undefined;
  });
}
