// Notices what others change in a room, and tells who did it.

import { Trouble } from "./api.js";

const AFTER_A_FAILURE = 5_000; // milliseconds
const MOST_TOLD = 3; // actions of others that are told at once

/**
 * Follow a room until the function that is returned is called. `changed(what)` is told which parts are
 * others now, and in a sentence what somebody else did last.
 */
export function follow(desk, changed) {
  const aborting = new AbortController();
  run(desk, changed, aborting.signal);
  return () => aborting.abort();
}

async function run({ api }, changed, signal) {
  let known = null;
  while (!signal.aborted) {
    try {
      const news = await api.news(known?.mark ?? "", signal);
      if (signal.aborted) return;
      if (known && news.mark !== known.mark) await changed(await compared(api, known, news));
      known = news;
    } catch (failure) {
      if (!(failure instanceof Trouble)) throw failure;
      if ([401, 403, 404].includes(failure.status)) return; // the page begins anew
      await new Promise((resolve) => setTimeout(resolve, AFTER_A_FAILURE));
    }
  }
}

async function compared(api, known, news) {
  const what = {
    audit: news.audit !== known.audit,
    settings: news.settings !== known.settings,
    tables: news.tables !== known.tables,
    others: "",
  };
  if (what.audit) what.others = await doneByOthers(api, known.audit);
  return what;
}

/** Say what others did since an action, the newest last. */
async function doneByOthers(api, since) {
  const rows = await api.audit({ count: MOST_TOLD + 1 });
  const others = rows.filter(({ number, own }) => number > since && !own).slice(0, MOST_TOLD);
  return others
    .reverse()
    .map(({ by, text, why }) => `${by}: ${text}${why ? ` (${why})` : ""}`)
    .join("\n");
}
