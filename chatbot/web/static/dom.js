// Makes and updates elements; text from the server is only ever set as a text node or a property, never as HTML.

const SVG = "http://www.w3.org/2000/svg";
const TINTS = 8;

/**
 * Return the element of the page with this id, which always exists.
 * @param {string} id
 * @returns {HTMLElement}
 */
export const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * Return the input field with this id.
 * @param {string} id
 * @returns {HTMLInputElement}
 */
export const findField = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id));

/**
 * Return the dialog with this id.
 * @param {string} id
 * @returns {HTMLDialogElement}
 */
export const findDialog = (id) => /** @type {HTMLDialogElement} */ (document.getElementById(id));

/**
 * Return the first element in `node` that matches a selector, which must exist.
 * @param {ParentNode} node
 * @param {string} selector
 * @returns {HTMLElement}
 */
export const within = (node, selector) => /** @type {HTMLElement} */ (node.querySelector(selector));

/**
 * Return all elements in `node` that match a selector.
 * @param {ParentNode} node
 * @param {string} selector
 * @returns {HTMLElement[]}
 */
export const allWithin = (node, selector) => [.../** @type {NodeListOf<HTMLElement>} */ (node.querySelectorAll(selector))];

/**
 * Make an element; `properties` are DOM properties, with `data` for data attributes and `aria` for ARIA attributes.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, { data = {}, aria = {}, ...properties } = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  Object.assign(node.dataset, data);
  for (const [name, value] of Object.entries(aria)) node.setAttribute(`aria-${name}`, value);
  node.append(...children);
  return node;
}

/**
 * Make an SVG element.
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElement}
 */
export function draw(tag, attributes = {}, ...children) {
  const node = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/**
 * Let the second click of a double click on a button do nothing: it could make another move, or open another game.
 * @template {HTMLElement} Button
 * @param {Button} button
 * @returns {Button}
 */
export function withoutDouble(button) {
  button.addEventListener("click", (event) => {
    if (event.detail < 2) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  return button;
}

/**
 * Make an icon of the page's own sheet; `label` is its accessible name, and an icon without one is decorative.
 * @param {string} name
 * @param {string | null} [label]
 */
export function icon(name, label = null) {
  const image = draw("svg", { class: `icon icon-${name}`, focusable: "false" });
  if (label === null) image.setAttribute("aria-hidden", "true");
  else {
    image.setAttribute("role", "img");
    image.setAttribute("aria-label", label);
    image.append(draw("title", {}, label));
  }
  image.append(draw("use", { href: `#i-${name}` }));
  return image;
}

/** Make an element with a name, isolated so that its writing direction does not affect the text around it. */
export function nameTag(name) {
  return tinted(make("bdi", { className: "name", textContent: name, title: name }), name);
}

/** @type {Map<string, number>} */
let given = new Map(); // colours of those at the table that is drawn, which differ from each other

/** Give an element the colour of a name, which follows `giveTints`. */
export function tinted(node, name) {
  node.dataset.named = name;
  node.dataset.tint = String(given.get(name) ?? tint(name));
  return node;
}

/** Let names have these colours, everywhere in the page; all others have colours of their own. */
export function giveTints(tints) {
  if (tints.size === given.size && [...tints].every(([name, colour]) => given.get(name) === colour)) return;
  given = tints;
  for (const node of allWithin(document, "[data-named]")) tinted(node, node.dataset.named);
}

/** Return one of a few colours, always the same for the same name. */
export function tint(name) {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)) % 65_521;
  return String(sum % TINTS);
}

/** Set a text only if it differs, so that selections and screen readers are not disturbed. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Make the children of `parent` match `items`; elements whose key remains are kept, with their focus and scroll position.
 * @template T
 * @param {Element} parent
 * @param {T[]} items
 * @param {(item: T) => unknown} keyOf
 * @param {(item: T) => HTMLElement} build
 * @param {(node: HTMLElement, item: T) => void} update
 */
export function follow(parent, items, keyOf, build, update) {
  const keys = uniqueKeys(items, keyOf);
  const wanted = new Set(keys);
  for (const node of childrenOf(parent)) if (!wanted.has(node.dataset.key)) node.remove();
  const present = new Map(childrenOf(parent).map((node) => [node.dataset.key, node]));
  let next = parent.firstElementChild;
  items.forEach((item, index) => {
    const node = present.get(keys[index]) ?? keyed(build(item), keys[index]);
    update(node, item);
    if (node === next) next = node.nextElementSibling;
    else parent.insertBefore(node, next);
  });
}

/**
 * Return the children of an element of the page, which are all HTML elements.
 * @param {Element} parent
 * @returns {HTMLElement[]}
 */
export const childrenOf = (parent) => /** @type {HTMLElement[]} */ ([...parent.children]);

function keyed(node, key) {
  node.dataset.key = key;
  return node;
}

// Two items may share a key; the second then gets a key with a number.
function uniqueKeys(items, keyOf) {
  const seen = new Map();
  return items.map((item) => {
    const key = String(keyOf(item));
    seen.set(key, (seen.get(key) ?? 0) + 1);
    return seen.get(key) === 1 ? key : `${key} #${seen.get(key)}`;
  });
}
