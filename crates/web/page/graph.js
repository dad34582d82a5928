// The course of the game: First's chance after each move. A click goes there.

import * as api from "./api.js";
import { h, put, s, toast } from "./dom.js";
import { look } from "./game.js";
import { sideName, t } from "./i18n.js";
import { gravity, judged, SIGNS } from "./moves.js";
import { chance, live, state } from "./state.js";

const [WIDTH, HEIGHT] = [300, 90];

export function graphPanel() {
  const place = h("div", { class: "graph" });
  const note = h("p", { class: "note" });
  const ask = h("button", { type: "button", "data-do": "review", onclick: () => api.review(/** @type {string} */ (state.id)).catch((error) => toast(error.message)) }, t("do.review"));
  const element = h("section", { class: "panel graph-panel", "aria-label": t("graph") }, h("div", { class: "head" }, h("h2", {}, t("graph")), ask), place, note);
  let key = "";
  return {
    element,
    render() {
      const { plies, review, view } = state;
      element.hidden = plies.length < 2;
      const fresh = review && review.length === plies.length - 1;
      const running = fresh && !review.done;
      ask.hidden = live() && plies.length < 4;
      /** @type {HTMLButtonElement} */ (ask).disabled = Boolean(running);
      put(note, remark(fresh));
      const points = plies.map((_, ply) => chance(ply));
      const next = JSON.stringify([points, view, fresh && review.found.length]);
      if (next === key) return;
      key = next;
      put(place, points.filter((one) => one !== null).length > 1 && drawing(points, fresh ? review.found : []));
    },
  };
}

/** @param {boolean} fresh */
function remark(fresh) {
  const { review, view } = state;
  if (!fresh) return null;
  if (!review.done) return t("review.running", { n: review.found.length, total: review.length + 1 });
  const here = judged(view);
  if (here && gravity(here.cost)) {
    return [h("strong", {}, `${t(`review.kind.${gravity(here.cost)}`)} `), t("review.mistake", { name: state.plies[view].name, n: Math.round(here.cost * 100), best: here.line.length ? here.line.slice(0, 6).join(" ") : here.best_name })];
  }
  const mistakes = review.found.filter((/** @type {any} */ one) => gravity(one.cost)).length;
  return mistakes ? t("review.done", { n: mistakes }) : t("review.none");
}

/** @param {(number|null)[]} points @param {any[]} found */
function drawing(points, found) {
  const x = (/** @type {number} */ ply) => (ply / Math.max(1, points.length - 1)) * WIDTH;
  const y = (/** @type {number} */ share) => (1 - share) * HEIGHT;
  // Of a game between two engines both have told what they thought: a line each.
  const { head, plies } = state;
  const courses = (head.names ? [0, 1] : [null]).map((by) => points
    .map((share, ply) => (share === null || (by !== null && plies[ply].by !== by) ? "" : `${x(ply).toFixed(1)} ${y(share).toFixed(1)}`))
    .filter((one) => one !== ""));
  const [known] = courses;
  const ends = points.map((share, ply) => (share === null ? null : x(ply))).filter((one) => one !== null);
  const svg = s("svg", { viewBox: `-4 -6 ${WIDTH + 8} ${HEIGHT + 12}`, role: "img", "aria-label": t("graph.label", { side: sideName(state.head.name, 0) }) },
    s("rect", { class: "ground", x: 0, y: 0, width: WIDTH, height: HEIGHT, rx: 4 }),
    courses.length === 1 && known.length > 1 && s("path", { class: "area", d: `M${ends[0]} ${HEIGHT}L${known.join("L")}L${ends.at(-1)} ${HEIGHT}Z` }),
    s("line", { class: "even", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    courses.map((course, i) => course.length > 1 && s("path", { class: `course by-${i}`, d: `M${course.join("L")}` })),
    s("line", { class: "here", x1: x(state.view), x2: x(state.view), y1: -3, y2: HEIGHT + 3 }));
  for (const one of found) {
    const grave = gravity(one.cost);
    const share = points[one.ply + 1];
    if (grave && share !== null && share !== undefined) {
      svg.append(s("circle", { class: `fault grave-${grave}`, cx: x(one.ply + 1), cy: y(share), r: 2.5 + grave }, s("title", {}, `${state.plies[one.ply + 1]?.name} ${SIGNS[grave]}`)));
    }
  }
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const share = ((/** @type {MouseEvent} */ (event).clientX - box.left) / box.width) * (WIDTH + 8) - 4;
    look(Math.round((share / WIDTH) * (points.length - 1)));
  });
  return svg;
}
