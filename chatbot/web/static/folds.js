// Folds finished tables after they were visible for a while; they can be unfolded again.

const SEEN = 20_000; // milliseconds on the screen after which a result is old news
const TICK = 1_000;

/** `changed()` is called when a table folds by itself; `read(id)` says whether the user is reading or using that table. */
export function createFolds(changed, read) {
  const met = new Map(); // table -> when it was first seen
  const ended = new Map(); // table -> when it was first seen to be over
  const watched = new Map(); // table that is over -> for how long it has been on the screen
  const past = new Set();
  const open = new Map(); // of those that are past, what somebody looks at again, and since when

  setInterval(() => age() && changed(), TICK);

  /** Update from the list of tables and those at which `seat` plays. */
  function see(tables, seat) {
    const now = performance.now();
    for (const kept of [met, ended, watched, past, open]) for (const id of kept.keys()) if (!tables.some((table) => table.id === id)) kept.delete(id);
    for (const { id, over } of tables) {
      if (!met.has(id)) met.set(id, now);
      if (over && !ended.has(id)) ended.set(id, now);
    }
    // A viewer who plays on at another table no longer reads those that ended before.
    const newest = tables.filter(({ over, places }) => !over && places.some((place) => place.seat === seat)).map(({ id }) => met.get(id));
    const since = (at) => newest.some((begun) => begun > at);
    for (const [id, at] of ended) if (since(at)) past.add(id);
    for (const [id, at] of open) if (since(at)) open.delete(id);
  }

  // A table is not folded while it is read, nor while the page is in the background.
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
