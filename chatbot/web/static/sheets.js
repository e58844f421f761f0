// Gives a tree of its own the styles of drawings: by their addresses, or in a file that needs no server from itself.

import { make } from "./dom.js";

/**
 * @param {ShadowRoot} root
 * @param {string[]} names
 */
export function dress(root, names) {
  const carried = document.getElementById("sheets");
  if (!carried) return root.append(...names.map((name) => make("link", { rel: "stylesheet", href: `/static/${name}` })));
  const texts = JSON.parse(carried.textContent ?? "{}");
  root.adoptedStyleSheets = names.map((name) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(texts[name]);
    return sheet;
  });
  return undefined;
}
