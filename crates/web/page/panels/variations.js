// Side lines and comments in the list of moves, and what can be done with them.

import { h, put, toastError } from "../dom.js";
import { t } from "../i18n.js";
import { annotate, nodeOf, noteHere, promote, remove, showNode } from "../lines.js";
import { spot, state } from "../state.js";

/**
 * The comment on a ply of the game.
 * @param {number} ply
 */
export function comment(ply) {
  const text = state.tree.notes[ply];
  return text && h("li", { class: "comment" }, h("p", {}, text));
}

/**
 * The side lines that leave the game after a ply.
 * @param {number} ply
 * @param {number} turn the turn of the move that they replace
 */
export function linesAfter(ply, turn) {
  const begin = state.tree.nodes.filter(({ parent }) => parent.ply === ply);
  if (begin.length === 0) return null;
  return h(
    "li",
    { class: "lines-here" },
    h(
      "ul",
      {},
      begin.map((first) => h("li", {}, lineParts(first, turn))),
    ),
  );
}

/**
 * A side line from a move on: its moves, comments, and the lines that leave it.
 * @param {Api.TreeNode} first
 * @param {number} [turn] shown before the first move
 * @returns {Dom.Child[]}
 */
function lineParts(first, turn) {
  /** @type {Dom.Child[]} */
  const parts = [];
  if (turn) parts.push(h("span", { class: "number" }, `${turn}${first.by === 1 ? "…" : "."} `));
  /** @type {Api.TreeNode|undefined} */
  let node = first;
  /** @type {Api.TreeNode[]} */
  let beside = [];
  while (node) {
    parts.push(nodeButton(node));
    for (const other of beside) {
      parts.push(h("span", { class: "inner" }, "(", lineParts(other), ")"));
    }
    const id = /** @type {number} */ (node.id);
    [node, ...beside] = state.tree.nodes.filter(({ parent }) => parent.node === id);
  }
  const flat = parts.flat();
  if (flat.at(-1) === " ") flat.pop();
  return flat;
}

/** @param {Api.TreeNode} node @returns {Dom.Child[]} */
function nodeButton({ id, name, note }) {
  const show = () => showNode(id).catch(toastError);
  return [
    h("button", { type: "button", "data-node": id, onclick: show }, name),
    note && h("em", {}, note),
    " ",
  ];
}

/**
 * What the owner can do with the position shown: comment on it, raise its line,
 * remove it.
 * @returns {Dom.Panel}
 */
export function lineTools() {
  const text = h("textarea", { rows: 2, maxlength: 1000, "aria-label": t("lines.note") });
  const field = h("details", { class: "note-field" }, h("summary", {}, t("lines.note")), text);
  const buttons = h("div", { class: "actions" });
  const element = h("div", { class: "line-tools" }, buttons, field);
  /** The position that the field is about. */
  let at = spot();
  text.addEventListener("change", () => annotate(at, text.value));
  let drawn = "";
  return {
    element,
    render() {
      element.hidden = !state.rights.owns;
      const here = spot();
      const { node } = here;
      const key = JSON.stringify([node, node !== null && nodeOf(node)?.parent]);
      if (key !== drawn) {
        drawn = key;
        put(buttons, node !== null && [button("promote", promote), button("remove", remove)]);
      }
      // What is being typed is about the position where it was begun.
      if (document.activeElement === text) return;
      at = here;
      const note = noteHere();
      if (text.value !== note) text.value = note;
      if (note) field.open = true;
    },
  };
}

/** @param {"promote"|"remove"} name @param {(node: number) => void} act */
function button(name, act) {
  const onclick = () => {
    const { node } = spot();
    if (node !== null) act(node);
  };
  return h("button", { type: "button", "data-do": name, onclick }, t(`lines.${name}`));
}
