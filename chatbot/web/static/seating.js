// Decides in which order the tables of a room stand before a viewer, and which of them stand aside.

/** Whether this viewer plays at a table. */
const plays = (table, seat) => table.places.some((place) => place.seat === seat);

// The ranks at which the table that was opened last comes first: one's own, and those that are over.
const NEWEST_FIRST = new Set([0, 3, 5, 8]);
const newer = (one, other) => (NEWEST_FIRST.has(one.rank) ? other.age - one.age : 0);

const PAST = 8; // the rank of what has been seen for long enough
const isAside = (rank) => rank === 6 || rank === 7;

/**
 * The tables in their order, each with whether it stands `aside`: so do those at which others play on their own.
 * Wherever the viewer plays comes before what others play, until its result has been seen: `past(id)` says so.
 */
export function arranged(tables, seat, buttons, past) {
  const rank = (table) => (past(table.id) && !isAside(rankOf(table)) ? PAST : rankOf(table));
  const rankOf = (table) => {
    if (plays(table, seat)) {
      if (table.over) return 3;
      if (table.apart) return 0;
      return buttons.some((button) => button.table === table.id) ? 1 : 2;
    }
    if (!table.apart) return table.over ? 5 : 4;
    return table.over ? 7 : 6;
  };
  const ranked = tables.map((table, age) => ({ table, age, rank: rank(table) })).sort((one, other) => one.rank - other.rank || newer(one, other));
  // Where nothing else is to be seen, one looks on at the first for as long as there is something to see.
  return ranked.map(({ table, rank: place }, index) => ({ table, aside: isAside(place) && (index > 0 || past(table.id)) }));
}
