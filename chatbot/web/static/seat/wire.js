// Keeps the socket of a seat open: whoever lost it is back within two seconds of the server.

const FIRST_WAIT = 300; // milliseconds
const LONGEST_WAIT = 1_500; // few enough that a hand is right again at once, and jittered for those who wait together
const ELSEWHERE = 4300; // the code of a connection that ends because another process shows the room that is its reason
const LOST = 3; // attempts after which it is asked whether this is still somebody's seat

/**
 * Whoever connects again is shown the same room. `hear(message)` receives every message, `changed(open)` is called
 * when the connection opens or closes, and `doubted()` when it cannot be opened again and again.
 */
export function openWire(hear, changed, doubted) {
  /** @type {WebSocket | null} */
  let socket = null;
  let wait = FIRST_WAIT;
  let failures = 0;
  /** @type {number | undefined} */
  let timer;
  let closed = false;
  let room = ""; // that is shown

  function open() {
    timer = undefined;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const wanted = room && `?room=${encodeURIComponent(room)}`;
    const made = new WebSocket(`${scheme}://${location.host}/seat/socket${wanted}`);
    socket = made;
    made.addEventListener("message", (event) => {
      wait = FIRST_WAIT;
      failures = 0;
      const message = JSON.parse(event.data);
      if (message.type === "hello") room = message.room ?? "";
      if (!closed) hear(message);
    });
    made.addEventListener("open", () => closed || changed(true));
    made.addEventListener("close", lost);
  }

  /** @param {CloseEvent} event */
  function lost({ code, reason }) {
    if (closed) return undefined;
    // The same one again: two processes do not agree yet.
    if (code === ELSEWHERE && room !== reason) {
      room = reason;
      return open();
    }
    changed(false);
    failures += 1;
    if (failures % LOST === 0) doubted();
    timer = setTimeout(open, wait * (0.7 + 0.6 * Math.random()));
    wait = Math.min(wait * 1.6, LONGEST_WAIT);
    return undefined;
  }

  function retry() {
    if (timer === undefined || closed) return;
    clearTimeout(timer);
    open();
  }

  /** Send a message; false if there is no connection, and then nothing was sent. */
  function send(message) {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  }

  function close() {
    closed = true;
    clearTimeout(timer);
    removeEventListener("online", retry);
    socket?.close();
  }

  addEventListener("online", retry);
  document.addEventListener("visibilitychange", () => document.hidden || retry());
  open();
  return { send, close };
}
