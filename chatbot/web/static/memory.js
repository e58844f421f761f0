// Stores the viewers of this browser between visits.

const VIEWERS = "rabble.viewers";
const SPEAKER = "rabble.speaker";
const SOUND = "rabble.sound";

/** Return the stored viewers, each {seat, name, role}; invalid entries are skipped. */
export function rememberedViewers() {
  const list = read(VIEWERS);
  return Array.isArray(list) ? list.filter(complete) : [];
}

export function rememberViewers(viewers) {
  write(VIEWERS, viewers.map(({ seat, name, role }) => ({ seat, name, role })));
}

/** Return the seat that spoke last, or null. */
export function rememberedSpeaker() {
  return read(SPEAKER);
}

export function rememberSpeaker(seat) {
  write(SPEAKER, seat);
}

/** Whether sounds were switched on; they are off unless somebody has asked for them. */
export const rememberedSound = () => read(SOUND) === true;

export function rememberSound(on) {
  write(SOUND, on);
}

function complete(viewer) {
  return [viewer?.seat, viewer?.name, viewer?.role].every((part) => typeof part === "string" && part);
}

// A browser may forbid storage; then the page works without it.
function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    return;
  }
}
