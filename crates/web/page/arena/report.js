// A report of experiments: what each paper claims and what was measured.

import * as api from "../api.js";
import { h, put, toastError } from "../dom.js";
import { t } from "../i18n.js";
import { figuresTable } from "./table.js";

/** @param {HTMLElement} main @param {string} id */
export async function openReport(main, id) {
  main.className = "arena report";
  const back = h("a", { class: "back faint", href: "/arena" }, `← ${t("arena.back")}`);
  put(main, back);
  try {
    const { experiments, profile, version } = await api.report(id);
    const whole = { href: `/report/${id}`, target: "_blank", rel: "noopener" };
    put(
      main,
      back,
      h(
        "div",
        { class: "intro" },
        h("h1", {}, t("arena.reports")),
        h("p", {}, t("report.lead", { profile, version }), " ", h("a", whole, t("report.whole"))),
      ),
      h("div", { class: "arena-list" }, experiments.map(experimentPanel)),
    );
  } catch (error) {
    toastError(error);
  }
}

/** @param {Api.Experiment} experiment */
function experimentPanel({ claims, finished, id, title, waits }) {
  let note = "";
  if (waits) note = `${t("report.waits")}: ${waits}`;
  else if (!finished) note = t("report.unfinished");
  return h(
    "section",
    { class: "panel", lang: "en" },
    h("div", { class: "head" }, h("h2", {}, title), h("span", { class: "faint" }, id)),
    note && h("p", { class: "faint" }, note),
    claims.length > 0 && claimsTable(title, claims),
    claims.length === 0 && !waits && h("p", { class: "faint" }, t("report.none")),
  );
}

/** @param {string} label @param {Api.Claim[]} claims */
function claimsTable(label, claims) {
  const names = ["claim", "printed", "ours", "verdict"];
  const columns = names.map((name) => ({ text: t(`report.${name}`) }));
  const rows = claims.map(({ about, ours, printed, rule, verdict }) =>
    h(
      "tr",
      {},
      h("td", { class: "claim" }, about),
      h("td", {}, printed),
      h("td", {}, ours),
      h("td", {}, h("span", { class: `verdict ${verdict}`, title: rule }, t(`verdict.${verdict}`))),
    ),
  );
  return figuresTable({ label, columns, rows });
}
