// What an engine thinks of the position shown.

import { setAnalysis } from "../actions.js";
import { exactText, isCertain, scoreText } from "../board/score.js";
import { engines, gameInfo, inLanguage, sideName } from "../catalogue.js";
import { h, put } from "../dom.js";
import { pick } from "../form.js";
import { t } from "../i18n.js";
import { changed, head, hidesThoughts, state } from "../state.js";
import { lineButtons } from "./line.js";

/** Engines that are no analysts: they play worse than they could, or anything. */
const NO_ANALYSTS = ["random", "level"];

/** Lines of the table, unless all are asked for. */
const LINES = 7;
let all = false;

/** A large number for people. @param {number} n */
function count(n) {
  if (n >= 1e9) return `${(n / 1e9).toFixed(1)}G`;
  if (n >= 1e6) return `${(n / 1e6).toFixed(1)}M`;
  if (n >= 1e4) return `${Math.round(n / 1e3)}k`;
  return String(Math.round(n));
}

/** The report to show: the analysis, or else what the engine to move has found so far. */
function shownReport() {
  const { analysis, thought, view } = state;
  const { study, thinking } = head();
  if (state.intercept) return null;
  if (analysis?.ply === view) return analysis;
  return thinking !== null && !study.on && !hidesThoughts() ? thought : null;
}

/** @returns {Dom.Panel} */
export function analysisPanel() {
  const toggle = h("input", {
    type: "checkbox",
    role: "switch",
    id: "study",
    "aria-label": t("analysis"),
    onchange: () => setAnalysis(toggle.checked, head().study.engine),
  });
  const engine = h("div", { class: "analysis-engine" });
  const facts = h("p", { class: "facts" });
  const lines = h("div", { class: "lines" });
  let drawnAll = all;
  const toggleAll = () => {
    all = !all;
    changed();
  };
  const more = h("button", {
    type: "button",
    class: "quiet",
    "data-do": "all-moves",
    hidden: true,
    onclick: toggleAll,
  });
  const options = h("div", { class: "options" });
  const element = h(
    "section",
    { class: "panel analysis", "aria-label": t("analysis") },
    h(
      "div",
      { class: "head" },
      h("h2", {}, t("analysis")),
      engine,
      h("label", { class: "switch" }, toggle, h("i")),
    ),
    facts,
    lines,
    more,
    options,
  );
  let drawn = "";
  return {
    element,
    render() {
      const { name, outcome, study } = head();
      toggle.checked = study.on;
      const { drawing, overlays, scores, shapes, threat } = state;
      const key = JSON.stringify([study, name, scores, threat, drawing, !shapes, [...overlays]]);
      // A field that is being typed into stays as it is.
      if (key !== drawn && !engine.contains(document.activeElement)) {
        drawn = key;
        put(engine, study.on && engineMenu(study.engine));
        put(
          options,
          study.on && scoresBox(),
          study.on && threatBox(),
          gameInfo(name).overlays.map(overlayBox),
          drawingBox(),
          shapes && clearButton(),
        );
      }
      element.classList.toggle("off", !study.on);
      const report = shownReport();
      const n = report?.lines.length ?? 0;
      more.hidden = n <= LINES;
      more.textContent = all ? t("analysis.fewer") : t("analysis.all", { n });
      if (report) {
        put(facts, factsOf(report));
        // Lines under the pointer stay as they are, so that they can be clicked.
        if (drawnAll !== all || !lines.matches(":hover")) {
          drawnAll = all;
          put(lines, bookLine(report), linesTable(report));
        }
      } else if (state.intercept) {
        facts.textContent = t("retry.hidden");
        put(lines);
      } else {
        const over = outcome && state.view === state.plies.length - 1;
        const wait = over ? "analysis.over" : "analysis.wait";
        facts.textContent = t(study.on ? wait : "analysis.off");
        put(lines);
      }
    },
  };
}

/** The engines of this game by spec and name, the best first, and its networks. */
function analysts() {
  const { game, name } = head();
  const plain = engines()
    .filter((one) => !NO_ANALYSTS.includes(one.name))
    .filter(({ games }) => games.length === 0 || games.includes(name))
    .map((one) => [one.name, one.name === "best" ? t("home.best") : one.name]);
  plain.sort(([a], [b]) => Number(b === "best") - Number(a === "best"));
  // A network plays the board that it was trained for.
  const networks = game === name ? gameInfo(name).networks : [];
  const named = networks.map((net) => [`puct net=${net}`, t("analysis.network", { name: net })]);
  return [...plain, ...named];
}

/** @param {string} chosen */
function engineMenu(chosen) {
  const options = analysts();
  const change = (/** @type {string} */ value) => {
    if (value.trim()) setAnalysis(head().study.on, value);
  };
  const menu = pick("engine", options, chosen, change, "whole text");
  menu.querySelector("select")?.setAttribute("aria-label", t("analysis.engine"));
  return menu;
}

