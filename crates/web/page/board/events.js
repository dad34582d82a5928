// Pointer and keyboard on a board. Clicks, taps, drags and keys become changes
// of the board's state and, at last, a move.

import { announce } from "../dom.js";
import { activate, movable, moveBetween, neighbour, placeAt } from "./state.js";

/** @type {Record<string, number[]>} */
const ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** How far a pointer moves before it drags, in pixels. */
const DRAG_DISTANCE = 6;

/** @param {Event} event */
const placeOf = (event) => /** @type {Element} */ (event.target).getAttribute?.("data-place");

/**
 * @param {import("./render.js").Renderer} renderer
 * @param {(move: string) => void} onMove
 */
export function bindEvents(renderer, onMove) {
  const { board, svg } = renderer;
  /** Whether a pointer is down on a piece that can be dragged. */
  let held = false;
  /** Whether the click that follows belongs to a drag. */
  let dragged = false;

  /** @param {string} id */
  function choose(id) {
    const { move, selected } = activate(board, id);
    board.selected = selected;
    if (move !== null) {
      onMove(move);
      return;
    }
    renderer.refresh();
    if (selected) announce(renderer.labelOf(selected));
  }

  /** @param {string} id */
  function focus(id) {
    const before = board.focused;
    board.focused = id;
    renderer.moveFocus(id, before);
  }

  /** @param {KeyboardEvent} event */
  function key(event) {
    const arrow = ARROWS[event.key];
    if (event.key === "Enter" || event.key === " ") {
      if (board.focused) choose(board.focused);
    } else if (event.key === "Escape" && board.selected) {
      board.selected = null;
      renderer.refresh();
      return;
    } else if (arrow && !event.altKey && !event.ctrlKey && !event.metaKey) {
      const next = neighbour(board, arrow);
      if (next) focus(next);
    } else return;
    // Arrow keys elsewhere step through the game.
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {PointerEvent} down */
  function grab(down) {
    const id = placeOf(down);
    dragged = false;
    if (!id || down.button !== 0 || !movable(board, id)) return;
    held = true;
    /** @type {ReturnType<typeof renderer.beginDrag>|null} */
    let drag = null;
    const move = (/** @type {PointerEvent} */ event) => {
      if (!drag) {
        const distance = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY);
        if (distance < DRAG_DISTANCE) return;
        board.selected = id;
        renderer.refresh();
        drag = renderer.beginDrag(id);
      }
      drag.moveTo(renderer.pointOf(event));
    };
    const end = (/** @type {PointerEvent} */ event) => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
      held = false;
      if (!drag) return;
      drag.end();
      const target = placeAt(board, renderer.pointOf(event));
      board.selected = null;
      dragged = target?.id === id;
      setTimeout(() => {
        dragged = false;
      }, 0);
      const found = event.type === "pointerup" ? moveBetween(board, id, target?.id) : null;
      if (found !== null) onMove(found);
      else renderer.refresh();
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
  }

  svg.addEventListener("click", (event) => {
    const id = placeOf(event);
    if (id && !dragged) choose(id);
    dragged = false;
  });
  svg.addEventListener("focusin", (event) => {
    const id = placeOf(event);
    if (id && id !== board.focused) focus(id);
  });
  svg.addEventListener("keydown", key);
  svg.addEventListener("pointerdown", grab);
  // A finger on a piece drags it; anywhere else it scrolls the page. Browsers do
  // not heed touch-action on the parts of an SVG.
  svg.addEventListener("touchmove", (event) => held && event.preventDefault(), { passive: false });
}
