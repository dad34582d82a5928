// One match: its standings, its pairings, its latest games.

import * as api from "../api.js";
import { gameName, reasonText } from "../catalogue.js";
import { h, put, s, toastError } from "../dom.js";
import { t } from "../i18n.js";
import { token } from "../panels/players.js";
import { go } from "../router.js";
import { elo, limits, percent, rating, spec, when } from "./figures.js";
import { livePanel, runBar } from "./live.js";
import { poll } from "./poll.js";
import { figuresTable } from "./table.js";

/** @param {HTMLElement} main @param {string} store @param {string} number */
export async function openMatch(main, store, number) {
  main.className = `arena match-${number}`;
  const list = h("div", { class: "arena-list" });
  const head = h("div");
  const live = livePanel(store, number);
  const run = runBar(store, number, () => api.match(store, number).then(drawHead, toastError));
  put(
    main,
    h("a", { class: "back faint", href: "/arena" }, `← ${t("arena.back")}`),
    h("div", {}, head, run.element),
    live.element,
    list,
  );
  /** @param {Api.Match} match */
  const drawHead = (match) => {
    put(head, intro(match));
    run.render(match);
    live.update(match);
  };
  const open = async (/** @type {number} */ index) => {
    try {
      const { id } = await api.openGame(store, number, index);
      go(`/g/${id}#0`);
    } catch (error) {
      toastError(error);
    }
  };
  await poll(
    main,
    () => api.match(store, number),
    (match) => {
      const played = match.table.some(({ tally }) => tally.games > 0);
      drawHead(match);
      put(
        list,
        played
          ? [standingsPanel(match), pairingsPanel(match), gamesPanel(match, open)]
          : h("section", { class: "panel faint" }, t("arena.nothing")),
      );
      return match.running || match.run?.state === "running";
    },
  );
}

/** @param {string} title @param {...Dom.Child} children */
function panel(title, ...children) {
  return h(
    "section",
    { class: "panel" },
    h("div", { class: "head" }, h("h2", {}, title)),
    children,
  );
}

/** @param {Api.Match} match */
function intro({ changed, game, name, openings, run, running, seed, store, table }) {
  const { random, listed } = openings;
  const opening =
    listed === undefined ? t("arena.random", { n: random }) : t("arena.listed", { n: listed });
  const allowed = new Set(table.map(({ allowance }) => limits(allowance)));
  const alike = allowed.size === 1;
  const parts = [...(alike ? allowed : []), opening, t("arena.seed", { n: seed }), store];
  const facts = parts.join(" · ");
  const time = t("arena.updated", { time: when(changed) });
  return h(
    "div",
    { class: "intro" },
    h("h1", {}, `${gameName(name)}${game.slice(name.length)}`),
    h(
      "p",
      { class: "pairing" },
      table.map((entrant, i) => [
        i > 0 && h("span", { class: "against" }, "–"),
        spec(entrant.spec),
        !alike && h("span", { class: "faint" }, ` (${limits(entrant.allowance)})`),
      ]),
    ),
    // A match that was started here says so beside its buttons.
    h(
      "p",
      {},
      facts,
      !run && [" · ", running ? h("span", { class: "live" }, t("arena.running")) : time],
    ),
  );
}

