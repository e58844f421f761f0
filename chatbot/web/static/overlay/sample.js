// Plays the recorded events of a heist, or a recorded league, for a preview where nothing is played.

const LONGEST = 4_000; // milliseconds between two events: in a preview nobody waits for a lobby
const HEISTS = { en: "/static/overlay/sample-en.json", ko: "/static/overlay/sample-ko.json" };
const LEAGUES = { en: "/static/overlay/sample-league-en.json", ko: "/static/overlay/sample-league-ko.json" };

/** Tell recorded events at the pace at which they came; what is sent back is for nobody. */
export function playSample(hear) {
  play(hear);
  return { send: () => undefined };
}

/** Tell what was recorded of a league, each at its time. */
export async function playLeague(hear) {
  for (const { seconds, league } of await recorded(LEAGUES)) setTimeout(() => hear(league), seconds * 1_000);
}

/** Return what is in the file of the language that is asked for. */
async function recorded(files) {
  const language = new URLSearchParams(location.search).get("language") ?? "en";
  const answer = await fetch(files[language] ?? files.en);
  return answer.json();
}

async function play(hear) {
  const events = await recorded(HEISTS);
  let former = events[0].at;
  for (const event of events) {
    const wait = Math.min(LONGEST, Date.parse(event.at) - Date.parse(former));
    if (wait > 0) await new Promise((done) => setTimeout(done, wait));
    former = event.at;
    hear({ ...event, ...again(event) });
  }
}

/** Return what differs when an event is told now: the clock of its table counts from now. */
function again(event) {
  const at = new Date();
  const ends = event.table?.phase?.ends;
  if (!ends) return { at: at.toISOString() };
  const later = new Date(at.getTime() + Date.parse(ends) - Date.parse(event.at)).toISOString();
  return { at: at.toISOString(), table: { ...event.table, phase: { ...event.table.phase, ends: later } } };
}
