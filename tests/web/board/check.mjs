// Checks replays as a page does, but in Node: reads a line of JSON with a text and what the chat was told for each, and
// writes one with what came out.

import { createInterface } from "node:readline";
import { check } from "../../../chatbot/web/static/replay/check.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { text, told } = JSON.parse(line);
  let result;
  try {
    result = await check(text, told);
  } catch (failure) {
    result = { failure: String(failure) };
  }
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