/** Won, drawn and lost as one bar. @param {Api.Tally} tally */
function resultBar({ draws, games, losses, wins }) {
  const share = (/** @type {number} */ n) => (100 * n) / Math.max(1, games);
  return h(
    "div",
    { class: "result-bar" },
    h("span", { class: "counts" }, `${wins} · ${draws} · ${losses}`),
    s(
      "svg",
      { viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
      s("rect", { class: "lost", width: 100, height: 6 }),
      s("rect", { class: "drawn", width: share(wins + draws), height: 6 }),
      s("rect", { class: "won", width: share(wins), height: 6 }),
    ),
  );
}

/** @param {Api.Match} match */
function standingsPanel({ table }) {
  const label = t("arena.table");
  const columns = [
    { text: t("arena.engine") },
    { text: t("arena.score"), number: true },
    { text: t(table.length > 2 ? "arena.rating" : "arena.elo"), number: true },
    { text: t("arena.record") },
    { text: t("arena.points"), number: true },
  ];
  const sorted = table.toSorted((a, b) => b.tally.score - a.tally.score);
  return panel(label, figuresTable({ label, columns, rows: sorted.map(standingsRow) }));
}

/** @param {Api.Entrant} entrant */
function standingsRow({ allowance, rating: rated, spec: text, tally }) {
  const [low, high] = tally.wilson.map(percent);
  const difference = tally.elo ? elo(tally.elo.elo) : "—";
  return h(
    "tr",
    {},
    h("td", { class: "engine" }, spec(text), h("span", { class: "faint" }, limits(allowance))),
    h(
      "td",
      { class: "n", title: t("arena.interval", { low, high }) },
      h("strong", {}, percent(tally.score)),
    ),
    h("td", { class: "n" }, rated ? rating(rated) : difference),
    h("td", {}, resultBar(tally)),
    h("td", { class: "n" }, `${tally.points} / ${tally.games}`),
  );
}

/** The five possible results of a pair of games. @param {number[]} pairs */
function pentanomial(pairs) {
  const most = Math.max(1, ...pairs);
  const points = ["0", "½", "1", "1½", "2"];
  const counts = pairs.map((n, i) => t("arena.pairsOf", { points: points[i], n })).join("; ");
  const label = `${t("arena.pairs")}. ${counts}`;
  const bin = (/** @type {number} */ n, /** @type {number} */ i) => {
    const [x, height] = [i * 30, (40 * n) / most];
    const box = { x: x + 4, width: 22, y: 54 - height, height: Math.max(1, height), rx: 2 };
    return [
      s("rect", { class: `bin bin-${i}`, ...box }),
      s("text", { x: x + 15, y: 49 - height }, n),
      s("text", { class: "axis", x: x + 15, y: 66 }, points[i]),
    ];
  };
  return s(
    "svg",
    { class: "pentanomial", viewBox: "0 0 150 70", role: "img", "aria-label": label },
    pairs.map(bin),
  );
}

/** @param {Api.Match} match */
function pairingsPanel({ meetings, table }) {
  const played = meetings.filter(({ tally }) => tally.games > 0);
  const pairings = played.map(({ engines: [a, b], tally }) => pairing(table[a], table[b], tally));
  return panel(t("arena.meetings"), h("div", { class: "meetings" }, pairings));
}

/** @param {Api.Entrant} a @param {Api.Entrant} b @param {Api.Tally} tally of the first */
function pairing(a, b, tally) {
  const [low, high] = tally.wilson.map(percent);
  /** @type {[string, Dom.Child][]} */
  const facts = [
    [t("arena.score"), h("strong", {}, percent(tally.score))],
    ["95%", t("arena.between", { low, high })],
  ];
  if (tally.elo) {
    facts.push([t("arena.elo"), elo(tally.elo.elo)], [t("arena.los"), percent(tally.elo.los)]);
  }
  return h(
    "div",
    { class: "meeting" },
    h("p", { class: "pairing" }, spec(a.spec), h("span", { class: "against" }, "–"), spec(b.spec)),
    h("figure", {}, h("figcaption", {}, t("arena.pairs")), pentanomial(tally.pairs)),
    h(
      "dl",
      { class: "statistics" },
      facts.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
    ),
  );
}

/** @param {Api.Match} match @param {(index: number) => void} open */
function gamesPanel({ latest, name, table }, open) {
  const label = t("arena.latest");
  const columns = [
    { text: "№" },
    { text: t("arena.first") },
    { text: t("arena.second") },
    { text: t("arena.result") },
    { text: t("arena.ended") },
    { text: t("arena.plies"), number: true },
  ];
  const row = (/** @type {Api.PlayedGame} */ { engines, index, note, outcome, plies }) => {
    const { reason, winner } = outcome;
    const side = (/** @type {number} */ player) => {
      const engine = spec(table[engines[player]]?.spec ?? "");
      const content = h("span", { class: "with-token" }, token(name, player), engine);
      return h("td", { class: winner === player && "winner" }, content);
    };
    const result = winner === null ? "arena.draw" : ["arena.first", "arena.second"][winner];
    return h(
      "tr",
      {},
      h("td", {}, openButton(index, open)),
      side(0),
      side(1),
      h("td", {}, t(result)),
      h("td", { class: "faint", title: note || null }, reasonText(reason)),
      h("td", { class: "n" }, plies),
    );
  };
  return panel(label, figuresTable({ label, name: "games", columns, rows: latest.map(row) }));
}

/** @param {number} index @param {(index: number) => void} open */
function openButton(index, open) {
  const label = t("arena.look", { n: index + 1 });
  return h(
    "button",
    {
      type: "button",
      class: "quiet",
      "data-game": index,
      "aria-label": label,
      title: label,
      onclick: () => open(index),
    },
    index + 1,
  );
}
