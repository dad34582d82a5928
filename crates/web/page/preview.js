// A line of moves on the board in place of the game: while the pointer is over one
// of its moves, or pinned by a click and stepped through until it is closed. The
// server gives the positions; nothing here plays a move.

import * as api from "./api.js";
import { reducedMotion, toastError } from "./dom.js";
import { changed, gameId, spot, state } from "./state.js";

/** Positions of lines that were shown, by ply, position and moves. @type {Map<string, Promise<Api.Ply[]>>} */
const loaded = new Map();

/** How long a position of a line that plays by itself stands, in milliseconds. */
const STEP = 800;

let timer = 0;

/** @param {number} ply @param {string[]} moves */
function positions(ply, moves) {
  const key = JSON.stringify([gameId(), ply, state.plies[ply]?.position, moves]);
  let found = loaded.get(key);
  if (!found) {
    if (loaded.size > 100) loaded.clear();
    found = api.preview(gameId(), spot(ply), moves);
    found.catch(() => loaded.delete(key));
    loaded.set(key, found);
  }
  return found;
}

/**
 * @param {number} ply where the line begins
 * @param {string[]} moves
 * @param {number} at how many of them have been played
 * @param {boolean} pinned
 */
async function show(ply, moves, at, pinned) {
  /** @type {import("./state.js").Preview} */
  const preview = { ply, view: state.view, moves, at, pinned, animate: false, plies: [] };
  state.preview = preview;
  try {
    preview.plies = await positions(ply, moves);
    if (state.preview === preview) changed();
  } catch (error) {
    if (state.preview === preview) closeLine();
    if (pinned) toastError(error);
  }
}

/** The line that is on the board, unless another position was chosen since. */
export function shownLine() {
  const { preview } = state;
  return preview && preview.view === state.view && preview.plies.length > 0 ? preview : null;
}

/** The line that was pinned. */
export function pinnedLine() {
  const line = shownLine();
  return line?.pinned ? line : null;
}

/** The position of the line that is on the board. @returns {Api.Ply|null} */
export function shownPosition() {
  const line = shownLine();
  if (!line) return null;
  return line.at === 0 ? state.plies[line.ply] : (line.plies[line.at - 1] ?? line.plies.at(-1));
}

/**
 * The pointer is over a move of a line.
 * @param {number} ply
 * @param {string[]} moves
 * @param {number} at
 */
export function hoverLine(ply, moves, at) {
  if (!pinnedLine()) show(ply, moves, at, false);
}

/** The pointer has left the line. */
export function leaveLine() {
  if (!state.preview || state.preview.pinned) return;
  state.preview = null;
  changed();
}

/**
 * Keeps a line on the board.
 * @param {number} ply
 * @param {string[]} moves
 * @param {number} at
 */
export function pinLine(ply, moves, at) {
  clearInterval(timer);
  return show(ply, moves, at, true);
}

/** @param {number} at how many moves of the pinned line have been played */
export function showLineAt(at) {
  const line = pinnedLine();
  if (!line) return;
  line.animate = at === line.at + 1;
  line.at = Math.max(0, Math.min(line.plies.length, at));
  changed();
}

/** @param {number} by */
export function stepLine(by) {
  clearInterval(timer);
  showLineAt((pinnedLine()?.at ?? 0) + by);
}

export function closeLine() {
  clearInterval(timer);
  state.preview = null;
  changed();
}

/**
 * Plays a line on the board, move by move.
 * @param {number} ply
 * @param {string[]} moves
 */
export async function playLine(ply, moves) {
  await pinLine(ply, moves, reducedMotion() ? moves.length : 1);
  timer = window.setInterval(() => {
    const line = pinnedLine();
    if (!line || line.at >= line.plies.length) clearInterval(timer);
    else showLineAt(line.at + 1);
  }, STEP);
}
