// Says to whoever was not invited what an invitation is.

import { speak } from "./words.js";

const { language, words } = await (await fetch(`/words/enter?browser=${navigator.language}`)).json();
speak(language, words);
