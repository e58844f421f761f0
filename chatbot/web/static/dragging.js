// Lets things be dragged by mouse, pen or finger; a press that does not move stays a click.

const FAR = 8; // pixels that a press may move and still be a click

/**
 * Let the cards in `area` that match `selector` be dragged. `over(card, target)` is called while one is above an
 * element, `target` being null above none, and `drop(card, target)` when it is let go there.
 */
export function draggable(area, selector, { over, drop }) {
  /** @type {any} */
  let held = null; // { card, id, x, y, moved }
  let dropped = false;

  area.addEventListener("pointerdown", (event) => {
    const card = event.target.closest(selector);
    dropped = false;
    if (card && event.button === 0) held = { card, id: event.pointerId, x: event.clientX, y: event.clientY, moved: false };
  });
  area.addEventListener("pointermove", (event) => {
    if (event.pointerId !== held?.id) return;
    const [x, y] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.moved && Math.hypot(x, y) < FAR) return;
    if (!held.moved) lift();
    held.card.style.transform = `translate(${x}px, ${y}px) rotate(-3deg)`;
    over(held.card, below(event));
  });
  area.addEventListener("pointerup", (event) => event.pointerId === held?.id && put(below(event)));
  area.addEventListener("pointercancel", (event) => event.pointerId === held?.id && put(null));
  // After a drag the browser still tells of a click.
  area.addEventListener("click", (event) => {
    if (dropped) event.stopPropagation();
    dropped = false;
  }, true);

  function lift() {
    held.moved = true;
    held.card.setPointerCapture(held.id);
    held.card.classList.add("dragged");
  }

  // The dragged card itself lets the pointer through.
  const below = (event) => document.elementFromPoint(event.clientX, event.clientY);

  function put(target) {
    const { card, moved } = held;
    held = null;
    if (!moved) return;
    dropped = true;
    card.classList.remove("dragged");
    card.style.transform = "";
    over(card, null);
    if (target) drop(card, target);
  }
}
