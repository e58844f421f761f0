// What keys mean in a row of things of which one has the focus.

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Return by how many places a key moves the focus; 0 for a key that does not. */
export const stepOf = (key) => STEPS[key] ?? 0;
