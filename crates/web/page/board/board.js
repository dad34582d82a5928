// The board: layers of an SVG, the places a person can touch, and how touching
// becomes a move. It knows no rules: legal moves come in, the text of a move
// goes out. What a board looks like is the business of one file per game.

import { announce, calm, put, s } from "../dom.js";
import { gameName, t } from "../i18n.js";
import { dots } from "./dots.js";
import { four } from "./four.js";
import { surakarta } from "./surakarta.js";

/**
 * @typedef {{id: string, name: string, x: number, y: number, across?: boolean}} Place
 * @typedef {{
 *   geometry: any, at: (place: {x: number, y: number}) => {x: number, y: number},
 *   places: Map<string, Place>, layers: Record<string, SVGElement>,
 * }} Frame what a game's drawing gets
 * @typedef {{
 *   margin?: {top: number},
 *   base: () => void,
 *   hit: (place: Place) => SVGElement,
 *   draw: (ply: any, animate: boolean) => void,
 *   targets: (from: string|null, moves: import("../state.js").Legal[]) => void,
 *   marks: (report: any, options: any) => void,
 *   label: (place: Place, ply: any) => string,
 *   ghost?: (place: Place) => SVGElement|null,
 * }} Drawing
 */

/** @type {Record<string, (frame: Frame) => Drawing>} */
const DRAWINGS = { "surakarta": surakarta, "dots-and-boxes": dots, "connect-four": four };
const LAYERS = ["base", "under", "pieces", "over", "hits", "drag"];

export class Board {
  /** @type {Map<string, Place>} */
  places = new Map();
  /** What is touched, by place. @type {Map<string, SVGElement>} */
  hits = new Map();
  /** @type {Record<string, SVGElement>} */
  layers = {};
  /** Where a place is now that the board may be turned. @type {Frame["at"]} */
  at = (place) => place;
  /** @type {Drawing} */
  drawing = /** @type {any} */ (null);
  /** The place that Tab reaches. @type {string|null} */
  roving = null;

  /**
   * @param {any} geometry
   * @param {(move: string) => void} onMove
   */
  constructor(geometry, onMove) {
    this.geometry = geometry;
    this.onMove = onMove;
    this.flipped = false;
    /** @type {import("../state.js").Legal[]} */
    this.legal = [];
    /** @type {string|null} */
    this.selected = null;
    /** @type {any} */
    this.ply = null;
    this.svg = s("svg", {
      class: `board board-${geometry.kind}`, role: "application",
      "aria-label": t("board.label", { game: gameName(geometry.kind) }),
    });
    this.dragged = false;
    this.build();
    this.svg.addEventListener("keydown", (event) => this.key(/** @type {KeyboardEvent} */ (event)));
    this.svg.addEventListener("pointerdown", (event) => this.grab(/** @type {PointerEvent} */ (event)));
  }

  build() {
    const { geometry } = this;
    /** @type {Record<string, SVGElement>} */
    const layers = Object.fromEntries(LAYERS.map((name) => [name, s("g", { class: `layer-${name}` })]));
    this.layers = layers;
    this.places = new Map(geometry.places.map((/** @type {Place} */ place) => [place.id, place]));
    const mirror = geometry.kind === "connect-four";
    const at = (/** @type {{x: number, y: number}} */ { x, y }) => (this.flipped
      ? { x: geometry.width - x, y: mirror ? y : geometry.height - y } : { x, y });
    this.at = at;
    this.drawing = DRAWINGS[geometry.kind]({ geometry, at, places: this.places, layers });
    const top = this.drawing.margin?.top ?? 0;
    this.svg.setAttribute("viewBox", `0 ${-top} ${geometry.width} ${geometry.height + top}`);
    this.svg.style.setProperty("--ratio", String(geometry.width / (geometry.height + top)));
    put(this.svg, ...LAYERS.map((name) => layers[name]));
    this.drawing.base();
    this.hits = new Map();
    for (const place of this.places.values()) {
      const hit = this.drawing.hit(place);
      hit.classList.add("hit");
      hit.setAttribute("role", "button");
      hit.setAttribute("tabindex", "-1");
      hit.setAttribute("data-place", place.id);
      hit.addEventListener("click", () => this.touch(place.id));
      hit.addEventListener("focus", () => this.rove(place.id));
      layers.hits.append(hit);
      this.hits.set(place.id, hit);
    }
    this.rove(this.roving && this.hits.has(this.roving) ? this.roving : [...this.hits.keys()][0], false);
  }

  /** @param {boolean} flipped */
  flip(flipped) {
    if (flipped === this.flipped) return;
    this.flipped = flipped;
    this.build();
    if (this.ply) this.drawing.draw(this.ply, false);
    this.refresh();
  }

  /**
   * @param {any} ply @param {import("../state.js").Legal[]} legal empty if a person may not move
   * @param {boolean} animate
   */
  show(ply, legal, animate) {
    const moved = ply !== this.ply;
    const other = JSON.stringify(legal) !== JSON.stringify(this.legal);
    if (!moved && !other) return;
    if (moved) {
      this.ply = ply;
      this.drawing.draw(ply, animate && !calm());
    }
    this.legal = legal;
    if (this.selected && !legal.some(([, [from]]) => from === this.selected)) this.selected = null;
    this.refresh();
  }

