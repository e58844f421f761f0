// Decides in which order the tables of a room stand before a viewer, and which of them stand aside.

/** Whether this viewer plays at a table. */
const plays = (table, seat) => table.places.some((place) => place.seat === seat);

// The ranks at which the table that was opened last comes first: one's own, and those that are over.
const NEWEST_FIRST = new Set([0, 2, 4]);
const newer = (one, other) => (NEWEST_FIRST.has(one.rank) ? other.age - one.age : 0);

/** The tables in their order, each with whether it stands `aside`: so do those at which others play on their own. */
export function arranged(tables, seat, buttons) {
  const rank = (table) => {
    const own = table.apart && plays(table, seat);
    if (own && !table.over) return 0;
    if (plays(table, seat) && buttons.some((button) => button.table === table.id)) return 1;
    if (own) return 2;
    if (!table.apart) return table.over ? 4 : 3;
    return table.over ? 6 : 5;
  };
  const ranked = tables.map((table, age) => ({ table, age, rank: rank(table) })).sort((one, other) => one.rank - other.rank || newer(one, other));
  // Where nothing else is to be seen, one looks on at the first.
  return ranked.map(({ table, rank: place }, index) => ({ table, aside: place >= 5 && index > 0 }));
}
