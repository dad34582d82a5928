// What the page knows of the game it shows, and questions about it. Panels read
// it and are called after changes; only stream.js and actions.js change it, and
// panels what they alone show. It knows no elements and no server.

/**
 * @typedef {object} State
 * @property {string|null} id
 * @property {Api.Geometry|null} geometry
 * @property {(Api.Head & {at: number})|null} head the game, and when it was received
 * @property {Api.Rights} rights what this page may do in it
 * @property {Api.Ply[]} game the plies of the game itself
 * @property {Api.Tree} tree its side lines and comments
 * @property {Api.SideLine|null} side the side line that is shown
 * @property {Api.Ply[]} plies what is shown: the game, or its beginning and a side line
 * @property {number} view the ply that is shown
 * @property {boolean} follow whether the view follows the game
 * @property {boolean} animate whether the next drawing shows the last move as a motion
 * @property {Api.Legal[]} legal
 * @property {Api.Report|null} analysis
 * @property {Api.Report|null} thought what the engine to move has found so far
 * @property {Api.Review|null} review
 * @property {Api.Sample|null} sample fast games from a position
 * @property {Preview|null} preview a line on the board in place of the game
 * @property {boolean} threat whether the analysis shows what the other side would play
 * @property {boolean} drawing whether pointers draw arrows and circles
 * @property {(() => void)|null} shapes removes those of the position shown, if there are any
 * @property {{ply: number, take: (move: string) => void}|null} intercept what takes moves
 *   at a ply in place of the game
 * @property {Map<number, number>} seen First's chance by ply, from analyses seen
 * @property {boolean} flipped
 * @property {boolean} connected
 * @property {boolean} missing whether the server has no such game
 * @property {string|null} pending a move of a contest that waits to be confirmed
 * @property {number|null} correcting the ply of an opponent's move that is being corrected
 * @property {boolean} scores whether scores are shown on the board
 * @property {Set<string>} overlays the overlays of the board script that are on
 */

/**
 * @typedef {object} Preview
 * @property {number} ply where the line begins
 * @property {number} view the ply that was shown before
 * @property {string[]} moves
 * @property {Api.Ply[]} plies the positions after its moves, once they are here
 * @property {number} at how many of its moves have been played
 * @property {boolean} pinned whether it stays when the pointer leaves
 * @property {boolean} animate
 */

/** @returns {State} */
const initial = () => ({
  id: null,
  geometry: null,
  head: null,
  rights: { owns: false, plays: [false, false], given: [false, false] },
  game: [],
  tree: { notes: {}, nodes: [], next: 0 },
  side: null,
  plies: [],
  view: 0,
  follow: true,
  animate: false,
  legal: [],
  analysis: null,
  thought: null,
  review: null,
  sample: null,
  preview: null,
  threat: false,
  drawing: false,
  shapes: null,
  intercept: null,
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

/**
 * Shows a side line, or the game itself.
 * @param {Api.SideLine|null} side
 */
export function setSide(side) {
  state.side = side && side.from < state.game.length ? side : null;
  state.plies = state.side
    ? [...state.game.slice(0, state.side.from + 1), ...state.side.plies]
    : state.game;
  state.view = Math.max(0, Math.min(state.view, state.plies.length - 1));
}

/**
 * The position at a ply of what is shown, as the server names it: `node` is the
 * side move that led to it.
 * @param {number} [ply]
 * @returns {Api.Spot}
 */
export function spot(ply = state.view) {
  const { side } = state;
  const node = side && ply > side.from ? side.nodes[ply - side.from - 1] : null;
  return { ply, node: node ?? null };
}

/** Whether the view is at the position that the game has reached. */
export const present = () =>
  state.head !== null && state.view === state.head.played && spot().node === null;

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

/** Whether a person here plays against an engine, whose thoughts are its own. */
export const hidesThoughts = () =>
  live() && engines() && !state.head?.contest && !state.head?.study.on && [0, 1].some(playsHere);

/** Whether a person at this page may move at the ply shown. */
export function mayMove() {
  if (!state.head) return false;
  if (state.intercept) return state.intercept.ply === state.view;
  if (state.head.paused) return false;
  if (state.correcting !== null) return state.view === state.correcting;
  if (present() && live()) return playsHere(state.head.to_move);
  return state.rights.owns && (!live() || state.head.contest === null);
}

/**
 * First's chance to win at a ply, from the best source there is.
 * @param {number} ply
 * @returns {number|null}
 */
export function chance(ply) {
  const { game, head } = state;
  const aside = spot(ply).node !== null;
  if (!aside && head?.outcome && ply === head.played && ply === game.length - 1) {
    return [1, 0][head.outcome.winner ?? 2] ?? 0.5;
  }
  if (state.analysis?.ply === ply && !state.analysis.threat) return state.analysis.first;
  if (aside) return state.plies[ply]?.eval ?? null;
  const reviewed = state.review?.found.find((one) => one.ply === ply);
  const known = reviewed?.first ?? state.seen.get(ply);
  return known ?? (hidesThoughts() ? null : (state.plies[ply]?.eval ?? null));
}

/** The review of the game as it stands, if there is one. */
export function currentReview() {
  const { review, plies } = state;
  return review && review.length === plies.length - 1 ? review : null;
}

/**
 * What the review says of the move that led to a ply.
 * @param {number} ply
 */
export const reviewed = (ply) =>
  spot(ply).node === null ? state.review?.found.find((one) => one.ply === ply - 1) : undefined;
