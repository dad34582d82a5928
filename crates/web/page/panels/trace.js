// For students: a small search, step by step, at the reader's own pace. The
// server sends the whole search at once; here it is only played back.

import * as api from "../api.js";
import { h, put, toastError } from "../dom.js";
import { choice } from "../form.js";
import { t } from "../i18n.js";
import { gameId, spot } from "../state.js";
import { stepsOf } from "./trace-steps.js";
import { drawTree } from "./trace-tree.js";

/** Milliseconds a step while the trace plays by itself. */
const PACE = 700;

/** @returns {Dom.Panel} */
export function tracePanel() {
  const tree = h("div", { class: "tree" });
  const text = h("p", { class: "step-text", "aria-live": "polite" });
  const controls = h("div", { class: "actions" });
  const searches = [
    ["tree", t("trace.tree")],
    ["alpha-beta", t("trace.alpha")],
  ];
  let search = "tree";
  let at = 0;
  let timer = 0;
  /** @type {import("./trace-steps.js").Steps|null} */
  let steps = null;

  /** @param {number} next */
  function show(next) {
    if (!steps) return;
    at = Math.max(0, Math.min(steps.length - 1, next));
    const step = steps.step(at);
    text.textContent = step.text;
    put(tree, drawTree(step));
    tree
      .querySelector(".lit:last-of-type")
      ?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (at === steps.length - 1) stop();
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    drawControls();
  }

  function play() {
    timer = window.setInterval(() => show(at + 1), PACE);
    drawControls();
  }

  async function run() {
    stop();
    try {
      const wanted = { search, ...spot(), seed: Date.now() % 1e9 };
      steps = stepsOf(await api.trace(gameId(), wanted));
      drawControls();
      show(0);
    } catch (error) {
      toastError(error);
    }
  }

  function drawControls() {
    const button = (/** @type {string} */ name, /** @type {() => void} */ onclick) =>
      h("button", { type: "button", "data-do": `trace-${name}`, onclick }, t(`trace.${name}`));
    put(
      controls,
      button("run", run),
      steps && [
        button("back", () => show(at - 1)),
        button("step", () => show(at + 1)),
        timer ? button("stop", stop) : button("play", play),
      ],
    );
  }

  const element = h(
    "div",
    {},
    h("p", { class: "faint" }, t("trace.lead")),
    choice("trace", searches, search, (value) => {
      search = value;
    }),
    text,
    tree,
    controls,
  );
  drawControls();
  return { element, render() {} };
}
