// Dragging by a handle with mouse, pen or finger. What lies under the pointer decides; keyboards have keys of their own.

const THRESHOLD = 4; // px before a press becomes a drag
const EDGE = 70; // px from the edge of the window where it scrolls

/**
 * `over(element, x, y, dragged)` says what would happen on release there (anything, or null) and shows it; `drop(target, dragged)` does it;
 * `clear()` takes the signs away.
 */
export function makeDraggable(board, { movable, over, drop, clear }) {
  let drag = null;

  board.addEventListener("pointerdown", (event) => {
    const handle = event.target.closest(".handle");
    if (!handle || event.button !== 0 || drag || board.inert) return;
    const element = handle.closest(movable);
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    drag = {
      handle,
      element,
      id: event.pointerId,
      from: [event.clientX, event.clientY],
      at: [event.clientX, event.clientY],
      ghost: null,
      target: null,
      frame: 0,
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", release);
    handle.addEventListener("pointercancel", cancel);
    addEventListener("keydown", escape, true);
  });

  function move(event) {
    drag.at = [event.clientX, event.clientY];
    if (drag.ghost) return;
    if (Math.hypot(drag.at[0] - drag.from[0], drag.at[1] - drag.from[1]) < THRESHOLD) return;
    const box = drag.element.getBoundingClientRect();
    drag.ghost = drag.element.cloneNode(true);
    drag.ghost.removeAttribute("id");
    drag.ghost.classList.add("ghost");
    drag.ghost.setAttribute("aria-hidden", "true");
    drag.ghost.inert = true;
    drag.ghost.style.width = `${box.width}px`;
    drag.offset = [box.left - drag.from[0], box.top - drag.from[1]];
    document.body.append(drag.ghost);
    drag.element.classList.add("lifted");
    drag.frame = requestAnimationFrame(tick);
  }

  function tick() {
    const [x, y] = drag.at;
    drag.ghost.style.transform = `translate(${x + drag.offset[0]}px, ${y + drag.offset[1]}px)`;
    const speed = y < EDGE ? y - EDGE : y > innerHeight - EDGE ? y - innerHeight + EDGE : 0;
    if (speed) scrollBy(0, speed / 4);
    const under = document.elementFromPoint(x, y);
    drag.target = under && board.contains(under) ? over(under, x, y, drag.element) : (clear(), null);
    drag.frame = requestAnimationFrame(tick);
  }

  function stop() {
    const { handle, element, ghost, frame } = drag;
    cancelAnimationFrame(frame);
    handle.removeEventListener("pointermove", move);
    handle.removeEventListener("pointerup", release);
    handle.removeEventListener("pointercancel", cancel);
    removeEventListener("keydown", escape, true);
    ghost?.remove();
    element.classList.remove("lifted");
    clear();
    drag = null;
  }

  function release(event) {
    drag.at = [event.clientX, event.clientY];
    const { ghost, element } = drag;
    let target = null;
    if (ghost) {
      const under = document.elementFromPoint(...drag.at);
      target = under && board.contains(under) ? over(under, ...drag.at, element) : null;
    }
    stop();
    if (target) drop(target, element);
  }

  function cancel() {
    stop();
  }

  function escape(event) {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    stop();
  }
}
