// What the page knows of the game it shows, and questions about it. Panels read
// it and are called after changes; only stream.js and actions.js change it, and
// panels what they alone show. It knows no elements and no server.

/**
 * @typedef {object} State
 * @property {string|null} id
 * @property {Api.Geometry|null} geometry
 * @property {(Api.Head & {at: number})|null} head the game, and when it was received
 * @property {Api.Rights} rights what this page may do in it
 * @property {Api.Ply[]} plies
 * @property {number} view the ply that is shown
 * @property {boolean} follow whether the view follows the game
 * @property {boolean} animate whether the next drawing shows the last move as a motion
 * @property {Api.Legal[]} legal
 * @property {Api.Report|null} analysis
 * @property {Api.Report|null} thought what the engine to move has found so far
 * @property {Api.Review|null} review
 * @property {Map<number, number>} seen First's chance by ply, from analyses seen
 * @property {boolean} flipped
 * @property {boolean} connected
 * @property {boolean} missing whether the server has no such game
 * @property {string|null} pending a move of a contest that waits to be confirmed
 * @property {number|null} correcting the ply of an opponent's move that is being corrected
 * @property {boolean} scores whether scores are shown on the board
 * @property {Set<string>} overlays the overlays of the board script that are on
 */

/** @returns {State} */
const initial = () => ({
  id: null,
  geometry: null,
  head: null,
  rights: { owns: false, plays: [false, false], given: [false, false] },
  plies: [],
  view: 0,
  follow: true,
  animate: false,
  legal: [],
  analysis: null,
  thought: null,
  review: null,
  seen: new Map(),
  flipped: false,
  connected: false,
  missing: false,
  pending: null,
  correcting: null,
  scores: true,
  overlays: new Set(),
});

export const state = initial();

/** @type {Set<() => void>} */
const subscribers = new Set();
let scheduled = false;

/**
 * Calls back after changes, at most once a frame.
 * @param {() => void} subscriber
 */
export function subscribe(subscriber) {
  subscribers.add(subscriber);
}

/** Has everything drawn again. */
export function changed() {
  if (scheduled) return;
  scheduled = true;
  const run = () => {
    scheduled = false;
    for (const subscriber of subscribers) subscriber();
  };
  // A hidden tab has no frames, but its title and its voice go on.
  if (document.hidden) setTimeout(run, 50);
  else requestAnimationFrame(run);
}

/** Forgets the game and everyone who draws it. */
export function reset() {
  subscribers.clear();
  Object.assign(state, initial(), { scores: state.scores });
}

/** The game, where one is shown. */
export function head() {
  if (!state.head) throw new Error("no game is shown");
  return state.head;
}

/** The id of the game, where one is shown. */
export function gameId() {
  if (!state.id) throw new Error("no game is shown");
  return state.id;
}

/** Whether the game goes on. */
export const live = () => state.head !== null && state.head.outcome === null;

/** Whether the view is at the position that the game has reached. */
export const present = () => state.head !== null && state.view === state.head.played;

/** Whether an engine plays. */
export const engines = () =>
  state.head !== null && state.head.seats.some((seat) => seat !== "human");

/** Whether this page takes part in the game, rather than only watch. */
export const participates = () => state.rights.owns || state.rights.plays.includes(true);

/**
 * Whether a person at this page moves for a player.
 * @param {number} player
 */
export const playsHere = (player) =>
  state.head?.seats[player] === "human" && state.rights.plays[player];

/** Whether a person at this page may move at the ply shown. */
export function mayMove() {
  if (!state.head || state.head.clocks?.paused) return false;
  if (state.correcting !== null) return state.view === state.correcting;
  if (present()) return live() && playsHere(state.head.to_move);
  return state.rights.owns && (!live() || !engines());
}

/**
 * First's chance to win at a ply, from the best source there is.
 * @param {number} ply
 * @returns {number|null}
 */
export function chance(ply) {
  const { head, plies } = state;
  if (head?.outcome && ply === head.played && ply === plies.length - 1) {
    return [1, 0][head.outcome.winner ?? 2] ?? 0.5;
  }
  if (state.analysis?.ply === ply) return state.analysis.first;
  const reviewed = state.review?.found.find((one) => one.ply === ply);
  return reviewed?.first ?? state.seen.get(ply) ?? state.plies[ply]?.eval ?? null;
}

/**
 * What the review says of the move that led to a ply.
 * @param {number} ply
 */
export const reviewed = (ply) => state.review?.found.find((one) => one.ply === ply - 1);
