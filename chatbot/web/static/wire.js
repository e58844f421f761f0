// Keeps one socket to the server open, and tries again, ever more patiently, whenever it closes.

const FIRST_WAIT = 500; // milliseconds
const LONGEST_WAIT = 8_000;

/**
 * Connect and stay connected.
 * `hear(message)` gets every message; `changed(open)` is told of every opening and closing.
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
    // Only a server that speaks has earned a quick retry; one that accepts and hangs up has not.
    wait = FIRST_WAIT;
    hear(JSON.parse(frame));
  }

  function closed() {
    changed(false);
    // A little chance keeps several open pages from knocking at the same moment.
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
