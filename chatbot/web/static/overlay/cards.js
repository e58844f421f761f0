// Draws playing cards: with a number or a rank and a suit, or face down.

import { draw, make } from "../dom.js";
import { enter, isReduced } from "./motion.js";

const RANKS = "23456789TJQKA";
const SUITS = "SHDC";
const SHAPES = {
  S: "M50 6C36 26 12 38 12 58c0 18 24 24 34 8-1 14-5 22-14 28h36c-9-6-13-14-14-28 10 16 34 10 34-8C88 38 64 26 50 6z",
  H: "M50 92C20 66 8 52 8 32 8 10 38 4 50 28 62 4 92 10 92 32c0 20-12 34-42 60z",
  D: "M50 4l34 46-34 46L16 50z",
  C: "M50 6a20 20 0 0 1 17 31 20 20 0 1 1-11 36c1 10 4 16 12 21H32c8-5 11-11 12-21a20 20 0 1 1-11-36A20 20 0 0 1 50 6z",
};
const TURN = 300; // milliseconds

/**
 * Make a card face up; `suit` is one of S, H, D and C, or null for a plain number.
 * @param {string | number} face
 * @param {string | null} suit
 */
export function drawCard(face, suit = null) {
  const card = make("span", { className: "card", data: { face: String(face), suit: suit ?? "" } }, make("span", { className: "card-face", textContent: face === "T" ? "10" : String(face) }));
  if (suit !== null) {
    const shape = draw("svg", { class: "card-suit", viewBox: "0 0 100 100", "aria-hidden": "true" });
    shape.append(draw("path", { d: SHAPES[suit] }));
    card.append(shape);
  }
  return card;
}

/** Make a card face down, which `turnUp` replaces by another. */
export const drawBack = () => make("span", { className: "card back" });

/** Turn a card over: `card` takes the place of `back`. */
export function turnUp(back, card) {
  back.replaceWith(card);
  if (isReduced()) enter(card);
  else card.animate([{ transform: "rotateY(90deg)" }, { transform: "none" }], { duration: TURN, easing: "ease-out" });
  return card;
}

/** Make a card of a deck of 52 from its number, as the server counts them: four suits of each rank. */
export const cardOf = (number) => drawCard(RANKS[Math.floor(number / SUITS.length)], SUITS[number % SUITS.length]);

/** Make a card from its code, such as `JS`. */
export const cardNamed = (code) => drawCard(code[0], code[1]);

/** Return the code of a card from its number. */
export const codeOf = (number) => RANKS[Math.floor(number / SUITS.length)] + SUITS[number % SUITS.length];
