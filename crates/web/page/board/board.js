// A board on the page: state, drawing and events put together. Positions, legal
// moves and scores come in, the text of a move goes out.

import { reducedMotion } from "../dom.js";
import { bindEvents } from "./events.js";
import { Renderer } from "./render.js";
import { createState, setPosition } from "./state.js";

/**
 * @param {object} options
 * @param {Api.Geometry} options.geometry
 * @param {Board.Script} options.script
 * @param {"turn"|"mirror"} options.flip what flipping does
 * @param {string} options.label what a screen reader calls the board
 * @param {(move: string) => void} options.onMove
 */
export function createBoard({ geometry, script, flip, label, onMove }) {
  const board = createState(geometry, flip);
  const renderer = new Renderer(board, script, label);
  bindEvents(renderer, onMove);
  return {
    svg: renderer.svg,

    /** @param {boolean} flipped */
    flip(flipped) {
      if (flipped === board.flipped) return;
      board.flipped = flipped;
      renderer.rebuild();
    },

    /**
     * @param {Api.Ply} ply
     * @param {Api.Legal[]} legal empty if a person may not move
     * @param {boolean} animate
     */
    show(ply, legal, animate) {
      const { moved, changed } = setPosition(board, ply, legal);
      if (moved) renderer.drawPosition(animate && !reducedMotion());
      if (changed) renderer.refresh();
    },

    /**
     * Shows what an engine thinks of moves.
     * @param {Board.Marked[]|null} lines
     * @param {Board.MarkOptions} options
     */
    marks(lines, options) {
      renderer.drawing.marks(lines, options);
    },
  };
}
