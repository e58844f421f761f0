// Movements: short, eased out, of transform and opacity only; without motion, everything fades instead.

const EASE = "cubic-bezier(0.16, 1, 0.3, 1)";
const SHORT = 320; // milliseconds
const LONGEST = 400;
const LONG = 1_000_000; // from which a number is drawn briefly
const COUNT_STEPS = 10;
const COUNT_PAUSE = 35; // milliseconds

export const isReduced = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Let something appear from a transform, such as `translateY(40px)`. */
export function enter(node, from = "none", { delay = 0, duration = SHORT } = {}) {
  return node.animate([{ opacity: 0, transform: isReduced() ? "none" : from }, { opacity: 1, transform: "none" }], { duration, delay, easing: EASE, fill: "backwards" });
}

/** Let something disappear to a transform; it stays invisible. */
export function leave(node, to = "none", { delay = 0, duration = SHORT } = {}) {
  return node.animate([{ opacity: 1, transform: "none" }, { opacity: 0, transform: isReduced() ? "none" : to }], { duration, delay, easing: EASE, fill: "forwards" });
}

/** Move something to where it is now from another transform, without fading. */
export function move(node, from, { delay = 0, duration = SHORT } = {}) {
  if (isReduced()) return enter(node, "none", { delay, duration });
  return node.animate([{ transform: from }, { transform: "none" }], { duration, delay, easing: EASE, fill: "backwards" });
}

/** Move something to where it is now from where another box is on the screen, whatever the drawing is scaled to. */
export function glide(node, from, options = {}) {
  const to = node.getBoundingClientRect();
  const ratio = to.width / Math.max(1, node.offsetWidth ?? node.clientWidth); // a picture has only the latter
  return move(node, `translate(${(from.left - to.left) / ratio}px, ${(from.top - to.top) / ratio}px)`, { duration: LONGEST, ...options });
}

/** Let something glide to where it is now from so many pixels beside it. */
export function shift(node, pixels) {
  if (!isReduced()) node.animate([{ transform: `translateX(${pixels}px)` }, { transform: "none" }], { duration: SHORT, easing: EASE });
}

/** Let something swell once. */
export function pulse(node, scale = 1.06, duration = SHORT) {
  if (isReduced()) return;
  node.animate([{ transform: "none" }, { transform: `scale(${scale})`, offset: 0.3 }, { transform: "none" }], { duration, easing: "ease-out" });
}

/** Write a number as it is read in a language. */
export const written = (value, language) => new Intl.NumberFormat(language).format(value);

/** Write a number as there is room for it in a drawing: a long one in millions, such as 1.04M, with two decimals at most. */
export function brief(value, language) {
  if (value < LONG) return written(value, language);
  const format = /** @type {Intl.NumberFormatOptions} */ ({ notation: "compact", maximumFractionDigits: 2, roundingMode: "trunc" });
  return new Intl.NumberFormat(language, format).format(value);
}

/** Write by how much credits changed, as briefly, with a sign. */
export const signed = (value, language) => (value > 0 ? "+" : value < 0 ? "\u2212" : "\u00b1") + brief(Math.abs(value), language);

/** Make a number that counts up or down to each value that `set` is called with, at once the first time. */
export function counter(node, write) {
  let shown = null;
  let timer = 0;

  function set(value) {
    clearTimeout(timer);
    const from = shown;
    shown = value;
    if (from === null || from === value || isReduced()) {
      node.textContent = write(value);
      return;
    }
    step(from, value, 1);
  }

  function step(from, value, count) {
    const part = 1 - (1 - count / COUNT_STEPS) ** 3;
    node.textContent = write(count === COUNT_STEPS ? value : Math.round(from + (value - from) * part));
    if (count < COUNT_STEPS) timer = setTimeout(() => step(from, value, count + 1), COUNT_PAUSE);
  }

  return { set };
}

/**
 * Run steps one after the other, each `after` so many milliseconds; `done` is called at the end.
 * @param {{ after: number, run: () => void }[]} steps
 * @param {() => void} done
 */
export function createSequence(steps, done) {
  let next = 0;
  let timer = 0;
  let ended = false;

  function wait() {
    if (next >= steps.length) {
      ended = true;
      return done();
    }
    timer = setTimeout(() => {
      steps[next++].run();
      wait();
    }, steps[next].after);
    return undefined;
  }

  /** Take all remaining steps at once. */
  function skip() {
    if (ended) return;
    clearTimeout(timer);
    while (next < steps.length) steps[next++].run();
    wait();
  }

  function stop() {
    clearTimeout(timer);
    ended = true;
  }

  wait();
  return { skip, stop };
}
