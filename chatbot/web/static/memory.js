// Remembers this browser's viewers from visit to visit.

const VIEWERS = "rabble.viewers";
const SPEAKER = "rabble.speaker";

/** The remembered viewers, each {seat, name, role}; what a hand or an old version left broken is skipped. */
export function rememberedViewers() {
  const list = read(VIEWERS);
  return Array.isArray(list) ? list.filter(complete) : [];
}

export function rememberViewers(viewers) {
  write(VIEWERS, viewers.map(({ seat, name, role }) => ({ seat, name, role })));
}

/** The seat that spoke last, or null. */
export function rememberedSpeaker() {
  return read(SPEAKER);
}

export function rememberSpeaker(seat) {
  write(SPEAKER, seat);
}

function complete(viewer) {
  return [viewer?.seat, viewer?.name, viewer?.role].every((part) => typeof part === "string" && part);
}

// A browser may forbid storage altogether; the page then works and merely forgets.
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
