// Sets the number of simulated viewers, and draws them as heads below the tables.

import { draw, find, findField, setText, tint } from "./dom.js";
import { word } from "./words.js";

const WIDTH = 1_200;
// They are drawn beyond the lower edge of the picture, so that the edge is not visible when they hop.
const SHOULDERS = "M-9 60V23c0-6.200 3.400-9 9-9s9 2.800 9 9v37z";
const ROWS = [
  { heads: 27, floor: 88, size: 62 },
  { heads: 23, floor: 114, size: 72 },
  { heads: 19, floor: 142, size: 84 },
];

/** `bring(count)` requests a crowd of that size from the server. */
export function createCrowd(bring) {
  const field = findField("crowd-count");
  const hint = find("crowd-hint");
  const heads = drawHeads(find("heads"));
  const arriving = shuffled(heads);
  let present = 0;

  find("crowd").addEventListener("submit", (event) => {
    event.preventDefault();
    const count = wanted();
    if (count !== null) field.value = String(count);
    if (count === null || count === present) return explain(count === null ? "page-crowd-missing" : "page-crowd-same");
    return bring(count);
  });
  field.addEventListener("input", refresh);

  /** The number that is entered; null while the field holds no number. */
  function wanted() {
    if (field.value.trim() === "") return null;
    const count = Math.round(Number(field.value));
    return Number.isFinite(count) ? Math.min(Number(field.max), Math.max(0, count)) : null;
  }

  function refresh() {
    const count = wanted();
    const button = find("crowd-bring");
    setText(button, word(effect(count, present)));
    // It is not disabled, so that pressing it can explain why nothing changes.
    button.setAttribute("aria-disabled", String(count === null || count === present));
    explain(null);
  }

  /** Show why nothing was done; null restores the usual text. */
  function explain(id) {
    setText(hint, word(id ?? "page-crowd-hint"));
    hint.classList.toggle("urgent", id !== null);
  }

  function setMost(most) {
    field.max = String(most);
    refresh();
  }

  /** Show `count` viewers; a full crowd fills the picture. */
  function setCount(count) {
    present = count;
    setText(find("crowd-now"), String(count));
    const lit = count ? Math.max(Math.min(count, 12), Math.round((heads.length * count) / Math.max(1, Number(field.max)))) : 0;
    for (const [index, head] of arriving.entries()) head.classList.toggle("here", index < lit);
    refresh();
  }

  /** Let one head hop, because a simulated viewer has spoken. */
  function hop(name) {
    const here = arriving.filter((head) => head.classList.contains("here"));
    if (here.length) jump(here[(Number(tint(name)) * 7 + name.length) % here.length], 0);
  }

  /** Let a wave go through the crowd, because a game has ended. */
  function cheer() {
    for (const head of heads) if (head.classList.contains("here")) jump(head, Number(head.dataset.x) / 2);
  }

  return { cheer, hop, setCount, setMost };
}

// What pressing the button does, as text.
function effect(count, present) {
  if (count === null || count > present) return "page-crowd-bring";
  if (count === present) return present ? "page-crowd-all" : "page-crowd-bring";
  return count ? "page-crowd-fewer" : "page-crowd-away";
}

function jump(head, delay) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  head.firstElementChild.animate(
    [{ transform: "none" }, { transform: "translateY(-14px)", easing: "ease-in" }, { transform: "none" }],
    { duration: 420, delay, easing: "ease-out" },
  );
}

function drawHeads(picture) {
  const heads = ROWS.flatMap(({ heads: count, floor, size }, row) =>
    Array.from({ length: count }, (_, index) => {
      const step = WIDTH / count;
      // Irregular positions that are the same every time.
      const x = (index + 0.5) * step + ((index * 37 + row * 17) % 13) - 6;
      const y = floor - ((index * 53 + row * 29) % 11);
      return drawHead(x, y, size, (index * 5 + row * 3) % 8, row);
    }),
  );
  picture.replaceChildren(...heads);
  return heads.map((head) => /** @type {SVGElement} */ (head.firstElementChild));
}

function drawHead(x, y, size, colour, row) {
  const scale = size / 24;
  const shape = draw("g", {}, draw("circle", { cx: 0, cy: 8, r: 5 }), draw("path", { d: SHOULDERS }));
  const head = draw("g", { class: "crowd-head", "data-tint": colour, "data-x": x, "data-row": row }, shape);
  return draw("g", { transform: `translate(${x} ${y - size}) scale(${scale})` }, head);
}

// A fixed order: the front row, where heads are seen whole, fills first, and evenly rather than from one corner.
function shuffled(heads) {
  const key = (index) => (index * 29 + 17) % heads.length;
  const ranked = heads.map((head, index) => ({ head, key: key(index) - Number(head.dataset.row) * heads.length }));
  return ranked.sort((a, b) => a.key - b.key).map(({ head }) => head);
}