/** @param {string} name @param {boolean} checked @param {string} text @param {() => void} toggle */
function checkbox(name, checked, text, toggle) {
  const onchange = () => {
    toggle();
    changed();
  };
  return h("label", {}, h("input", { type: "checkbox", name, checked, onchange }), text);
}

function scoresBox() {
  return checkbox("scores", state.scores, t("analysis.show"), () => {
    state.scores = !state.scores;
  });
}

function threatBox() {
  return checkbox("threat", state.threat, t("analysis.threat"), () => {
    state.threat = !state.threat;
    const { on, engine } = head().study;
    setAnalysis(on, engine);
  });
}

function drawingBox() {
  return checkbox("drawing", state.drawing, t("analysis.draw"), () => {
    state.drawing = !state.drawing;
  });
}

const clearButton = () =>
  h(
    "button",
    { type: "button", class: "quiet", "data-do": "clear-shapes", onclick: () => state.shapes?.() },
    t("analysis.clear"),
  );

/** @param {Api.Game["overlays"][number]} overlay */
function overlayBox({ name, title }) {
  const { overlays } = state;
  return checkbox(name, overlays.has(name), inLanguage(title), () => {
    if (!overlays.delete(name)) overlays.add(name);
  });
}

/** @param {Api.Report} report @returns {Dom.Child[]} */
function factsOf(report) {
  const { depth, lines, mover, nodes, score, seconds, sims, source, threat, win_rate } = report;
  const speed = (sims || nodes) / Math.max(0.05, seconds);
  const moverName = sideName(head().name, mover);
  const side = threat ? t("analysis.ifTurn", { side: moverName }) : moverName;
  const certain = source === "solver" || source === "table" || score.proven;
  // What book and solver know may come before the search has begun.
  const searched = source !== "search" || lines.some((line) => line.score);
  if (!certain && !searched) return [t("analysis.wait")];
  const exact = lines[0]?.exact;
  const words = score.proven && (exact ? exactText(exact) : scoreText(score));
  const result = words
    ? t("score.of", { side, n: words })
    : t("analysis.win", { side, n: Math.round(win_rate * 100) });
  return [
    h("strong", { class: certain ? "certain" : "" }, result),
    certain && h("em", {}, t("analysis.sure", { source: t(`source.${source}`) })),
    // A proof may come without a search.
    (sims || nodes) > 0 && [
      h("span", {}, t("analysis.depth", { n: depth })),
      h(
        "span",
        {},
        sims ? t("analysis.sims", { n: count(sims) }) : t("analysis.nodes", { n: count(nodes) }),
      ),
      h("span", {}, t("analysis.speed", { n: count(speed) })),
    ],
  ];
}

/** What the book has for the position. @param {Api.Report} report */
function bookLine({ book }) {
  if (!book?.length) return null;
  const moves = book.slice(0, LINES).map(({ games, name, score }) => {
    const played = games ? t("book.games", { n: count(games) }) : "";
    return `${name} ${scoreText(score)}${played}`;
  });
  return h("p", { class: "book" }, t("book.moves", { moves: moves.join(", ") }));
}

/** A line's value, marked as certain or as an estimate. @param {Api.Line} line */
function valueCell({ exact, score }) {
  if (exact && isCertain({ exact })) {
    const title = `${exactText(exact)} · ${t("exact.certain")}`;
    return h("td", { class: "certain", title }, exactText(exact, "score.in"));
  }
  if (!score) return h("td", {}, "–");
  if (score.proven) {
    return h("td", { class: "certain", title: t("exact.certain") }, scoreText(score));
  }
  return h("td", { class: "estimate", title: t("exact.estimate") }, `≈ ${scoreText(score)}`);
}

/** The first move of a line. @param {Api.Report} report @param {Api.Line} line */
const begin = ({ ply }, { moves, name }) => lineButtons(ply, [name], moves);

/**
 * The moves after the first. A threat begins in a position that can't be reached,
 * so its line is a text.
 * @param {Api.Report} report
 * @param {Api.Line} line
 */
function rest({ ply, threat }, { moves, pv }) {
  return threat ? pv.slice(1, 9).join(" ") : lineButtons(ply, pv.slice(0, 9), moves, 1);
}

/** @param {Api.Report} report */
function linesTable(report) {
  const columns = ["move", "score", "visits", "line"];
  const row = (/** @type {Api.Line} */ line) =>
    h(
      "tr",
      {},
      h("td", {}, h("b", {}, report.threat ? line.name : begin(report, line))),
      valueCell(line),
      h("td", {}, line.visits > 0 && count(line.visits)),
      h("td", { class: "pv" }, rest(report, line)),
    );
  const { lines } = report;
  return h(
    "table",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        columns.map((name) => h("th", { scope: "col" }, t(`analysis.${name}`))),
      ),
    ),
    h("tbody", {}, lines.slice(0, all ? lines.length : LINES).map(row)),
  );
}
