// What a person can do with a game: each action changes the state, or asks the
// server, or both. Nothing here draws.

import * as api from "./api.js";
import { toastError } from "./dom.js";
import { go } from "./router.js";
import { changed, gameId, head, live, mayMove, present, setSide, spot, state } from "./state.js";
import { tab } from "./stream.js";

/**
 * Sends a command about the game.
 * @param {Api.Command} command
 */
export async function send(command) {
  try {
    await api.command(gameId(), command);
  } catch (error) {
    toastError(error);
  }
}

/**
 * Plays a move at the ply shown; in a contest it must be confirmed first.
 * @param {string} move
 */
export function play(move) {
  if (state.intercept) {
    state.intercept.take(move);
  } else if (head().contest && live()) {
    propose(move);
  } else {
    state.follow = true;
    send({ do: "play", ply: state.view, move });
  }
}

/** @param {"undo"|"redo"} direction */
export function step(direction) {
  setSide(null);
  state.follow = true;
  send({ do: direction });
}

export function flip() {
  state.flipped = !state.flipped;
  changed();
}

/**
 * Shows another ply.
 * @param {number} ply
 */
export function look(ply) {
  state.view = Math.max(0, Math.min(state.plies.length - 1, ply));
  state.follow = present();
  state.animate = false;
  viewChanged();
  changed();
}

/** Another position is shown: legal moves, address and analysis follow. */
export function viewChanged() {
  if (present() && live() && state.correcting === null) {
    state.legal = head().legal;
  } else {
    state.legal = [];
    if (mayMove()) askLegal(spot());
  }
  const { node } = spot();
  const aside = node === null ? "" : `.${node}`;
  const fragment = present() ? "" : `#${state.view}${aside}`;
  if (location.hash !== fragment) history.replaceState(null, "", location.pathname + fragment);
  requestAnalysis().catch(toastError);
}

/** @param {Api.Spot} wanted */
async function askLegal(wanted) {
  try {
    const legal = await api.legal(gameId(), wanted);
    const { ply, node } = spot();
    if (ply !== wanted.ply || node !== wanted.node || !mayMove()) return;
    state.legal = legal;
    changed();
  } catch {
    // The game has changed meanwhile; its event brings what is legal now.
  }
}

/** The analysis that was asked for last. */
let requested = "";

/** Forgets what was asked for, as after a new connection. */
export function forgetAnalysis() {
  requested = "";
}

/**
 * Asks for the analysis of the position shown, unless it was asked for already.
 * @param {boolean} [again] asks in any case
 */
async function requestAnalysis(again = false) {
  if (!state.head || !state.connected) return;
  const { on, engine } = state.head.study;
  const wanted = { tab, on, engine, threat: state.threat, ...spot() };
  const key = JSON.stringify([wanted, state.plies[state.view]?.position]);
  // What is known of this position stays: a search that is over reports no more.
  if (key === requested && !again) return;
  requested = key;
  state.analysis = null;
  await api.analyse(gameId(), wanted);
}

/**
 * Switches the analysis.
 * @param {boolean} on
 * @param {string} engine
 */
export async function setAnalysis(on, engine) {
  const before = head().study;
  head().study = { on, engine };
  const asked = requestAnalysis(true);
  changed();
  try {
    await asked;
  } catch (error) {
    // The server goes on with what it had.
    toastError(error);
    if (!state.head) return;
    state.head.study = before;
    requestAnalysis(true).catch(() => {});
    changed();
  }
}

/**
 * Has a move of a contest wait to be confirmed.
 * @param {string|null} move
 */
export function propose(move) {
  state.pending = move;
  changed();
}

/** Plays the move that waits, or corrects an earlier one to it. */
export async function confirmMove() {
  const { pending: move, correcting: ply } = state;
  correct(null);
  if (move === null) return;
  if (ply === null) await send({ do: "play", ply: head().played, move });
  else await send({ do: "correct", ply, move });
}

/**
 * Begins or ends the correction of the move after a ply.
 * @param {number|null} ply
 */
export function correct(ply) {
  state.pending = null;
  state.correcting = ply;
  setSide(null);
  look(ply ?? head().played);
}

/**
 * Takes the seat that the link in the address gives, if it has one.
 * @param {string} id of the game
 */
export async function takeSeat(id) {
  const link = new URLSearchParams(location.search).get("seat");
  if (link === null) return;
  history.replaceState(null, "", location.pathname + location.hash);
  try {
    await api.takeSeat(id, link);
  } catch (error) {
    toastError(error);
  }
}

/**
 * Begins a game and shows it.
 * @param {Api.NewGame} game
 * @param {boolean} [replace]
 */
export async function newGame(game, replace = false) {
  try {
    const { id } = await api.create(game);
    go(`/g/${id}`, replace);
  } catch (error) {
    toastError(error);
  }
}
