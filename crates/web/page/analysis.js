// What an engine thinks of the position looked at.

import { worthText } from "./board/worth.js";
import { h, put } from "./dom.js";
import { setStudy } from "./game.js";
import { pick } from "./form.js";
import { sideName, t } from "./i18n.js";
import { changed, state } from "./state.js";

const ENGINES = ["best", "uct", "alpha-beta", "puct"];

/** A number for people. @param {number} n */
export function count(n) {
  if (n >= 1e9) return `${(n / 1e9).toFixed(1)}G`;
  if (n >= 1e6) return `${(n / 1e6).toFixed(1)}M`;
  if (n >= 1e4) return `${Math.round(n / 1e3)}k`;
  return String(Math.round(n));
}

export function analysisPanel() {
  const toggle = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", role: "switch", id: "study", "aria-label": t("analysis"), onchange: () => setStudy(toggle.checked, state.head.study.engine) }));
  const who = h("div", { class: "who-analyses" });
  const facts = h("p", { class: "facts" });
  const lines = h("div", { class: "lines" });
  const options = h("div", { class: "options" });
  const element = h("section", { class: "panel analysis", "aria-label": t("analysis") },
    h("div", { class: "head" }, h("h2", {}, t("analysis")), who, h("label", { class: "switch" }, toggle, h("i", {}))),
    facts, lines, options);
  let key = "";
  return {
    element,
    render() {
      const { head, analysis } = state;
      const { on, engine } = head.study;
      toggle.checked = on;
      const report = analysis?.ply === state.view ? analysis : head.thinking !== null && state.thought && !on ? state.thought : null;
      const next = JSON.stringify([on, engine, head.name, state.scores, state.chains]);
      if (next !== key) {
        key = next;
        const select = pick("engine", ENGINES.map((name) => [name, name === "best" ? t("home.best") : name]), engine, (value) => { if (value.trim()) setStudy(state.head.study.on, value); }, true);
        select.querySelector("select")?.setAttribute("aria-label", t("analysis.engine"));
        put(who, on && select);
        const box = (/** @type {"scores"|"chains"} */ name, /** @type {string} */ words) => h("label", {}, h("input", { type: "checkbox", name, checked: state[name], onchange: () => { state[name] = !state[name]; changed(); } }), words);
        put(options, on && box("scores", t("analysis.show")), head.name === "dots-and-boxes" && box("chains", t("analysis.chains")));
      }
      element.classList.toggle("off", !on);
      if (!report) {
        const over = on && state.head.outcome && state.view === state.plies.length - 1;
        facts.textContent = on ? t(over ? "analysis.over" : "analysis.wait") : t("analysis.off");
        put(lines);
        return;
      }
      const speed = (report.sims || report.nodes) / Math.max(0.05, report.seconds);
      const side = sideName(head.name, report.mover);
      const sure = ["solver", "table"].includes(report.source) || report.score.proven;
      put(facts, h("strong", {}, t("analysis.win", { side, n: Math.round(report.win_rate * 100) })),
        sure && h("em", {}, t("analysis.sure", { source: t(`source.${report.source}`) })),
        h("span", {}, t("analysis.depth", { n: report.depth })),
        h("span", {}, report.sims ? t("analysis.sims", { n: count(report.sims) }) : t("analysis.nodes", { n: count(report.nodes) })),
        h("span", {}, t("analysis.speed", { n: count(speed) })));
      put(lines, h("table", {},
        h("thead", {}, h("tr", {}, ["move", "score", "visits", "line"].map((name) => h("th", { scope: "col" }, t(`analysis.${name}`))))),
        h("tbody", {}, report.lines.slice(0, 6).map((/** @type {any} */ line) => h("tr", {},
          h("td", {}, h("b", {}, line.name)), h("td", {}, worthText(line.score)), h("td", {}, count(line.visits)), h("td", { class: "pv" }, line.pv.slice(1, 9).join(" ")))))));
    },
  };
}
