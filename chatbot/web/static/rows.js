// Lays out items in as few rows as possible, of about equal length, without a single item in the last row.

const LEAST = "--least"; // how narrow a column may be: a number of em, or as natural as its content needs
const NATURAL = "natural";
const TWICE = 2; // columns that the first takes where it alone has much to say

const laid = new WeakMap(); // what stands in rows -> what these were made for
const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) arrange(target);
});

/** Keep the items of `node` in even rows at any width; it is a grid of `--columns`, of which each item takes a `--span`. */
export function inRows(node) {
  observer.observe(node);
  return node;
}

/**
 * Distribute `count` items over rows of at most `most` columns: returns the `columns`, and how many of them the first and
 * the last item take. The first takes `wide`, or one more if the last would be alone otherwise.
 */
export function shared(count, most, wide = 1) {
  const ways = [wide, wide + 1].map((first) => fitted(count, most, Math.min(first, most)));
  return ways.find(({ lone }) => !lone) ?? { ...ways[0], last: ways[0].columns };
}

function fitted(count, most, first) {
  const cells = count - 1 + first;
  const columns = Math.max(first, Math.ceil(cells / Math.ceil(cells / most)));
  return { columns, first, last: 1, lone: columns > 1 && cells > columns && cells % columns === 1 };
}

/** Lay out again, if anything has changed on which the rows of `node` depend. */
export function arrange(node) {
  const style = getComputedStyle(node);
  const least = style.getPropertyValue(LEAST).trim();
  // An item with a row of its own at any width is not part of the other rows.
  const things = [...node.children].filter((each) => each.offsetWidth && getComputedStyle(each).gridColumnEnd !== "-1");
  if (!least || !things.length) return;
  const em = parseFloat(style.fontSize);
  const now = [least, em, node.clientWidth, ...things.map((each) => each.textContent)].join("\n");
  if (laid.get(node) === now) return;
  laid.set(node, now);
  const gap = parseFloat(style.columnGap) || 0;
  const room = node.clientWidth - parseFloat(style.paddingInlineStart) - parseFloat(style.paddingInlineEnd);
  const widths = least === NATURAL ? natural(node, things) : things.map(() => parseFloat(least) * em);
  const [first, ...others] = widths;
  const widest = Math.max(0, ...others);
  const wide = first > widest && first <= TWICE * widest + gap;
  const cell = wide ? widest : Math.max(first, widest);
  const most = Math.max(1, Math.floor((room + gap) / (cell + gap)));
  const found = shared(things.length, most, wide ? TWICE : 1);
  // Items that fit beside each other at their natural widths need no columns.
  node.classList.toggle("single", least === NATURAL && widths.reduce((sum, each) => sum + each + gap, -gap) <= room);
  node.style.setProperty("--columns", String(found.columns));
  node.style.setProperty("--cell", `${cell}px`);
  for (const each of things) each.style.setProperty("--span", String(each === things[0] ? found.first : each === things.at(-1) ? found.last : 1));
}

// The natural widths of items, neither shrunk nor stretched.
function natural(node, things) {
  node.classList.add("unshared");
  const widths = things.map((each) => each.offsetWidth + 1);
  node.classList.remove("unshared");
  return widths;
}
