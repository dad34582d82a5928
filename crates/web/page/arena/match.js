// One match: its table, its meetings, its last games.

import * as api from "../api.js";
import { h, put, s, toast } from "../dom.js";
import { gameName, t } from "../i18n.js";
import { go } from "../main.js";
import { token } from "../players.js";
import { keepLooking } from "./look.js";
import { allowance, elo, percent, rating, spec, when } from "./words.js";

/** @param {HTMLElement} main @param {string} store @param {string} number */
export async function openMatch(main, store, number) {
  main.className = `arena match-${number}`;
  const place = h("div", { class: "arena-list" });
  put(main, h("a", { class: "back faint", href: "/arena" }, `← ${t("arena.back")}`), place);
  await keepLooking(main, () => api.match(store, number), (found) => {
    const played = found.table.some((/** @type {any} */ one) => one.tally.games > 0);
    put(place, intro(found), played ? [tablePanel(found), meetingsPanel(found), gamesPanel(found, store, number)]
      : h("section", { class: "panel faint" }, t("arena.nothing")));
    return found.running;
  });
}

/** @param {any} found */
function intro(found) {
  const { random, listed } = found.openings;
  const facts = [found.store, listed === undefined ? t("arena.random", { n: random }) : t("arena.listed", { n: listed }), t("arena.seed", { n: found.seed })];
  return h("div", { class: "intro" },
    h("h1", {}, `${gameName(found.name)}${found.game.slice(found.name.length)}`),
    h("p", {}, facts.join(" · "), " · ", found.running ? h("span", { class: "live" }, t("arena.running")) : t("arena.updated", { time: when(found.changed) })));
}

/** Won, drawn and lost as one bar. @param {any} tally */
function record(tally) {
  const share = (/** @type {number} */ n) => (100 * n) / Math.max(1, tally.games);
  return h("div", { class: "record" },
    h("span", { class: "counts" }, `${tally.wins} · ${tally.draws} · ${tally.losses}`),
    s("svg", { viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
      s("rect", { class: "lost", width: 100, height: 6 }),
      s("rect", { class: "drawn", width: share(tally.wins + tally.draws), height: 6 }),
      s("rect", { class: "won", width: share(tally.wins), height: 6 })));
}

/** @param {any} found */
function tablePanel(found) {
  const many = found.table.length > 2;
  const rows = found.table.map((/** @type {any} */ one, /** @type {number} */ i) => ({ ...one, i }))
    .sort((/** @type {any} */ a, /** @type {any} */ b) => b.tally.score - a.tally.score);
  return h("section", { class: "panel" }, h("div", { class: "head" }, h("h2", {}, t("arena.table"))),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("arena.table") }, h("table", { class: "figures" },
      h("thead", {}, h("tr", {}, h("th", {}, t("arena.engine")), h("th", { class: "n" }, t("arena.score")), h("th", { class: "n" }, t(many ? "arena.rating" : "arena.elo")), h("th", {}, t("arena.record")), h("th", { class: "n" }, t("arena.points")))),
      h("tbody", {}, rows.map((/** @type {any} */ one) => h("tr", {},
        h("td", { class: "engine" }, spec(one.spec), h("span", { class: "faint" }, allowance(one.allowance))),
        h("td", { class: "n", title: t("arena.interval", { low: percent(one.tally.wilson[0]), high: percent(one.tally.wilson[1]) }) }, h("strong", {}, percent(one.tally.score))),
        h("td", { class: "n" }, one.rating ? rating(one.rating) : one.tally.elo ? elo(one.tally.elo.elo) : "—"),
        h("td", {}, record(one.tally)),
        h("td", { class: "n" }, `${one.tally.points} / ${one.tally.games}`)))))));
}

/** The five possible results of a pair of games. @param {number[]} pairs */
function pentanomial(pairs) {
  const most = Math.max(1, ...pairs);
  const points = ["0", "½", "1", "1½", "2"];
  const told = pairs.map((n, i) => t("arena.pairsOf", { points: points[i], n })).join("; ");
  return s("svg", { class: "pentanomial", viewBox: "0 0 150 70", role: "img", "aria-label": `${t("arena.pairs")}. ${told}` }, pairs.map((n, i) => [
    s("rect", { class: `bin bin-${i}`, x: i * 30 + 4, width: 22, y: 54 - (40 * n) / most, height: Math.max(1, (40 * n) / most), rx: 2 }),
    s("text", { x: i * 30 + 15, y: 49 - (40 * n) / most }, String(n)),
    s("text", { class: "axis", x: i * 30 + 15, y: 66 }, points[i])]));
}

/** @param {any} found */
function meetingsPanel(found) {
  const names = found.table.map((/** @type {any} */ one) => one.spec);
  const met = found.meetings.filter((/** @type {any} */ one) => one.tally.games > 0);
  return h("section", { class: "panel" }, h("div", { class: "head" }, h("h2", {}, t("arena.meetings"))),
    h("div", { class: "meetings" }, met.map((/** @type {any} */ { engines: [a, b], tally }) => h("div", { class: "meeting" },
      h("p", { class: "pairing" }, spec(names[a]), h("span", { class: "against" }, "–"), spec(names[b])),
      h("figure", {}, h("figcaption", {}, t("arena.pairs")), pentanomial(tally.pairs)),
      told([
        [t("arena.score"), h("strong", {}, percent(tally.score))],
        ["95%", t("arena.between", { low: percent(tally.wilson[0]), high: percent(tally.wilson[1]) })],
        [t("arena.elo"), elo(tally.elo.elo)],
        [t("arena.los"), percent(tally.elo.los)],
      ])))));
}

/** Names and values. @param {any[][]} facts */
const told = (facts) => h("dl", { class: "told" }, facts.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));

/** @param {any} found @param {string} store @param {string} number */
function gamesPanel(found, store, number) {
  const names = found.table.map((/** @type {any} */ one) => one.spec);
  const open = async (/** @type {number} */ index) => {
    try {
      const { id } = await api.exhibit(store, number, index);
      go(`/g/${id}#0`);
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  };
  return h("section", { class: "panel" }, h("div", { class: "head" }, h("h2", {}, t("arena.latest"))),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("arena.latest") }, h("table", { class: "figures games" },
      h("thead", {}, h("tr", {}, h("th", {}, "№"), h("th", {}, t("arena.first")), h("th", {}, t("arena.second")), h("th", {}, t("arena.result")), h("th", {}, t("arena.ended")), h("th", { class: "n" }, t("arena.plies")))),
      h("tbody", {}, found.latest.map((/** @type {any} */ game) => {
        const { winner, reason } = game.outcome;
        const side = (/** @type {number} */ player) => h("td", { class: winner === player ? "winner" : null }, h("span", { class: "with-token" }, token(found.name, player), spec(names[game.engines[player]] ?? "")));
        return h("tr", {},
          h("td", {}, h("button", { type: "button", class: "quiet", "data-game": game.index, "aria-label": t("arena.look", { n: game.index + 1 }), title: t("arena.look", { n: game.index + 1 }), onclick: () => open(game.index) }, String(game.index + 1))),
          side(0), side(1),
          h("td", {}, winner === null ? t("arena.draw") : t(winner === 0 ? "arena.first" : "arena.second")),
          h("td", { class: "faint", title: game.note || null }, t(`reason.${reason}`)),
          h("td", { class: "n" }, String(game.plies)));
      })))));
}
