// Changes of settings that are not applied yet, in all groups of a room.

/** @typedef {import("./api.js").Difference} Difference */

/** Make a store of changes; `changed()` is called whenever there are others. */
export function createDrafts(changed) {
  /** @type {Map<string, Map<string, string | null>>} */
  const groups = new Map();
  /** @type {Set<Promise<unknown>>} */
  const checks = new Set();

  /** Remember that a value is being checked, which becomes a wish if it is possible. */
  function during(check) {
    checks.add(check);
    const end = () => checks.delete(check);
    check.then(end, end);
    return check;
  }

  /** Wait until all values that were typed are wishes, or are none. */
  async function checked() {
    await Promise.allSettled([...checks]);
    await new Promise((resolve) => setTimeout(resolve));
  }

  /** Want a value, as it is typed; null is the default, and undefined takes the wish back. */
  function want(group, key, value) {
    const wanted = groups.get(group) ?? new Map();
    if (value === undefined) wanted.delete(key);
    else wanted.set(key, value);
    if (wanted.size) groups.set(group, wanted);
    else groups.delete(group);
    changed();
  }

  function clear(group = "") {
    if (group) groups.delete(group);
    else groups.clear();
    changed();
  }

  /** All wishes as the server takes them: by group and key. */
  const values = () =>
    Object.fromEntries([...groups].map(([group, wanted]) => [group, Object.fromEntries(wanted)]));

  /** The line behind the command `set` that makes the changes of a group. */
  function line(group, reason) {
    const pairs = [...(groups.get(group) ?? [])].map(([key, value]) => `${key} ${value ?? "default"}`);
    return `${group} ${pairs.join(" ")}${reason ? ` -- ${reason}` : ""}`;
  }

  return {
    checked,
    during,
    clear,
    count: () => [...groups.values()].reduce((sum, wanted) => sum + wanted.size, 0),
    groups: () => [...groups.keys()],
    line,
    of: (group, key) => groups.get(group)?.get(key),
    values,
    want,
  };
}
