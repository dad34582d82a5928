// Arrows and circles that a person draws on a board: with the right mouse button,
// or with any pointer while drawing is switched on. They belong to a position and
// are shown whenever it is. Drawing the same one again removes it.

import { s } from "../dom.js";
import { at } from "./state.js";

/**
 * @typedef {{from: Board.Point, to: Board.Point, colour: string}} Shape in the
 *   coordinates of a board that is not turned
 */

/** How near a point must be to a place to mean it, in units of the board. */
const REACH = 0.75;

export class Shapes {
  /** By position. @type {Map<string, Shape[]>} */
  drawn = new Map();
  /** Whether every pointer draws. */
  drawing = false;

  /** @param {import("./render.js").Renderer} renderer @param {() => void} onChange */
  constructor(renderer, onChange) {
    this.renderer = renderer;
    this.onChange = onChange;
    const { svg } = renderer;
    svg.addEventListener("contextmenu", (event) => event.preventDefault());
    svg.addEventListener("pointerdown", (event) => this.begin(event), { capture: true });
    svg.addEventListener(
      "click",
      (event) => {
        if (this.drawing) event.stopImmediatePropagation();
      },
      { capture: true },
    );
  }

  /** Those of the position shown. */
  get shown() {
    return this.drawn.get(this.renderer.board.ply?.position ?? "") ?? [];
  }

  clear() {
    this.drawn.delete(this.renderer.board.ply?.position ?? "");
    this.draw();
    this.onChange();
  }

  /** The point that a pointer means. @param {PointerEvent} event @returns {Board.Point|null} */
  pointOf(event) {
    const { board, drawing } = this.renderer;
    const point = at(board, this.renderer.pointOf(event));
    if (drawing.snap) return drawing.snap(point);
    let best = null;
    let least = REACH;
    for (const { x, y } of board.places.values()) {
      const distance = Math.hypot(x - point.x, y - point.y);
      if (distance < least) [best, least] = [{ x, y }, distance];
    }
    return best;
  }

  /** @param {PointerEvent} down */
  begin(down) {
    if (down.button !== 2 && !(this.drawing && down.button === 0)) return;
    const from = this.pointOf(down);
    if (!from) return;
    down.preventDefault();
    down.stopImmediatePropagation();
    const colour = down.shiftKey ? "red" : down.altKey ? "blue" : "green";
    const move = (/** @type {PointerEvent} */ event) => {
      const to = this.pointOf(event);
      this.draw(to && { from, to, colour });
    };
    const end = (/** @type {PointerEvent} */ event) => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
      const to = event.type === "pointerup" ? this.pointOf(event) : null;
      if (to) this.toggle({ from, to, colour });
      this.draw();
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
  }

  /** @param {Shape} shape */
  toggle(shape) {
    const position = this.renderer.board.ply?.position ?? "";
    const places = (/** @type {Shape} */ { from, to }) => JSON.stringify([from, to]);
    const others = this.shown.filter((one) => places(one) !== places(shape));
    const same = others.length < this.shown.length;
    this.drawn.set(position, same ? others : [...others, shape]);
    this.onChange();
  }

  /** @param {Shape|null} [coming] the one that is being drawn */
  draw(coming = null) {
    const { board, layers } = this.renderer;
    const all = coming ? [...this.shown, coming] : this.shown;
    layers.shapes.replaceChildren(
      ...all.map(({ from, to, colour }) => shape(at(board, from), at(board, to), colour)),
    );
  }
}

/** @param {Board.Point} a @param {Board.Point} b @param {string} colour */
function shape(a, b, colour) {
  const far = Math.hypot(b.x - a.x, b.y - a.y);
  const name = `shape ${colour}`;
  if (far === 0) return s("circle", { class: name, cx: a.x, cy: a.y, r: 0.46 });
  const [dx, dy] = [(b.x - a.x) / far, (b.y - a.y) / far];
  const turn = (Math.atan2(dy, dx) * 180) / Math.PI;
  return s(
    "g",
    { class: `${name} arrow-shape` },
    s("line", { x1: a.x, y1: a.y, x2: b.x - dx * 0.25, y2: b.y - dy * 0.25 }),
    s("path", {
      d: "M0.05 0L-0.36 0.24L-0.36 -0.24Z",
      transform: `translate(${b.x} ${b.y}) rotate(${turn})`,
    }),
  );
}
