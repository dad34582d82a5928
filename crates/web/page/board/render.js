// Draws the state of a board: the layers of an SVG and the areas to click, with
// what a screen reader says of them. What a game looks like comes from its
// script.

import { put, s } from "../dom.js";
import { t } from "../i18n.js";
import { at, starts, targets, twoClicks } from "./state.js";

/** @type {Board.Layer[]} */
const LAYERS = ["base", "under", "pieces", "over", "hits", "drag", "shapes"];

/** @typedef {import("./state.js").BoardState} BoardState */

export class Renderer {
  /** The areas to click, by place. @type {Map<string, SVGElement>} */
  hits = new Map();
  /** Called when a position or a selection was drawn. */
  afterRefresh = () => {};

  /**
   * @param {BoardState} board
   * @param {Board.Script} script
   * @param {string} label what a screen reader calls the board
   */
  constructor(board, script, label) {
    this.board = board;
    this.script = script;
    this.svg = s("svg", {
      class: `board board-${board.geometry.kind}`,
      role: "application",
      "aria-label": label,
    });
    /** @type {Board.Frame["layers"]} */
    this.layers = this.createLayers();
    this.drawing = this.build();
  }

  createLayers() {
    const groups = LAYERS.map((name) => [name, s("g", { class: `layer-${name}` })]);
    return Object.fromEntries(groups);
  }

  /** Draws everything that stays until the board is turned. */
  build() {
    const { board, script, svg } = this;
    const { geometry, places } = board;
    const layers = (this.layers = this.createLayers());
    const drawing = script.drawing({ geometry, places, layers, at: (point) => at(board, point) });
    const { top, bottom } = script.margin ?? { top: 0, bottom: 0 };
    const height = top + geometry.height + bottom;
    svg.setAttribute("viewBox", `0 ${-top} ${geometry.width} ${height}`);
    svg.style.setProperty("--ratio", String(geometry.width / height));
    put(svg, ...LAYERS.map((name) => layers[name]));
    drawing.base();
    this.hits.clear();
    for (const place of places.values()) {
      const hit = drawing.hit(place);
      hit.classList.add("hit");
      hit.setAttribute("role", "button");
      hit.setAttribute("tabindex", place.id === board.focused ? "0" : "-1");
      hit.setAttribute("data-place", place.id);
      layers.hits.append(hit);
      this.hits.set(place.id, hit);
    }
    return drawing;
  }

  /** The board was turned. */
  rebuild() {
    this.drawing = this.build();
    this.drawPosition(false);
    this.refresh();
  }

  /** @param {boolean} animate */
  drawPosition(animate) {
    if (this.board.ply) this.drawing.draw(this.board.ply, animate);
  }

  /** Shows what can be clicked and what is selected. */
  refresh() {
    const { board, drawing, svg } = this;
    const [from, to, pressable] = [starts(board), targets(board), twoClicks(board)];
    for (const [id, hit] of this.hits) {
      hit.classList.toggle("open", from.has(id));
      hit.classList.toggle("target", to.has(id));
      hit.classList.toggle("chosen", id === board.selected);
      hit.setAttribute("aria-disabled", String(!from.has(id) && !to.has(id)));
      const label = this.labelOf(id);
      hit.setAttribute("aria-label", to.has(id) ? `${label}, ${t("place.target")}` : label);
      if (pressable) hit.setAttribute("aria-pressed", String(id === board.selected));
      else hit.removeAttribute("aria-pressed");
    }
    drawing.targets(board.selected, board.legal);
    svg.classList.toggle("ready", board.legal.length > 0);
    this.afterRefresh();
  }

  /** What a screen reader says of a place. @param {string} id */
  labelOf(id) {
    const { places, ply } = this.board;
    const place = places.get(id);
    if (!place) return "";
    return ply ? this.drawing.label(place, ply) : place.name;
  }

  /** Only the focused place is reached by Tab. @param {string} id @param {string|null} before */
  moveFocus(id, before) {
    if (before) this.hits.get(before)?.setAttribute("tabindex", "-1");
    const hit = this.hits.get(id);
    hit?.setAttribute("tabindex", "0");
    if (document.activeElement !== hit) hit?.focus();
  }

  /** Where on the board a pointer is. @param {PointerEvent} event @returns {Board.Point} */
  pointOf(event) {
    const matrix = this.svg.getScreenCTM()?.inverse();
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  }

  /** Shows the dragged piece under the pointer. @param {string} id */
  beginDrag(id) {
    const place = this.board.places.get(id);
    const ghost = (place && this.drawing.ghost?.(place)) ?? s("g");
    this.layers.drag.append(ghost);
    this.svg.classList.add("dragging");
    return {
      /** @param {Board.Point} point */
      moveTo: ({ x, y }) => ghost.setAttribute("transform", `translate(${x} ${y})`),
      end: () => {
        ghost.remove();
        this.svg.classList.remove("dragging");
      },
    };
  }
}
