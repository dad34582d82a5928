// The arena: every match and report in the folder, kept up to date.

import * as api from "../api.js";
import { gameName, games } from "../catalogue.js";
import { h, put } from "../dom.js";
import { t } from "../i18n.js";
import { elo, percent, spec, when } from "./figures.js";
import { newMatchPanel } from "./new.js";
import { poll } from "./poll.js";

/** A command that makes a match. */
const example = () =>
  `boyi match ${games()[0].name} --engine best --engine uct --games 100 --st 0.1`;

/** The store of the matches that are started in the page. */
const OWN = "page-matches.sqlite";

const VERDICTS = ["reproduced", "not-reproduced", "undecided"];

/** @param {HTMLElement} main */
export async function openArena(main) {
  main.className = "arena";
  const list = h("div", { class: "arena-list" });
  const intro = h(
    "div",
    { class: "intro" },
    h("h1", {}, t("nav.arena")),
    h("p", {}, t("arena.lead")),
  );
  const start = newMatchPanel();
  start.hidden = true;
  put(main, intro, start, list);
  await poll(main, api.arena, ({ reports, starts, stores }) => {
    start.hidden = !starts;
    const empty = stores.length === 0 && reports.length === 0;
    put(
      list,
      empty && noMatches(),
      stores.map(storePanel),
      reports.length > 0 && reportsPanel(reports),
    );
    return stores.some((store) => store.running);
  });
}

function noMatches() {
  return h(
    "section",
    { class: "panel" },
    h("p", {}, t("arena.none")),
    h("pre", { class: "example" }, example()),
  );
}

/** @param {Api.StoreRow} store */
function storePanel({ changed, id, matches, name, running, skipped, trouble }) {
  const time = t("arena.updated", { time: when(changed) });
  return h(
    "section",
    { class: "panel store" },
    h(
      "div",
      { class: "head" },
      h("h2", {}, name === OWN ? t("arena.own") : t("arena.store", { name })),
      running
        ? h("span", { class: "live" }, t("arena.running"))
        : h("time", { class: "faint" }, time),
    ),
    trouble && h("p", { class: "faint" }, t("arena.trouble")),
    h(
      "ul",
      { class: "rows" },
      matches.map((match) => matchRow(id, match)),
    ),
    skipped > 0 && h("p", { class: "note" }, t("arena.more", { n: skipped })),
  );
}

/** @param {string} store @param {Api.MatchRow} match */
function matchRow(store, match) {
  const [first = "", ...others] = match.engines;
  const what = `${gameName(match.name)}${match.game.slice(match.name.length)}`;
  return h(
    "li",
    {},
    h(
      "a",
      { href: `/arena/${store}/${match.number}` },
      h(
        "span",
        { class: "pairing" },
        spec(first),
        h("span", { class: "against" }, "–"),
        others.map((other, i) => [i > 0 && ", ", spec(other)]),
      ),
      h("span", { class: "faint what" }, `${what} · ${t("arena.gamesOf", { n: match.games })}`),
      h(
        "span",
        { class: "figure" },
        match.score === null ? "—" : percent(match.score),
        h("small", { class: "faint", title: first }, t("arena.scoreOf", { engine: first })),
      ),
      h("span", { class: "figure faint" }, match.elo ? elo(match.elo) : ""),
    ),
  );
}

/** @param {Api.ReportRow[]} reports */
function reportsPanel(reports) {
  return h(
    "section",
    { class: "panel" },
    h("div", { class: "head" }, h("h2", {}, t("arena.reports"))),
    h("ul", { class: "rows" }, reports.map(reportRow)),
  );
}

/** @param {Api.ReportRow} report */
function reportRow({ changed, experiments, id, name, profile, unfinished, verdicts }) {
  const facts = [t("report.experiments", { n: experiments }), profile, when(changed)];
  if (unfinished) facts.push(t("report.unfinished"));
  const counts = VERDICTS.map((verdict, i) => {
    const text = t("verdict.n", { n: verdicts[i], word: t(`verdict.${verdict}`) });
    return verdicts[i] > 0 && h("span", { class: `verdict ${verdict}` }, text);
  });
  return h(
    "li",
    {},
    h(
      "a",
      { href: `/arena/report/${id}` },
      h("span", { class: "pairing" }, name),
      h("span", { class: "faint what" }, facts.join(" · ")),
      h("span", { class: "verdicts" }, counts),
    ),
  );
}
