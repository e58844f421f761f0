// The state of a room: the tables of the last picture and of all changes since.

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A table with what was said of it; `seen` tells whether it was ever received before it was over.
 * @typedef {{ data: any, told: Map<string, any>, seen: boolean, voided: boolean }} Entry
 */

export function createStore() {
  /** @type {Map<string, Entry>} */
  let tables = new Map();
  let number = null;
  const store = { hear, entries: () => [...tables.values()], label, left, language: "en", wording: 0 };
  let labels = {};
  // How far the clock of this machine is ahead of the server's, in milliseconds.
  let ahead = 0;

  /** Take an event over; false if events before it are missing, and a picture is needed. */
  function hear(event) {
    if (event.kind === "picture") {
      takePicture(event);
      return true;
    }
    if (number === null) return true; // of a picture that was asked for and is on its way
    if (event.number !== number + 1) {
      number = null;
      return false;
    }
    number = event.number;
    ahead = Date.now() - Date.parse(event.at);
    change(event);
    return true;
  }

  function takePicture(event) {
    const known = tables;
    number = event.number;
    ahead = Date.now() - Date.parse(event.at);
    if (JSON.stringify(event.labels) !== JSON.stringify(labels)) store.wording += 1;
    labels = event.labels;
    store.language = event.language;
    tables = new Map();
    for (const table of event.tables) tables.set(table.id, entryOf(table, known.get(table.id)));
  }

  function change(event) {
    if (event.kind === "opened" || event.kind === "changed") {
      tables.set(event.table.id, entryOf(event.table, tables.get(event.table.id)));
    } else if (event.kind === "cleared") {
      tables.delete(event.table);
    } else if (event.kind === "halted") {
      // Their clocks are stopped until each is told of again.
      for (const entry of tables.values()) entry.data = { ...entry.data, phase: entry.data.phase && { ...entry.data.phase, ends: null } };
    } else if (event.kind === "voided") {
      const entry = tables.get(event.table);
      if (entry) entry.voided = true;
    } else if (event.kind === "told" && event.table !== null) {
      tables.get(event.table)?.told.set(event.about, event.message);
    }
  }

  /** Return a text of the room's language, with values in place of its blanks. */
  function label(id, values = {}) {
    const text = labels[id] ?? "";
    return text.replace(/\{(\w+)\}/g, (blank, name) => isolated(String(values[name] ?? blank)));
  }

  /** Return the seconds until the phase of a table ends, or null if that is hidden or its clock is stopped. */
  function left(table) {
    const ends = table.phase?.ends;
    return ends ? Math.max(0, (Date.parse(ends) + ahead - Date.now()) / 1000) : null;
  }

  return store;
}

/** @returns {Entry} */
function entryOf(table, former) {
  return {
    data: table,
    told: former?.told ?? new Map(),
    seen: (former?.seen ?? false) || !table.over,
    voided: former?.voided ?? false,
  };
}

/** Isolate a text that is written from right to left, which would reorder the numbers next to it. */
const isolated = (text) => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);
