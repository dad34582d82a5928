// A search tree as a drawing: leaves side by side, parents above the middle of
// their children.

import { s } from "../dom.js";
import { t } from "../i18n.js";

const [COLUMN, ROW] = [38, 52];

/** @typedef {import("./trace-steps.js").TreeNode} TreeNode */

/** @param {import("./trace-steps.js").Step} step */
export function drawTree({ root, lit, phase }) {
  /** @type {Map<TreeNode, Board.Point>} */
  const spots = new Map();
  let leaves = 0;
  let deepest = 0;

  /** @param {TreeNode} node @param {number} depth @returns {number} its x */
  function layOut(node, depth) {
    deepest = Math.max(deepest, depth);
    const below = node.children.map((child) => layOut(child, depth + 1));
    if (below.length === 0) leaves += 1;
    const x = below.length ? (below[0] + below[below.length - 1]) / 2 : (leaves - 0.5) * COLUMN;
    spots.set(node, { x, y: depth * ROW + 18 });
    return x;
  }
  layOut(root, 0);
  const [width, height] = [Math.max(leaves * COLUMN, 60), deepest * ROW + 40];
  const svg = s("svg", {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    class: `phase-${phase}`,
    role: "img",
    "aria-label": t("trace"),
  });

  /** @param {TreeNode} node */
  function draw(node) {
    const { x, y } = /** @type {Board.Point} */ (spots.get(node));
    for (const child of node.children) {
      const end = /** @type {Board.Point} */ (spots.get(child));
      const name = `branch${lit.has(child.id) ? " lit" : ""}`;
      svg.append(s("line", { class: name, x1: x, y1: y, x2: end.x, y2: end.y }));
      draw(child);
    }
    const name = `node ${node.kind}${lit.has(node.id) ? " lit" : ""}`;
    svg.append(
      s("circle", { class: name, cx: x, cy: y, r: 13 }),
      s("text", { class: "node-text", x, y: y + 3.5 }, node.text),
    );
    if (node.edge) svg.append(s("text", { class: "branch-text", x, y: y - 17 }, node.edge));
  }
  draw(root);
  return svg;
}
