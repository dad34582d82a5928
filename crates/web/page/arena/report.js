// A report of experiments: what each paper claims and what came out.

import * as api from "../api.js";
import { h, put, toast } from "../dom.js";
import { t } from "../i18n.js";

/** @param {HTMLElement} main @param {string} id */
export async function openReport(main, id) {
  main.className = "arena report";
  const back = h("a", { class: "back faint", href: "/arena" }, `← ${t("arena.back")}`);
  put(main, back);
  try {
    const report = await api.report(id);
    put(main, back,
      h("div", { class: "intro" }, h("h1", {}, t("arena.reports")), h("p", {}, t("report.lead", { profile: report.profile, version: report.version }), " ",
        h("a", { href: `/report/${id}`, target: "_blank", rel: "noopener" }, t("report.whole")))),
      h("div", { class: "arena-list" }, report.experiments.map(experiment)));
  } catch (error) {
    toast(/** @type {Error} */ (error).message);
  }
}

/** @param {any} found */
function experiment(found) {
  return h("section", { class: "panel", lang: "en" },
    h("div", { class: "head" }, h("h2", {}, found.title), h("span", { class: "faint" }, found.id)),
    found.waits ? h("p", { class: "faint" }, `${t("report.waits")}: ${found.waits}`) : !found.finished && h("p", { class: "faint" }, t("report.unfinished")),
    found.claims.length > 0 ? claims(found) : !found.waits && h("p", { class: "faint" }, t("report.none")));
}

/** @param {any} found */
function claims(found) {
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": found.title }, h("table", { class: "figures" },
    h("thead", {}, h("tr", {}, ["claim", "printed", "ours", "verdict"].map((key) => h("th", {}, t(`report.${key}`))))),
    h("tbody", {}, found.claims.map((/** @type {any} */ claim) => h("tr", {},
      h("td", { class: "claim" }, claim.about), h("td", {}, claim.printed), h("td", {}, claim.ours),
      h("td", {}, h("span", { class: `verdict ${claim.verdict}`, title: claim.rule }, t(`verdict.${claim.verdict}`))))))));
}
