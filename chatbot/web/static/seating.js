// Decides in which order the tables of a room stand before a viewer, and which of them stand aside.

/** Whether this viewer plays at a table. */
const plays = (table, seat) => table.places.some((place) => place.seat === seat);

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
  const ranked = tables.map((table) => ({ table, rank: rank(table) })).sort((one, other) => one.rank - other.rank);
  // Where nothing else is to be seen, one looks on at the first.
  return ranked.map(({ table, rank: place }, index) => ({ table, aside: place >= 5 && index > 0 }));
}
