// Makes and updates elements; text from the server only ever becomes a text node or a property.

const SVG = "http://www.w3.org/2000/svg";
const TINTS = 8;

/**
 * The element of the page with this id, which is always there.
 * @param {string} id
 * @returns {HTMLElement}
 */
export const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * The field of a form with this id.
 * @param {string} id
 * @returns {HTMLInputElement}
 */
export const findField = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id));

/**
 * The dialog with this id.
 * @param {string} id
 * @returns {HTMLDialogElement}
 */
export const findDialog = (id) => /** @type {HTMLDialogElement} */ (document.getElementById(id));

/**
 * The first element in `node` that a selector finds; it is one that we have put there.
 * @param {ParentNode} node
 * @param {string} selector
 * @returns {HTMLElement}
 */
export const within = (node, selector) => /** @type {HTMLElement} */ (node.querySelector(selector));

/**
 * All elements in `node` that a selector finds.
 * @param {ParentNode} node
 * @param {string} selector
 * @returns {HTMLElement[]}
 */
export const allWithin = (node, selector) => [.../** @type {NodeListOf<HTMLElement>} */ (node.querySelectorAll(selector))];

/**
 * An element; `properties` are DOM properties, with `data` for its data attributes and `aria` for its aria ones.
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
 * An element of a drawing.
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
 * An icon of the page's own sheet; `label` is read aloud, and an icon without one is decoration.
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

/** A name, kept apart from its surroundings so that its writing direction cannot turn them around. */
export function nameTag(name) {
  return make("bdi", { className: "name", textContent: name, title: name, data: { tint: tint(name) } });
}

/** One of a few colours, always the same for the same name. */
export function tint(name) {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)) % 65_521;
  return String(sum % TINTS);
}

/** Change a text only if it differs, so that selections and screen readers are left in peace. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Make the children of `parent` follow `items` and keep every element whose key stays: focus and scroll survive.
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
 * The children of an element of the page, which are all of HTML.
 * @param {Element} parent
 * @returns {HTMLElement[]}
 */
export const childrenOf = (parent) => /** @type {HTMLElement[]} */ ([...parent.children]);

function keyed(node, key) {
  node.dataset.key = key;
  return node;
}

// Two facts may share a label; the second then counts as another one.
function uniqueKeys(items, keyOf) {
  const seen = new Map();
  return items.map((item) => {
    const key = String(keyOf(item));
    seen.set(key, (seen.get(key) ?? 0) + 1);
    return seen.get(key) === 1 ? key : `${key} #${seen.get(key)}`;
  });
}