  refresh() {
    const starts = new Set(this.legal.map(([, places]) => places[0]));
    const ends = new Set(this.legal.filter(([, places]) => places[0] === this.selected).map(([, places]) => places[1]));
    for (const [id, hit] of this.hits) {
      const place = /** @type {Place} */ (this.places.get(id));
      const open = starts.has(id) || ends.has(id);
      hit.classList.toggle("open", starts.has(id));
      hit.classList.toggle("target", ends.has(id));
      hit.classList.toggle("chosen", id === this.selected);
      hit.setAttribute("aria-disabled", String(!open));
      const label = this.ply ? this.drawing.label(place, this.ply) : place.name;
      hit.setAttribute("aria-label", ends.has(id) ? `${label}, ${t("place.target")}` : label);
      if (this.legal.some(([, places]) => places.length > 1)) hit.setAttribute("aria-pressed", String(id === this.selected));
      else hit.removeAttribute("aria-pressed");
    }
    this.drawing.targets(this.selected, this.legal);
    this.svg.classList.toggle("ready", this.legal.length > 0);
  }

  /** A place was clicked, tapped or chosen by key. @param {string} id */
  touch(id) {
    if (this.dragged) { this.dragged = false; return; }
    const move = this.legal.find(([, places]) => (places.length === 1 ? places[0] === id : places[0] === this.selected && places[1] === id));
    if (move) {
      this.selected = null;
      this.onMove(move[0]);
    } else {
      const starts = this.legal.some(([, places]) => places.length > 1 && places[0] === id);
      this.selected = starts && this.selected !== id ? id : null;
      this.refresh();
      if (this.selected) announce(this.drawing.label(/** @type {Place} */ (this.places.get(id)), this.ply));
    }
  }

  /** One place can be reached by Tab; arrows go from there. @param {string} id @param {boolean} [focus] */
  rove(id, focus = true) {
    const before = this.roving ? this.hits.get(this.roving) : null;
    before?.setAttribute("tabindex", "-1");
    this.roving = id;
    const hit = this.hits.get(id);
    hit?.setAttribute("tabindex", "0");
    if (focus && document.activeElement !== hit) /** @type {SVGElement} */ (hit)?.focus();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const arrows = /** @type {Record<string, number[]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      if (this.roving) this.touch(this.roving);
    } else if (event.key === "Escape" && this.selected) {
      this.selected = null;
      this.refresh();
    } else if (arrows[event.key] && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      event.stopPropagation();
      const next = this.neighbour(arrows[event.key]);
      if (next) this.rove(next);
    }
  }

  /** The nearest place in a direction. @param {number[]} direction */
  neighbour([dx, dy]) {
    const here = this.at(/** @type {Place} */ (this.places.get(this.roving ?? "")));
    let best = null;
    let least = Infinity;
    for (const place of this.places.values()) {
      const { x, y } = this.at(place);
      const along = (x - here.x) * dx + (y - here.y) * dy;
      const aside = Math.abs((x - here.x) * dy) + Math.abs((y - here.y) * dx);
      const distance = along + 2.5 * aside;
      if (along > 0.01 && distance < least) [best, least] = [place.id, distance];
    }
    return best;
  }

  /** A piece may be dragged to where it can go. @param {PointerEvent} event */
  grab(event) {
    const id = /** @type {Element} */ (event.target).getAttribute?.("data-place");
    this.dragged = false;
    if (!id || event.button !== 0 || !this.legal.some(([, places]) => places.length > 1 && places[0] === id)) return;
    const start = { x: event.clientX, y: event.clientY };
    const place = /** @type {Place} */ (this.places.get(id));
    /** @type {SVGElement|null} */
    let ghost = null;
    const move = (/** @type {PointerEvent} */ now) => {
      if (!ghost) {
        if (Math.hypot(now.clientX - start.x, now.clientY - start.y) < 6) return;
        this.selected = id;
        this.refresh();
        ghost = this.drawing.ghost?.(place) ?? s("g");
        this.layers.drag.append(ghost);
        this.svg.classList.add("dragging");
      }
      const { x, y } = this.point(now);
      ghost.setAttribute("transform", `translate(${x} ${y})`);
    };
    const end = (/** @type {PointerEvent} */ now) => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
      if (!ghost) return;
      ghost.remove();
      this.svg.classList.remove("dragging");
      const { x, y } = this.point(now);
      const near = [...this.places.values()].find((other) => Math.hypot(this.at(other).x - x, this.at(other).y - y) < 0.5);
      const found = this.legal.find(([, places]) => places[0] === id && places[1] === near?.id);
      this.selected = null;
      // The click that follows on the same place is part of the drag.
      this.dragged = near?.id === id;
      setTimeout(() => { this.dragged = false; }, 0);
      if (found && now.type === "pointerup") this.onMove(found[0]);
      else this.refresh();
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
  }

  /** Where on the board a pointer is. @param {PointerEvent} event */
  point(event) {
    const matrix = /** @type {SVGSVGElement} */ (/** @type {any} */ (this.svg)).getScreenCTM()?.inverse();
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  }

  /** What an engine thinks, on the board. @param {any} report @param {any} options */
  marks(report, options) {
    this.drawing.marks(report, options);
  }
}
