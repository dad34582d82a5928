// First's chance to win after each move, as a graph. A click goes there.

import { look } from "../actions.js";
import * as api from "../api.js";
import { loadReasons, sideName } from "../catalogue.js";
import { h, put, s, toastError } from "../dom.js";
import { t } from "../i18n.js";
import { chance, currentReview, gameId, head, live, state } from "../state.js";
import { latePanel } from "./late.js";
import { severity, SIGNS } from "./severity.js";

const [WIDTH, HEIGHT] = [300, 90];
/** Room left and right of the graph for its marks. */
const MARGIN = 6;

/** @returns {Dom.Panel} */
export function graphPanel() {
  const graph = h("div", { class: "graph" });
  const notes = latePanel(() => currentReview() !== null, loadNotes);
  const ask = h(
    "button",
    {
      type: "button",
      "data-do": "review",
      onclick: () => api.review(gameId()).catch(toastError),
    },
    t("do.review"),
  );
  const element = h(
    "section",
    { class: "panel graph-panel", "aria-label": t("graph") },
    h("div", { class: "head" }, h("h2", {}, t("graph")), ask),
    graph,
    notes.element,
  );
  let drawn = "";
  return {
    element,
    render() {
      const { plies, view } = state;
      const review = currentReview();
      ask.hidden = live() && plies.length < 4;
      ask.disabled = review !== null && !review.done;
      notes.render();
      const points = plies.map((_, ply) => chance(ply));
      const known = points.filter((one) => one !== null).length;
      element.hidden = plies.length < 2 || (ask.hidden && known < 2);
      const key = JSON.stringify([points, view, review?.found.length]);
      if (key === drawn) return;
      drawn = key;
      put(graph, known > 1 && drawGraph(points, review?.found ?? []));
    },
  };
}

/** What the review says, and the words for it. */
async function loadNotes() {
  const [{ reviewNotes }] = await Promise.all([import("./review.js"), loadReasons(head().name)]);
  return reviewNotes();
}

/**
 * @param {(number|null)[]} points First's chance by ply
 * @param {Api.ReviewedPly[]} found
 */
function drawGraph(points, found) {
  const x = (/** @type {number} */ ply) => (ply / Math.max(1, points.length - 1)) * WIDTH;
  const y = (/** @type {number} */ share) => (1 - share) * HEIGHT;
  const known = points.flatMap((share, ply) => (share === null ? [] : [{ ply, share }]));
  const course = (/** @type {typeof known} */ part) =>
    part.map(({ ply, share }) => `${x(ply).toFixed(1)} ${y(share).toFixed(1)}`).join("L");
  // In a game between two engines each has evaluated its own moves: a line each.
  const { names, name } = head();
  const byPlayer = (/** @type {number} */ by) =>
    known.filter(({ ply }) => state.plies[ply].by === by);
  const courses = names ? [byPlayer(0), byPlayer(1)] : [known];
  const ends = [x(known[0].ply), x(known[known.length - 1].ply)];
  const area = `M${ends[0]} ${HEIGHT}L${course(known)}L${ends[1]} ${HEIGHT}Z`;
  const here = x(state.view);
  const svg = s(
    "svg",
    {
      viewBox: `${-MARGIN} -6 ${WIDTH + 2 * MARGIN} ${HEIGHT + 12}`,
      role: "img",
      "aria-label": t("graph.label", { side: sideName(name, 0) }),
    },
    s("rect", { class: "ground", x: 0, y: 0, width: WIDTH, height: HEIGHT, rx: 4 }),
    !names && s("path", { class: "area", d: area }),
    s("line", { class: "even", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    courses.map(
      (part, i) => part.length > 1 && s("path", { class: `course by-${i}`, d: `M${course(part)}` }),
    ),
    s("line", { class: "here", x1: here, x2: here, y1: -3, y2: HEIGHT + 3 }),
    found.map(({ ply, cost }) => {
      const [level, share] = [severity(cost), points[ply + 1] ?? null];
      if (level === 0 || share === null) return null;
      return s(
        "circle",
        { class: `mistake severity-${level}`, cx: x(ply + 1), cy: y(share), r: 2.5 + level },
        s("title", {}, `${state.plies[ply + 1]?.name} ${SIGNS[level]}`),
      );
    }),
  );
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    const at = share * (WIDTH + 2 * MARGIN) - MARGIN;
    look(Math.round((at / WIDTH) * (points.length - 1)));
  });
  return svg;
}
