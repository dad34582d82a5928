// What a board shows and how clicks become moves: plain values and functions,
// without elements. It knows no rules: legal moves come in, a move goes out.

/**
 * @typedef {object} BoardState
 * @property {Api.Geometry} geometry
 * @property {"turn"|"mirror"} flip what flipping the board does
 * @property {Map<string, Api.Place>} places
 * @property {boolean} flipped
 * @property {Api.Ply|null} ply
 * @property {Api.Legal[]} legal empty if a person may not move
 * @property {string|null} selected the place of the piece that was chosen
 * @property {string|null} focused the place that Tab reaches
 */

/**
 * @param {Api.Geometry} geometry
 * @param {"turn"|"mirror"} flip
 * @returns {BoardState}
 */
export function createState(geometry, flip) {
  return {
    geometry,
    flip,
    places: new Map(geometry.places.map((place) => [place.id, place])),
    flipped: false,
    ply: null,
    legal: [],
    selected: null,
    focused: geometry.places[0]?.id ?? null,
  };
}

/**
 * Where a point is, now that the board may be turned.
 * @param {BoardState} board
 * @param {Board.Point} point
 * @returns {Board.Point}
 */
export function at({ geometry, flip, flipped }, { x, y }) {
  if (!flipped) return { x, y };
  return { x: geometry.width - x, y: flip === "mirror" ? y : geometry.height - y };
}

/**
 * The places where a move can begin.
 * @param {BoardState} board
 */
export const starts = ({ legal }) => new Set(legal.map(([, places]) => places[0]));

/**
 * The places where the selected piece can go.
 * @param {BoardState} board
 */
export const targets = ({ legal, selected }) =>
  new Set(legal.filter(([, places]) => places[0] === selected).map(([, places]) => places[1]));

/**
 * Whether moves have a start and a target.
 * @param {BoardState} board
 */
export const twoClicks = ({ legal }) => legal.some(([, places]) => places.length > 1);

/**
 * Whether the piece at a place can be moved elsewhere.
 * @param {BoardState} board
 * @param {string} id
 */
export const movable = ({ legal }, id) =>
  legal.some(([, places]) => places.length > 1 && places[0] === id);

/**
 * The move between two places.
 * @param {BoardState} board
 * @param {string|null} from
 * @param {string|undefined} to
 * @returns {string|null}
 */
export function moveBetween({ legal }, from, to) {
  const found = legal.find(([, places]) => places[0] === from && places[1] === to);
  return found ? found[0] : null;
}

/**
 * A place was clicked, tapped or chosen by key: the move that this completes,
 * or the piece that is selected from now on.
 * @param {BoardState} board
 * @param {string} id
 * @returns {{move: string|null, selected: string|null}}
 */
export function activate(board, id) {
  const single = board.legal.find(([, places]) => places.length === 1 && places[0] === id);
  const move = single ? single[0] : moveBetween(board, board.selected, id);
  if (move !== null) return { move, selected: null };
  return { move, selected: movable(board, id) && board.selected !== id ? id : null };
}

/**
 * Takes in another position. Whether it differs from what is shown.
 * @param {BoardState} board
 * @param {Api.Ply} ply
 * @param {Api.Legal[]} legal
 * @returns {{moved: boolean, changed: boolean}}
 */
export function setPosition(board, ply, legal) {
  const moved = ply !== board.ply;
  const changed = moved || JSON.stringify(legal) !== JSON.stringify(board.legal);
  board.ply = ply;
  board.legal = legal;
  if (board.selected && !movable(board, board.selected)) board.selected = null;
  return { moved, changed };
}

/**
 * The nearest place in a direction from the one that has the focus.
 * @param {BoardState} board
 * @param {number[]} direction
 * @returns {string|null}
 */
export function neighbour(board, [dx, dy]) {
  const from = board.places.get(board.focused ?? "");
  if (!from) return null;
  const here = at(board, from);
  let best = null;
  let least = Infinity;
  for (const place of board.places.values()) {
    const { x, y } = at(board, place);
    const along = (x - here.x) * dx + (y - here.y) * dy;
    const aside = Math.abs((x - here.x) * dy) + Math.abs((y - here.y) * dx);
    const distance = along + 2.5 * aside;
    if (along > 0.01 && distance < least) [best, least] = [place.id, distance];
  }
  return best;
}

/**
 * The place at a point of the board, within half a unit.
 * @param {BoardState} board
 * @param {Board.Point} point
 */
export function placeAt(board, { x, y }) {
  return [...board.places.values()].find((place) => {
    const there = at(board, place);
    return Math.hypot(there.x - x, there.y - y) < 0.5;
  });
}
