// The drawings of the games, by their names; `plain` draws any other game from its lines.

import { chickenpoker } from "./chickenpoker.js";
import { heist } from "./heist.js";
import { highshow } from "./highshow.js";
import { plain } from "./plain.js";
import { pokermarket } from "./pokermarket.js";
import { sixcardpoker } from "./sixcardpoker.js";

/** @type {Record<string, import("./director.js").Drawing>} */
export const drawings = { chickenpoker, heist, highshow, plain, pokermarket, sixcardpoker };
