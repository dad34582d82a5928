// The steps of a traced search: each has a tree to draw, the nodes that it is
// about, and a sentence.

import { t } from "../i18n.js";

/**
 * A node of the drawing: `text` on it, `edge` on the line that leads to it.
 * @typedef {object} TreeNode
 * @property {number} id
 * @property {string} edge
 * @property {string} text
 * @property {string} kind
 * @property {TreeNode[]} children
 */

/**
 * @typedef {{text: string, root: TreeNode, lit: Set<number>, phase: string}} Step
 * @typedef {{length: number, step: (n: number) => Step}} Steps
 */

/** Values beyond this are wins; alpha-beta's are in hundredths. */
const WIN = 25000;

/** @param {number} value in hundredths */
function signed(value) {
  if (Math.abs(value) > WIN) return value > 0 ? "∞" : "−∞";
  return (value > 0 ? "+" : "") + String(Math.round(value) / 100);
}

/** @param {Api.Trace} trace @returns {Steps} */
export function stepsOf(trace) {
  return trace.search === "tree" ? treeSteps(trace.simulations) : alphaBetaSteps(trace);
}

/** @param {number} id @param {string} edge @returns {TreeNode} */
const createNode = (id, edge) => ({ id, edge, text: "", kind: "", children: [] });

/** Four steps a simulation: select, expand, simulate, back up. */
const PHASES = ["select", "expand", "simulate", "backup"];

/** @param {Api.Simulation[]} simulations @returns {Steps} */
function treeSteps(simulations) {
  const step = (/** @type {number} */ n) => {
    const [done, phase] = [Math.floor(n / PHASES.length), PHASES[n % PHASES.length]];
    const root = treeAfter(simulations.slice(0, phase === "backup" ? done + 1 : done));
    const { backed_up, expanded, path, proven, value } = simulations[done];
    const lit = new Set([root.id]);
    let node = root;
    for (const move of path) {
      let child = node.children.find((one) => one.edge === move);
      if (!child) {
        child = createNode(1e6 + lit.size, move);
        child.kind = "new";
        node.children.push(child);
      }
      lit.add(child.id);
      node = child;
    }
    const result = signed(value * 100);
    if (phase === "simulate") node.text = result;
    const key = phase === "simulate" && proven ? "proven" : phase;
    const values = { value: result, n: phase === "expand" ? (expanded ?? 0) : backed_up };
    const number = t("trace.simulation", { n: done + 1, total: simulations.length });
    return { root, lit, phase, text: `${number}. ${t(`trace.${key}`, values)}` };
  };
  return { length: simulations.length * PHASES.length, step };
}

/** The tree that some simulations leave behind. @param {Api.Simulation[]} simulations */
function treeAfter(simulations) {
  let count = 0;
  const fresh = (/** @type {string} */ edge) => {
    const node = { ...createNode(count, edge), visits: 0, sum: 0 };
    count += 1;
    return node;
  };
  const root = fresh("");
  for (const { path, value } of simulations) {
    let node = root;
    visit(node, value);
    for (const move of path) {
      let child = /** @type {typeof root|undefined} */ (
        node.children.find((one) => one.edge === move)
      );
      if (!child) {
        child = fresh(move);
        node.children.push(child);
      }
      node = child;
      visit(node, value);
    }
  }
  return /** @type {TreeNode} */ (root);
}

/** @param {TreeNode & {visits: number, sum: number}} node @param {number} value First's */
function visit(node, value) {
  node.visits += 1;
  node.sum += value;
  node.text = String(node.visits);
  const mean = node.sum / node.visits;
  node.kind = mean > 0.1 ? "first" : mean < -0.1 ? "second" : "";
}

/** @typedef {{node: Api.TraceNode, path: Api.TraceNode[], leave: boolean}} Visit */

/** @param {Api.TraceNode} node @param {Api.TraceNode[]} above @returns {Visit[]} */
function visitsOf(node, above) {
  const path = [...above, node];
  const inside = node.children.flatMap((child) => visitsOf(child, path));
  return [{ node, path, leave: false }, ...inside, { node, path, leave: true }];
}

/**
 * Two steps a node: enter it, leave it.
 * @param {{tree: Api.TraceNode, nodes: number}} trace
 * @returns {Steps}
 */
function alphaBetaSteps({ tree, nodes }) {
  const visits = visitsOf(tree, []);
  const step = (/** @type {number} */ n) => {
    const { node, path, leave } = visits[n];
    const before = visits.slice(0, n + 1);
    const entered = new Set(before.map((one) => one.node));
    const left = new Set(before.filter((one) => one.leave).map((one) => one.node));
    /** @type {Set<number>} */
    const lit = new Set();
    let count = 0;
    const shape = (/** @type {Api.TraceNode} */ one) => {
      const drawn = createNode(count, one.move ?? "");
      count += 1;
      drawn.text = left.has(one) ? signed(one.value) : "…";
      drawn.kind = left.has(one) && one.visit === "cut" ? "cut" : "";
      // Only the nodes of the present path are shown open, or the drawing would
      // be wider than any screen.
      if (path.includes(one)) {
        lit.add(drawn.id);
        drawn.children = one.children.filter((child) => entered.has(child)).map(shape);
      }
      return drawn;
    };
    const root = shape(tree);
    const sentence = leave
      ? t(`trace.${node.visit}`, { n: node.skipped, value: signed(node.value) })
      : t("trace.enter", { a: signed(node.alpha), b: signed(node.beta) });
    const line = path.flatMap((one) => one.move ?? []).join(" ");
    const text = `${line} ${sentence} (${t("trace.nodes", { n: nodes })})`;
    return { root, lit, phase: leave ? node.visit : "enter", text };
  };
  return { length: visits.length, step };
}
