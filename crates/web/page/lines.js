// Side lines: showing one, adding to it, raising it, removing it, and comments.
// The game itself is left as it is, unless its player says otherwise.

import { look, play, send, viewChanged } from "./actions.js";
import * as api from "./api.js";
import { toastError } from "./dom.js";
import { t } from "./i18n.js";
import { moveSound } from "./sound.js";
import { changed, engines, gameId, head, live, present, setSide, spot, state } from "./state.js";

/** How often a side move was asked for: the newest request decides what is shown. */
let requests = 0;

/**
 * Shows the position after a side move, and the line around it.
 * @param {number} node
 * @param {boolean} [animate] whether the move was just made
 */
export async function showNode(node, animate = false) {
  const id = gameId();
  const request = ++requests;
  const side = await api.line(id, node);
  if (state.id !== id || request !== requests) return;
  state.view = side.from + 1 + side.nodes.indexOf(node);
  setSide(side);
  state.follow = false;
  state.animate = animate;
  if (animate) moveSound(false);
  viewChanged();
  changed();
}

/**
 * Shows a ply of the game itself.
 * @param {number} ply
 */
export function showPly(ply) {
  // A side line that begins later stays in sight of the arrow keys.
  if (state.side && ply > state.side.from) setSide(null);
  look(ply);
}

/**
 * Has the side line shown follow a change on the server. It moves the view only
 * with its node: whoever went elsewhere in the meantime stays there.
 */
export async function refreshLine() {
  const id = gameId();
  const { node } = spot();
  // A node that is gone became part of the game, or was removed.
  if (node === null || (node < state.tree.next && !nodeOf(node))) {
    setSide(null);
    viewChanged();
    return;
  }
  const request = requests;
  const side = await api.line(id, node).catch(() => null);
  if (state.id !== id || request !== requests) return;
  if (spot().node !== node) {
    refreshLine();
    return;
  }
  // None if it was removed meanwhile.
  if (side) state.view = side.from + 1 + side.nodes.indexOf(node);
  setSide(side);
  viewChanged();
  changed();
}

/** Shows what the address names: `#12`, or `#12.3` after the side move 3. */
export function openFragment() {
  const { played } = head();
  const [ply, node] = location.hash.slice(1).split(".").map(Number);
  state.view = location.hash && ply >= 0 && ply < state.game.length ? ply : played;
  state.follow = present();
  if (node >= 0) showNode(node).catch(() => {});
}

/**
 * Plays a move at the position shown: in the game if that has come so far, else in
 * a side line.
 * @param {string} move
 */
export async function playHere(move) {
  const here = spot();
  if (
    state.intercept ||
    (present() && live()) ||
    state.correcting !== null ||
    (head().contest && live())
  ) {
    play(move);
  } else if (here.node === null && live() && engines()) {
    goBack(here.ply, move);
  } else {
    try {
      const { ply, node } = await api.vary(gameId(), { ...here, move });
      if (node === null) showPly(ply);
      else await showNode(node, true);
    } catch (error) {
      toastError(error);
    }
  }
}

/**
 * In a game that goes on with an engine: asks whether it shall go on from an
 * earlier position.
 * @param {number} ply
 * @param {string} move
 */
function goBack(ply, move) {
  const next = state.game[ply + 1];
  const n = head().played - ply;
  if (next?.move === move) showPly(ply + 1);
  else if (confirm(t("lines.cut", { n }))) {
    setSide(null);
    state.follow = true;
    send({ do: "play", ply, move, cut: true });
  }
}

/** Raises the line shown by one level. @param {number} node */
export const promote = (node) => send({ do: "promote", node });

/** Removes a side move and all after it. @param {number} node */
export function remove(node) {
  const count = descendants(node);
  if (!confirm(t("lines.remove.sure", { n: count }))) return;
  const parent = nodeOf(node)?.parent;
  if (parent?.ply !== undefined) showPly(parent.ply);
  else look(state.view - 1);
  send({ do: "remove", node });
}

/** @param {number} node */
export const nodeOf = (node) => state.tree.nodes.find(({ id }) => id === node);

/** How many moves go with a side move. @param {number} node @returns {number} */
function descendants(node) {
  const after = state.tree.nodes.filter(({ parent }) => parent.node === node);
  return after.reduce((sum, { id }) => sum + descendants(id), 1);
}

/** The comment on the position shown. */
export function noteHere() {
  const { ply, node } = spot();
  return (node === null ? state.tree.notes[ply] : nodeOf(node)?.note) ?? "";
}

/** Writes the comment on a position. @param {Api.Spot} at @param {string} text */
export const annotate = (at, text) => send({ do: "note", ...at, text });

/**
 * The game with its side lines and comments, as records have it (PGN's form).
 * @returns {string}
 */
export function movetext() {
  const { nodes, notes } = state.tree;
  const { played } = head();
  /** @type {string[]} */
  const words = [];
  const note = (/** @type {string|undefined} */ text) => {
    const plain = text?.replaceAll("}", ")").split(/\s+/).join(" ");
    if (plain) words.push(`{${plain}}`);
  };
  const children = (/** @type {(parent: Api.TreeNode["parent"]) => boolean} */ of) =>
    nodes.filter(({ parent }) => of(parent));
  /** @param {Api.TreeNode} first */
  const side = (first) => {
    const begin = words.length;
    /** @type {Api.TreeNode|undefined} */
    let node = first;
    /** @type {Api.TreeNode[]} */
    let beside = [];
    while (node) {
      words.push(node.move);
      note(node.note);
      beside.forEach(side);
      const id = /** @type {number} */ (node.id);
      [node, ...beside] = children((parent) => parent.node === id);
    }
    words[begin] = `(${words[begin]}`;
    words.push(`${words.pop()})`);
  };
  note(notes[0]);
  for (let ply = 1; ply <= played; ply += 1) {
    words.push(state.game[ply].move ?? "");
    note(notes[ply]);
    children((parent) => parent.ply === ply - 1).forEach(side);
  }
  const after = children((parent) => parent.ply === played);
  if (after.length > 0) words.push("*");
  after.forEach(side);
  return words.join(" ");
}
