// Holds back lines of the chat that would tell a result before the drawing has shown it.

const GRACE = 250; // milliseconds in which what a line tells of reaches the drawing, too
const LONGEST = 25_000; // milliseconds after which a line is shown in any case

/**
 * `show(lines)` shows lines, `drawn(table)` tells whether a table is drawn, and `awaited(table)` whether it is just being
 * revealed. Lines of a table are
 * shown in the order in which they came. Call `check()` when something has been revealed.
 */
export function createHolding({ show, drawn, awaited }) {
  /** @type {{ line: any, at: number }[]} */
  let held = [];

  function take(line) {
    const at = performance.now();
    const told = line.kind === "bot" && line.table && (drawn(line.table) || held.some((each) => each.line.table === line.table));
    // What is said in the meantime keeps its place behind it.
    if (!told && !held.some((each) => at - each.at < GRACE)) return show([line]);
    held.push({ line, at });
    setTimeout(check, GRACE);
    return setTimeout(check, LONGEST);
  }

  function check() {
    const now = performance.now();
    const ready = held.filter(({ line, at }) => now - at >= LONGEST - 1 || (now - at >= GRACE - 1 && !(line.table && line.kind === "bot" && awaited(line.table))));
    if (!ready.length) return;
    held = held.filter((each) => !ready.includes(each));
    show(ready.map(({ line }) => line));
  }

  return { check, take };
}
