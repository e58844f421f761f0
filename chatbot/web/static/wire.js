// Keeps a socket to the server open, and reconnects with increasing delays when it closes.

const FIRST_WAIT = 500; // milliseconds
const LONGEST_WAIT = 8_000;

/**
 * Connect, and reconnect after every loss.
 * `hear(message)` receives every message; `changed(open)` is called when the connection opens or closes.
 */
export function openWire(hear, changed) {
  let socket = null;
  let wait = FIRST_WAIT;
  let timer = null;

  function open() {
    clearTimeout(timer);
    timer = null;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}/socket`);
    socket.addEventListener("open", () => changed(true));
    socket.addEventListener("message", (event) => receive(event.data));
    socket.addEventListener("close", closed);
  }

  function receive(frame) {
    // The delay is reset by a message, not by a connection, which a failing server may accept and close at once.
    wait = FIRST_WAIT;
    hear(JSON.parse(frame));
  }

  function closed() {
    changed(false);
    // Random jitter keeps several open pages from reconnecting at the same moment.
    timer = setTimeout(open, wait * (0.8 + 0.4 * Math.random()));
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }

  function retry() {
    if (timer === null) return;
    wait = FIRST_WAIT;
    open();
  }

  /** Send a message; false if there is no connection, and then nothing was sent. */
  function send(message) {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  }

  addEventListener("online", retry);
  document.addEventListener("visibilitychange", () => document.hidden || retry());
  open();
  return { send, retry };
}
