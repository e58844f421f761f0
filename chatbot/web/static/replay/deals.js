// Which cards the draws of a table have dealt, and whether its pictures show these: for each game how it deals, and no
// other rule.

const FACES = 4; // of each of the four faces of Six Card Poker there are so many cards
const HELD = 6; // cards of a hand of Six Card Poker
const DECK = 52;
const HAND = 5; // cards of a hand of Poker Market

/**
 * How a game deals: the draws in JSON become what was dealt (null: nothing was), which a picture can contradict.
 * @typedef {{ dealt: (draws: any[]) => any, contradicts: (dealt: any, frame: any) => boolean }} Deal
 */

/** @type {Record<string, Deal>} */
export const deals = {
  // The lowest card is one more than the first draw, and the deck from there on is shuffled.
  highshow: {
    dealt: (draws) => {
      const [lowest, deck] = [draws.find(([kind]) => kind === "below"), draws.find(([kind]) => kind === "sample")];
      return lowest && deck ? deck[3].map((place) => place + 1 + lowest[2]) : null;
    },
    contradicts: (deck, { table: { view }, hands }) => {
      if (view.progress === null) return facesOf(hands[""]).length > 0;
      const { seen, shown } = view.progress;
      const order = [...seen.map(({ card }) => card), ...(shown === null ? [] : [shown]), ...view.rest];
      return order.some((card, at) => deck[at] !== card) || facesOf(hands[""]).some((face) => !order.map(String).includes(face));
    },
  },
  // Of twelve cards whoever opened gets the first six, and the other one the rest.
  sixcardpoker: {
    dealt: (draws) => {
      const sample = draws.find(([kind, , count]) => kind === "sample" && count === 2 * HELD);
      const faces = sample?.[3].map((place) => String(1 + Math.floor(place / FACES)));
      return faces ? [faces.slice(0, HELD), faces.slice(HELD)] : null;
    },
    contradicts: (dealt, { table: { view }, hands }) =>
      [view.player, view.rival].some((seat, at) => {
        const held = view.held[seat];
        const rows = Object.values(hands).map((each) => facesOf(each.filter((row) => row.seat === seat)));
        return (held !== undefined && !isSame(held, dealt[at])) || rows.some((faces) => faces.length > 0 && !isSame(faces, dealt[at]));
      }),
  },
  // The order of turns is shuffled; then as many cards are drawn as all get, who get one after the other.
  pokermarket: {
    dealt: (draws) => draws.find(([kind, size]) => kind === "sample" && size === DECK)?.[3] ?? null,
    contradicts: (cards, { table: { view } }) => {
      if (view.market === null) return false;
      const { hands, turn } = view.market;
      const count = cards.length / HAND;
      const first = (place) => cards.filter((_, at) => at % count === place);
      return !isSame(hands.flat(), cards) || (turn === 0 && hands.some((hand, place) => !isSame(hand, first(place))));
    },
  },
};

const facesOf = (rows) => rows.flatMap(({ cards }) => cards.map(({ face }) => face));

/** Whether two lists hold the same cards, in whatever order. */
function isSame(one, other) {
  const sorted = (cards) => cards.map(String).sort().join(" ");
  return sorted(one) === sorted(other);
}
