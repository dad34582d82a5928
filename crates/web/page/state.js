// What the page knows, in one place. Panels read it and are told when it has
// changed; only events.js, game.js and the panels' own handlers change it.

/**
 * @typedef {{move: string|null, name: string|null, by: number|null, to_move: number,
 *   eval: number|null, left: number[]|null, position: string, view: any}} Ply
 * @typedef {[string, string[], number|undefined]} Legal a move, its places, where a stone lands
 */

export const state = {
  /** @type {string|null} */ id: null,
  /** @type {any} */ board: null,
  /** @type {any} */ head: null,
  /** @type {Ply[]} */ plies: [],
  /** The ply looked at. */ view: 0,
  /** Whether the view follows the game. */ follow: true,
  /** @type {Legal[]} */ legal: [],
  /** @type {any} */ analysis: null,
  /** @type {any} */ thought: null,
  /** @type {any} */ review: null,
  /** First's chance by ply, from analyses seen. @type {Map<number, number>} */ seen: new Map(),
  flipped: false,
  connected: false,
  /** A move of a contest that waits to be confirmed. @type {string|null} */ pending: null,
  /** The ply of an opponent's move that is being corrected. @type {number|null} */ correcting: null,
  chains: false,
  scores: true,
};

/** @type {Set<() => void>} */
const readers = new Set();
let asked = false;

/** Calls back after changes, at most once a frame. @param {() => void} reader */
export function listen(reader) {
  readers.add(reader);
  return () => readers.delete(reader);
}

/** Says that something has changed. */
export function changed() {
  if (asked) return;
  asked = true;
  // A hidden tab has no frames, but its title and its voice go on.
  const later = document.hidden ? (/** @type {any} */ f) => setTimeout(f, 50) : requestAnimationFrame;
  later(() => {
    asked = false;
    for (const reader of readers) reader();
  });
}

export function reset() {
  readers.clear();
  Object.assign(state, {
    id: null, board: null, head: null, plies: [], view: 0, follow: true, legal: [],
    analysis: null, thought: null, review: null, seen: new Map(), flipped: false,
    connected: false, pending: null, correcting: null, chains: false,
  });
}

/** Whether the game on the table still runs. */
export const live = () => state.head !== null && state.head.outcome === null;

/** Whether the view is at the game's present. */
export const present = () => state.head !== null && state.view === state.head.played;

/** Whether any engine sits at the table. */
export const engines = () => state.head !== null && state.head.seats.some((/** @type {any} */ seat) => seat !== "human");

/** Whether a person may move at the ply looked at. */
export function mayMove() {
  const { head } = state;
  if (!head || (head.clocks && head.clocks.paused)) return false;
  if (state.correcting !== null) return state.view === state.correcting;
  if (present()) return live() && head.seats[head.to_move] === "human";
  return !live() || !engines();
}

/** First's chance at a ply, from the best source we have. @param {number} ply @returns {number|null} */
export function chance(ply) {
  const found = state.review?.found?.find((/** @type {any} */ one) => one.ply === ply);
  if (state.analysis && state.analysis.ply === ply) return state.analysis.first;
  if (found) return found.first;
  if (state.seen.has(ply)) return state.seen.get(ply) ?? null;
  return state.plies[ply]?.eval ?? null;
}
