// Moments and spans, as people say them in the language of the page.

import { make } from "../dom.js";

const STEPS = /** @type {[Intl.RelativeTimeFormatUnit, number][]} */ ([
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
]);
const A_MONTH = 30 * 86_400; // seconds; who reads of something older wants its date

const language = () => document.documentElement.lang || "en";

/** Make an element that says how long ago something was, and when it was to whoever points at it. */
export function moment(at) {
  const date = new Date(at);
  const exact = date.toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });
  return make("time", { dateTime: date.toISOString(), title: exact, textContent: ago(date) });
}

/** Say how long ago a moment was; of one long ago, its date. */
export function ago(date) {
  const seconds = (Date.now() - date.getTime()) / 1000;
  if (seconds > A_MONTH) return date.toLocaleDateString(language(), { dateStyle: "medium" });
  const format = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
  const [unit, length] = STEPS.find(([, least]) => seconds >= least) ?? ["second", 1];
  return unit === "second" ? format.format(0, "second") : format.format(-Math.floor(seconds / length), unit);
}

/** Write seconds as a clock does, such as 1:05. */
export function clock(seconds) {
  const whole = Math.max(Math.ceil(seconds), 0);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** Write a number with its groups of digits. */
export const number = (value) => Number(value).toLocaleString(language());

/** Write a change of credits with its sign. */
export const signed = (value) => `${value < 0 ? "−" : "+"}${number(Math.abs(value))}`;
