// Loads the page anew after a change of its files, for whoever works on it: `chatbot run --reload` adds this script.
const INTERVAL = 500; // milliseconds between two looks

/** The stamp of the run and its files, or null while the program restarts. */
async function stamp() {
  try {
    const response = await fetch("/reload");
    return response.ok ? await response.text() : null;
  } catch {
    return null;
  }
}

/** @param {string | null} first */
async function look(first) {
  const now = await stamp();
  if (first !== null && now !== null && now !== first) location.reload();
  else setTimeout(look, INTERVAL, first ?? now);
}

look(null);
