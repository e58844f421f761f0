// Determines the order in which a viewer sees the tables of a room, and which of them are aside.

/** Whether this viewer plays at a table. */
const plays = (table, seat) => table.places.some((place) => place.seat === seat);

// Ranks in which the table that was opened last comes first: the viewer's own, and those that are over.
const NEWEST_FIRST = new Set([0, 3, 5, 8]);
const newer = (one, other) => (NEWEST_FIRST.has(one.rank) ? other.age - one.age : 0);

const PAST = 8; // the rank of what has been seen for long enough
const isAside = (rank) => rank === 6 || rank === 7;

/**
 * Return the tables in order, each with whether it is `aside`, as tables are that others play on their own.
 * Tables at which the viewer plays come before others until their result was seen, which `past(id)` tells.
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
  // If there is nothing else, the first table is shown in full while it is worth watching.
  return ranked.map(({ table, rank: place }, index) => ({ table, aside: isAside(place) && (index > 0 || past(table.id)) }));
}
