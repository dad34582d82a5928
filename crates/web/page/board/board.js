// A board on the page: state, drawing and events put together. Positions, legal
// moves and scores come in, the text of a move goes out.

import { reducedMotion } from "../dom.js";
import { bindEvents } from "./events.js";
import { Renderer } from "./render.js";
import { Shapes } from "./shapes.js";
import { createState, setPosition } from "./state.js";
import { bindWays } from "./ways.js";

/**
 * @param {object} options
 * @param {Api.Geometry} options.geometry
 * @param {Board.Script} options.script
 * @param {"turn"|"mirror"} options.flip what flipping does
 * @param {string} options.label what a screen reader calls the board
 * @param {(move: string) => void} options.onMove
 * @param {() => void} [options.onShapes] called when arrows and circles change
 * @param {(position: string) => Promise<Api.Trail[]>} [options.ways] the ways of pieces
 * @param {string[]} [options.pinned] pieces whose ways are always shown
 */
export function createBoard(options) {
  const { geometry, script, flip, label, onMove, onShapes, ways, pinned = [] } = options;
  const board = createState(geometry, flip);
  const renderer = new Renderer(board, script, label);
  // Before the other listeners: what draws does not move.
  const shapes = new Shapes(renderer, onShapes ?? (() => {}));
  bindEvents(renderer, onMove);
  if (ways && renderer.drawing.ways) bindWays(renderer, ways, pinned);
  return {
    svg: renderer.svg,
    shapes,

    /** @param {boolean} flipped */
    flip(flipped) {
      if (flipped === board.flipped) return;
      board.flipped = flipped;
      renderer.rebuild();
      shapes.draw();
    },

    /**
     * @param {Api.Ply} ply
     * @param {Api.Legal[]} legal empty if a person may not move
     * @param {boolean} animate
     */
    show(ply, legal, animate) {
      const { moved, changed } = setPosition(board, ply, legal);
      if (moved) {
        renderer.drawPosition(animate && !reducedMotion());
        shapes.draw();
      }
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
