// Shows the newest lines of the chat, private ones only to their recipient, without scrolling away from a reader.

import { childrenOf, find, icon, make, nameTag, setText, tinted } from "./dom.js";
import { createFinePrint, fold } from "./fine_print.js";
import { roleBadge } from "./roster.js";
import { word } from "./words.js";

const MOST_LINES = 500;
const NEAR_END = 48; // pixels that still count as being at the end

/** `roleLabel(role)` returns the name of a role; `speaker()` is the seat that speaks, or null. */
export function createLog(roleLabel, speaker) {
  const log = find("chat");
  const newer = find("newer");
  const finePrint = createFinePrint(log);
  const seen = new Set();
  // Technical lines that came before anybody had said anything: they are shown below the first line for people.
  let early = [];
  let begun = false;
  let missed = 0;
  let atEnd = true;
  let top = 0;
  let height = 0;

  log.addEventListener("scroll", () => {
    const near = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END;
    // Scrolling up means reading, unless the chat has become larger or smaller, which scrolls it, too.
    atEnd = near || (atEnd && (log.scrollTop >= top || log.clientHeight !== height));
    [top, height] = [log.scrollTop, log.clientHeight];
    if (atEnd) showMissed(0);
  });
  newer.addEventListener("click", () => {
    toEnd();
    log.focus({ preventScroll: true });
  });
  // A growing table or an on-screen keyboard makes the chat shorter; its end must stay visible.
  new ResizeObserver(() => atEnd && toEnd()).observe(log);

  /** Add lines; each is shown once, even if the history repeats it after a reconnection. */
  function add(lines) {
    const fresh = lines.filter((line) => !seen.has(keyOf(line)) && seen.add(keyOf(line)));
    const nodes = fresh.map((line) => build(line, roleLabel));
    nodes.forEach(reveal);
    log.append(...inTurn(nodes));
    while (log.childElementCount > MOST_LINES) forget(log.firstElementChild);
    finePrint.refresh();
    // Viewers who send a line want to see it, wherever they were reading.
    const spoke = fresh.some((line) => line.kind === "said" && line.seat === speaker());
    if (atEnd || spoke) toEnd();
    else showMissed(missed + nodes.filter((node) => !node.hidden).length);
    return fresh;
  }

  function inTurn(nodes) {
    if (begun) return nodes;
    const first = nodes.findIndex((node) => !node.classList.contains("fine"));
    const before = [...early, ...nodes.slice(0, first < 0 ? nodes.length : first)];
    begun = first >= 0;
    early = begun ? [] : before;
    return begun ? [nodes[first], ...before, ...nodes.slice(first + 1)] : [];
  }

  function forget(node) {
    seen.delete(node.dataset.key);
    node.remove();
  }

  function reveal(node) {
    node.hidden = node.dataset.to !== "" && node.dataset.to !== speaker();
  }

  /** Show the private lines of the viewer who speaks now. */
  function refresh() {
    for (const node of childrenOf(log)) {
      reveal(node);
      node.classList.toggle("own", node.dataset.kind === "said" && node.dataset.seat === speaker());
    }
    finePrint.refresh();
    if (atEnd) toEnd();
  }

  function toEnd() {
    atEnd = true;
    log.scrollTop = log.scrollHeight;
    showMissed(0);
  }

  function showMissed(count) {
    missed = count;
    newer.hidden = count === 0;
    setText(find("newer-count"), String(count));
  }

  return { add, refresh };
}

// A restarted server numbers its lines from the beginning again, so the id alone is not unique.
function keyOf(line) {
  return `${line.id} ${line.at}`;
}

function build(line, roleLabel) {
  const node = make("div", {
    className: ["line", line.kind === "bot" ? "bot" : "", line.fine ? "fine" : ""].filter(Boolean).join(" "),
    data: { testid: "line", kind: line.kind, to: line.to ?? "", seat: line.seat ?? "", key: keyOf(line) },
  });
  if (line.to !== null) node.append(make("span", { className: "only-you" }, icon("whisper"), word("page-only-you")));
  node.append(...(line.kind === "bot" ? botHead() : saidHead(line, roleLabel)));
  node.append(make("bdi", { className: "text", textContent: line.text }));
  if (line.fine) fold(node, line.text);
  return node;
}

function botHead() {
  const logo = make("img", { src: "/static/logo.svg", alt: "", width: 18, height: 18 });
  return [make("span", { className: "from" }, logo, make("span", { className: "bot-name", textContent: word("page-bot") })), separator()];
}

function saidHead(line, roleLabel) {
  const head = make("span", { className: "from" });
  if (line.role && line.role !== "viewer") head.append(roleBadge(line.role, roleLabel(line.role)));
  head.append(nameTag(line.name ?? ""));
  tinted(head, line.name ?? "");
  if (line.simulated) head.append(make("span", { className: "simulated" }, icon("simulated"), word("page-simulated")));
  return [head, separator()];
}

// It is read aloud between name and text, and keeps copied text readable.
function separator() {
  return make("span", { className: "colon", textContent: ": " });
}
