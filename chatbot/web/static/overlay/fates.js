// Decides what became of a heister: everything that is drawn or said of it on a page or an overlay is made of this.

const AWAY = new Set(["escaped", "ran"]);

/** Whether a heister went in at all. */
export const went = ({ fate }) => fate !== "returned";

/** Whether one got away, whatever is left of what they took. */
export const isAway = ({ fate }) => AWAY.has(fate);

/** Return the one of three ends that it is: returned, caught, or escaped. */
export const endOf = (outcome) => (!went(outcome) ? "returned" : isAway(outcome) ? "escaped" : "caught");

/** By how much somebody is richer, what lies on the own account included. */
export const gainOf = (outcome) => outcome.received - outcome.cost + (outcome.act === "deposit" ? outcome.put_by : 0);

/** How much of what they took somebody spent, so that they are not richer; 0 if it was not that. */
export const spentOf = (outcome) => (isAway(outcome) && outcome.act === "intel" && gainOf(outcome) <= 0 ? outcome.put_by : 0);
