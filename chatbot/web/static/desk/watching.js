// Notices what others change in a room, and tells who did it.

import { Trouble } from "./api.js";

const AFTER_A_FAILURE = 5_000; // milliseconds

/**
 * Follow a room until the function that is returned is called. `changed(what)` is told which parts are
 * others now, and in a sentence what somebody else did last.
 */
export function follow(desk, changed) {
  const aborting = new AbortController();
  run(desk, changed, aborting.signal);
  return () => aborting.abort();
}

async function run({ api, me }, changed, signal) {
  let known = null;
  while (!signal.aborted) {
    try {
      const news = await api.news(known?.mark ?? "", signal);
      if (signal.aborted) return;
      if (known && news.mark !== known.mark) await changed(await compared(api, me, known, news));
      known = news;
    } catch (failure) {
      if (!(failure instanceof Trouble)) throw failure;
      if ([401, 403, 404].includes(failure.status)) return;
      await new Promise((resolve) => setTimeout(resolve, AFTER_A_FAILURE));
    }
  }
}

async function compared(api, me, known, news) {
  const what = {
    audit: news.audit !== known.audit,
    settings: news.settings !== known.settings,
    tables: news.tables !== known.tables,
    others: "",
  };
  if (what.audit) {
    const newest = (await api.use("audit", "1")).answers[0]?.text ?? "";
    if (!newest.includes(` ${me.name},`)) what.others = newest;
  }
  return what;
}
