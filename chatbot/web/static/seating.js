// Decides in which order the tables of a room stand before a viewer, and which of them stand aside.

/** Whether this viewer plays at a table. */
const plays = (table, seat) => table.places.some((place) => place.seat === seat);

// The ranks at which the table that was opened last comes first: one's own, and those that are over.
const NEWEST_FIRST = new Set([0, 2, 4, 7]);
const newer = (one, other) => (NEWEST_FIRST.has(one.rank) ? other.age - one.age : 0);

const PAST = 7; // the rank of what has been seen for long enough
const isAside = (rank) => rank === 5 || rank === 6;

/**
 * The tables in their order, each with whether it stands `aside`: so do those at which others play on their own.
 * `past(id)` says that the result of a table has been seen.
 */
export function arranged(tables, seat, buttons, past) {
  const rank = (table) => (past(table.id) && !isAside(rankOf(table)) ? PAST : rankOf(table));
  const rankOf = (table) => {
    const own = table.apart && plays(table, seat);
    if (own && !table.over) return 0;
    if (plays(table, seat) && buttons.some((button) => button.table === table.id)) return 1;
    if (own) return 2;
    if (!table.apart) return table.over ? 4 : 3;
    return table.over ? 6 : 5;
  };
  const ranked = tables.map((table, age) => ({ table, age, rank: rank(table) })).sort((one, other) => one.rank - other.rank || newer(one, other));
  // Where nothing else is to be seen, one looks on at the first for as long as there is something to see.
  return ranked.map(({ table, rank: place }, index) => ({ table, aside: isAside(place) && (index > 0 || past(table.id)) }));
}
