// For students: a small search, step by step, at the reader's own pace. The
// server tells the whole search at once; here it is only played back.

import * as api from "./api.js";
import { h, put, s, toast } from "./dom.js";
import { choice } from "./form.js";
import { t } from "./i18n.js";
import { live, present, state } from "./state.js";

/**
 * A node of the drawing: `text` on it, `edge` on the line that leads to it.
 * @typedef {{id: number, edge: string, text: string, children: Node[], kind: string, parent: Node|null, x?: number, y?: number}} Node
 * @typedef {{text: string, root: Node, lit: Set<number>, phase: string}} Step
 */

export function insidePanel() {
  const place = h("div", { class: "tree" });
  const says = h("p", { class: "step-text", "aria-live": "polite" });
  const controls = h("div", { class: "actions" });
  const chooser = h("div", {});
  const element = h("details", { class: "panel inside" }, h("summary", {}, t("inside")), h("p", { class: "faint" }, t("inside.lead")), chooser, says, place, controls);
  let search = "tree";
  let at = 0;
  let timer = 0;
  /** @type {((n: number) => Step|null)|null} */
  let story = null;
  let steps = 0;

  /** @param {number} next */
  function show(next) {
    if (!story) return;
    at = Math.max(0, Math.min(steps - 1, next));
    const step = story(at);
    if (!step) return;
    says.textContent = step.text;
    put(place, drawTree(step));
    place.querySelector(".lit:last-of-type")?.scrollIntoView?.({ block: "nearest", inline: "nearest" });
    if (at === steps - 1) stop();
  }
  function stop() {
    clearInterval(timer);
    timer = 0;
    drawControls();
  }
  function drawControls() {
    const button = (/** @type {string} */ name, /** @type {() => void} */ act) => h("button", { type: "button", "data-do": `inside-${name}`, onclick: act }, t(`inside.${name}`));
    put(controls, button("run", run), story && [
      button("back", () => show(at - 1)), button("step", () => show(at + 1)),
      timer ? button("stop", stop) : button("play", () => { timer = window.setInterval(() => show(at + 1), 700); drawControls(); })]);
  }
  async function run() {
    stop();
    try {
      const told = await api.inside(/** @type {string} */ (state.id), { search, ply: state.view, seed: Date.now() % 1e9 });
      [story, steps] = told.search === "tree" ? treeStory(told) : alphaStory(told);
      drawControls();
      show(0);
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }
  put(chooser, choice("inside", [["tree", t("inside.tree")], ["alpha-beta", t("inside.alpha")]], search, (value) => { search = value; }));
  drawControls();
  return {
    element,
    render() {
      element.hidden = Boolean(state.head.contest) || (!live() && present());
    },
  };
}

/** @param {number} value */
const signed = (value) => (value > 0 ? "+" : "") + (Math.abs(value) > 25000 ? (value > 0 ? "∞" : "−∞") : String(Math.round(value) / 100));

/** Four steps a simulation: select, expand, simulate, back up. @param {any} told @returns {[(n: number) => Step, number]} */
function treeStory({ simulations }) {
  return [(n) => {
    const [done, phase] = [Math.floor(n / 4), n % 4];
    const root = grow(simulations.slice(0, done + (phase === 3 ? 1 : 0)));
    const now = simulations[done];
    const lit = new Set([root.id]);
    let node = /** @type {Node} */ (root);
    for (const move of now.path) {
      let child = node.children.find((one) => one.edge === move);
      if (!child) {
        child = { id: 1e6 + lit.size, edge: move, text: "", children: [], kind: "new", parent: node };
        node.children.push(child);
      }
      lit.add(child.id);
      node = child;
    }
    const value = signed(now.value * 100);
    const words = [
      t("inside.select"), t("inside.expand", { n: now.expanded ?? 0 }),
      t(now.proven ? "inside.proven" : "inside.judge", { value }), t("inside.backup", { n: now.backed_up })][phase];
    if (phase === 2) node.text = value;
    return { root, lit, phase: ["select", "expand", "judge", "backup"][phase], text: `${t("inside.simulation", { n: done + 1, total: simulations.length })}. ${words}` };
  }, simulations.length * 4];
}

/** The tree that some simulations leave behind. @param {any[]} simulations */
function grow(simulations) {
  let count = 0;
  const fresh = (/** @type {string} */ edge, /** @type {Node|null} */ parent) => ({ id: count++, edge, text: "", children: /** @type {Node[]} */ ([]), kind: "", parent, visits: 0, sum: 0 });
  const root = fresh("", null);
  for (const { path, value } of simulations) {
    let node = /** @type {any} */ (root);
    for (const move of [null, ...path]) {
      if (move !== null) {
        let child = node.children.find((/** @type {any} */ one) => one.edge === move);
        if (!child) node.children.push(child = fresh(move, node));
        node = child;
      }
      node.visits += 1;
      node.sum += value;
      node.text = `${node.visits}`;
      node.kind = node.sum / node.visits > 0.1 ? "first" : node.sum / node.visits < -0.1 ? "second" : "";
    }
  }
  return root;
}

/** Two steps a position: enter it, leave it. @param {any} told @returns {[(n: number) => Step, number]} */
function alphaStory({ tree, nodes }) {
  /** @type {{branch: any, path: any[], leave: boolean}[]} */
  const visits = [];
  const walk = (/** @type {any} */ branch, /** @type {any[]} */ path) => {
    const here = [...path, branch];
    visits.push({ branch, path: here, leave: false });
    for (const child of branch.children) walk(child, here);
    visits.push({ branch, path: here, leave: true });
  };
  walk(tree, []);
  return [(n) => {
    const { branch, path, leave } = visits[n];
    const entered = new Set(visits.slice(0, n + 1).map((visit) => visit.branch));
    const left = new Set(visits.slice(0, n + 1).filter((visit) => visit.leave).map((visit) => visit.branch));
    let count = 0;
    const lit = new Set();
    // Only the branches of the present path are shown open, or the drawing
    // would be wider than anybody's screen.
    const shape = (/** @type {any} */ one, /** @type {Node|null} */ parent) => {
      const node = /** @type {Node} */ ({ id: count++, edge: one.move ?? "", text: left.has(one) ? signed(one.value) : "…", children: [], parent, kind: left.has(one) && one.visit === "cut" ? "cut" : "" });
      if (path.includes(one)) {
        lit.add(node.id);
        node.children = one.children.filter((/** @type {any} */ child) => entered.has(child)).map((/** @type {any} */ child) => shape(child, node));
      }
      return node;
    };
    const root = shape(tree, null);
    const bound = (/** @type {number} */ value) => (Math.abs(value) > 30000 ? (value > 0 ? "∞" : "−∞") : signed(value));
    const words = leave ? t(`inside.${branch.visit}`, { n: branch.skipped, value: signed(branch.value) }) : t("inside.enter", { a: bound(branch.alpha), b: bound(branch.beta) });
    return { root, lit, phase: leave ? branch.visit : "enter", text: `${path.map((one) => one.move).filter(Boolean).join(" ")} ${words} (${t("inside.nodes", { n: nodes })})` };
  }, visits.length];
}

/** Leaves side by side, parents above the middle of their children. @param {Step} step */
function drawTree({ root, lit, phase }) {
  const [wide, high] = [38, 52];
  let next = 0;
  let deepest = 0;
  const lay = (/** @type {Node} */ node, /** @type {number} */ depth) => {
    deepest = Math.max(deepest, depth);
    for (const child of node.children) lay(child, depth + 1);
    node.x = node.children.length ? (/** @type {number} */ (node.children[0].x) + /** @type {number} */ (node.children.at(-1)?.x)) / 2 : (next += 1) * wide - wide / 2;
    node.y = depth * high + 18;
  };
  lay(root, 0);
  const [width, height] = [Math.max(next * wide, 60), deepest * high + 40];
  const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: `phase-${phase}`, role: "img", "aria-label": t("inside") });
  const draw = (/** @type {Node} */ node) => {
    for (const child of node.children) {
      svg.append(s("line", { class: `twig${lit.has(child.id) ? " lit" : ""}`, x1: node.x, y1: node.y, x2: child.x, y2: child.y }));
      draw(child);
    }
    const on = lit.has(node.id) ? " lit" : "";
    svg.append(s("circle", { class: `knob ${node.kind}${on}`, cx: node.x, cy: node.y, r: 13 }),
      s("text", { class: "knob-text", x: node.x, y: /** @type {number} */ (node.y) + 3.5 }, node.text),
      node.edge ? s("text", { class: "twig-text", x: node.x, y: /** @type {number} */ (node.y) - 17 }, node.edge) : "");
  };
  draw(root);
  return svg;
}
