// The arena: every match and report in the folder, kept up to date.

import * as api from "../api.js";
import { h, put } from "../dom.js";
import { gameName, t } from "../i18n.js";
import { keepLooking } from "./look.js";
import { elo, percent, spec, when } from "./words.js";

/** @param {HTMLElement} main */
export async function arena(main) {
  main.className = "arena";
  const place = h("div", { class: "arena-list" });
  put(main, h("div", { class: "intro" }, h("h1", {}, t("nav.arena")), h("p", {}, t("arena.lead"))), place);
  await keepLooking(main, api.arena, (found) => {
    const empty = found.stores.length === 0 && found.reports.length === 0;
    put(place, empty && nothing(), found.stores.map(storePanel), found.reports.length > 0 && reportsPanel(found.reports));
    return found.stores.some((/** @type {any} */ store) => store.running);
  });
}

function nothing() {
  return h("section", { class: "panel" }, h("p", {}, t("arena.none")),
    h("pre", { class: "example" }, "boyi match surakarta --engine best --engine paper-000 --games 100 --st 0.1"));
}

/** @param {any} store */
function storePanel(store) {
  return h("section", { class: "panel store" },
    h("div", { class: "head" }, h("h2", {}, t("arena.store", { name: store.name })),
      store.running ? h("span", { class: "live" }, t("arena.running")) : h("time", { class: "faint" }, t("arena.updated", { time: when(store.changed) }))),
    store.trouble && h("p", { class: "faint" }, t("arena.trouble")),
    h("ul", { class: "rows" }, store.matches.map((/** @type {any} */ one) => matchRow(store, one))),
    store.skipped > 0 && h("p", { class: "note" }, t("arena.more", { n: store.skipped })));
}

/** @param {any} store @param {any} one */
function matchRow(store, one) {
  const others = one.engines.slice(1);
  return h("li", {}, h("a", { href: `/arena/${store.id}/${one.number}` },
    h("span", { class: "pairing" }, spec(one.engines[0] ?? ""), h("span", { class: "against" }, "–"), others.map((/** @type {string} */ other, /** @type {number} */ i) => [i > 0 && ", ", spec(other)])),
    h("span", { class: "faint what" }, `${gameName(one.name)}${one.game.slice(one.name.length)} · ${t("arena.gamesOf", { n: one.games })}`),
    h("span", { class: "figure" }, one.score === null ? "—" : percent(one.score)),
    h("span", { class: "figure faint" }, one.elo ? elo(one.elo) : "")));
}

/** @param {any[]} reports */
function reportsPanel(reports) {
  return h("section", { class: "panel" }, h("div", { class: "head" }, h("h2", {}, t("arena.reports"))),
    h("ul", { class: "rows" }, reports.map((one) => h("li", {}, h("a", { href: `/arena/report/${one.id}` },
      h("span", { class: "pairing" }, one.name),
      h("span", { class: "faint what" }, `${t("report.experiments", { n: one.experiments })} · ${one.profile} · ${when(one.changed)}${one.unfinished ? ` · ${t("report.unfinished")}` : ""}`),
      h("span", { class: "verdicts" }, ["reproduced", "not-reproduced", "undecided"].map((verdict, i) => one.verdicts[i] > 0 && h("span", { class: `verdict ${verdict}` }, t("verdict.n", { n: one.verdicts[i], word: t(`verdict.${verdict}`) })))))))));
}
