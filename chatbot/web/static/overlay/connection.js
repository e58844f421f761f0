// Keeps the WebSocket of events open; after a loss it tries again at once, then with increasing delays.

const WAITS = [0, 250, 500, 750]; // milliseconds; a stream shows a restarted bot within a second
const REPLACED = 4001; // the code of a connection that ends because the key in its address was replaced
const GONE = 404; // the status of a page whose key was replaced

/**
 * Connect to a path of this server; `hear(event)` is called with each event, and `replaced()` when nothing will come any more.
 * @param {string} path
 * @param {(event: any) => void} hear
 */
export function openFeed(path, hear, replaced = () => {}) {
  /** @type {WebSocket | null} */
  let socket = null;
  let losses = 0;

  function open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    let opened = false;
    socket = new WebSocket(`${scheme}://${location.host}${path}`);
    socket.addEventListener("open", () => {
      opened = true;
    });
    socket.addEventListener("message", (message) => {
      // Not when it opens: a server that is starting may accept a connection and close it at once.
      losses = 0;
      hear(JSON.parse(message.data));
    });
    socket.addEventListener("close", async ({ code }) => {
      if (code === REPLACED || (!opened && (await isGone()))) return replaced();
      setTimeout(open, WAITS[Math.min(losses, WAITS.length - 1)]);
      losses += 1;
      return undefined;
    });
  }

  /** Send a message; without a connection nothing is sent, because a new one begins with a picture anyway. */
  function send(message) {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  }

  open();
  return { send };
}

/** Whether this page is not served any more: why a connection is refused is told to no script. */
async function isGone() {
  const answer = await fetch(location.pathname, { method: "HEAD" }).catch(() => null);
  return answer?.status === GONE;
}
