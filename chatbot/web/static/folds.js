// Knows which finished tables have been seen for a while: they are folded, and whoever wants to looks again.

const SEEN = 20_000; // milliseconds on the screen after which a result is old news
const TICK = 1_000;

/** `changed()` is called when a table folds by itself; `read(id)` says whether somebody is at work in that table. */
export function createFolds(changed, read) {
  const met = new Map(); // table -> when it was first seen
  const ended = new Map(); // table -> when it was first seen to be over
  const watched = new Map(); // table that is over -> for how long it has been on the screen
  const past = new Set();
  const open = new Map(); // of those that are past, what somebody looks at again, and since when

  setInterval(() => age() && changed(), TICK);

  /** Take note of the tables, and of those that `seat` plays at. */
  function see(tables, seat) {
    const now = performance.now();
    for (const kept of [met, ended, watched, past, open]) for (const id of kept.keys()) if (!tables.some((table) => table.id === id)) kept.delete(id);
    for (const { id, over } of tables) {
      if (!met.has(id)) met.set(id, now);
      if (over && !ended.has(id)) ended.set(id, now);
    }
    // Whoever plays on at another table has turned away from what ended before.
    const newest = tables.filter(({ over, places }) => !over && places.some((place) => place.seat === seat)).map(({ id }) => met.get(id));
    const since = (at) => newest.some((begun) => begun > at);
    for (const [id, at] of ended) if (since(at)) past.add(id);
    for (const [id, at] of open) if (since(at)) open.delete(id);
  }

  // Nothing closes under the hands of a reader, nor behind the back of who is at another page.
  function age() {
    if (document.hidden) return false;
    for (const id of ended.keys()) watched.set(id, (watched.get(id) ?? 0) + TICK);
    const old = [...watched.keys()].filter((id) => !past.has(id) && watched.get(id) > SEEN && !read(id));
    for (const id of old) past.add(id);
    return old.length > 0;
  }

  function toggle(id) {
    if (past.has(id) && !open.delete(id)) open.set(id, performance.now());
    past.add(id);
    changed();
  }

  return { folded: (id) => past.has(id) && !open.has(id), past: (id) => past.has(id), see, toggle };
}
