// What is on record from the position shown: the book's moves, the moves of games
// in match stores, and how fast games from here end.

import * as api from "../api.js";
import { scoreText } from "../board/score.js";
import { sideName } from "../catalogue.js";
import { h, put, toastError } from "../dom.js";
import { t } from "../i18n.js";
import { changed, gameId, head, participates, spot, state } from "../state.js";
import { lineButtons } from "./line.js";

/** Moves that are listed. */
const MOVES = 8;

/** @type {{key: string, found: Api.Explored|null}} */
let explored = { key: "", found: null };

/** The position shown, as what was asked about it is remembered. */
const position = () => `${state.id} ${state.view} ${state.plies[state.view]?.position}`;

async function explore() {
  const key = position();
  if (explored.key === key) return;
  explored = { key, found: null };
  try {
    const found = await api.explore(gameId(), spot());
    if (explored.key === key) explored.found = found;
    changed();
  } catch {
    // The game has changed meanwhile, or the stores take long: asked again later.
    if (explored.key === key) explored.key = "";
  }
}

/** @returns {Dom.Panel} */
export function explorerPanel() {
  const known = h("div", {});
  const sample = h("div", {});
  const ask = h(
    "button",
    {
      type: "button",
      "data-do": "sample",
      onclick: () => api.sample(gameId(), spot()).catch(toastError),
    },
    t("explorer.play"),
  );
  const element = h("div", {}, known, h("div", { class: "actions" }, ask), sample);
  let drawn = "";
  return {
    element,
    render() {
      explore();
      ask.hidden = !participates();
      const found = explored.key === position() ? explored.found : null;
      const here = state.plies[state.view]?.position;
      const games = state.sample?.position === here ? state.sample : null;
      ask.disabled = games !== null && games.played < games.wanted;
      const key = JSON.stringify([found, games, position()]);
      if (key === drawn) return;
      drawn = key;
      put(known, found ? [book(found), stores(found)] : h("p", {}, t("explorer.reading")));
      put(sample, games && sampled(games));
    },
  };
}

/** @param {Api.Explored} found */
function book({ book }) {
  if (book.length === 0) return h("p", { class: "faint" }, t("explorer.noBook"));
  const row = (/** @type {Api.Explored["book"][number]} */ { games, move, name, score }) =>
    h(
      "tr",
      {},
      h("td", {}, lineButtons(state.view, [name], [move])),
      h("td", {}, scoreText(score)),
      h("td", {}, games || ""),
    );
  const columns = ["move", "value", "games"];
  return table("explorer.book", columns, book.slice(0, MOVES).map(row));
}

/** @param {string} title @param {string[]} columns @param {HTMLElement[]} rows */
function table(title, columns, rows) {
  return h(
    "table",
    {},
    h("caption", {}, t(title)),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        columns.map((name) => h("th", { scope: "col" }, t(`explorer.${name}`))),
      ),
    ),
    h("tbody", {}, rows),
  );
}

/** @param {Api.PlayedMove[]} moves */
const playedRows = (moves) =>
  moves.slice(0, MOVES).map(({ move, name, results }) => {
    const games = results.reduce((sum, n) => sum + n, 0);
    return h(
      "tr",
      {},
      h("td", {}, lineButtons(state.view, [name], [move])),
      h("td", {}, games),
      h("td", {}, shares(results)),
    );
  });

/** @param {Api.Explored} found */
function stores({ games, moves, whole }) {
  const read = t(whole ? "explorer.all" : "explorer.some", { n: games });
  if (games === 0) return h("p", { class: "faint" }, t("explorer.noMatches"));
  if (moves.length === 0) return h("p", { class: "faint" }, t("explorer.noGames", { read }));
  return [
    table("explorer.stores", ["move", "games", "results"], playedRows(moves)),
    h("p", { class: "faint" }, read),
  ];
}

/** How games ended, as a bar with its numbers. @param {Api.Results} results */
function shares(results) {
  const all = Math.max(
    1,
    results.reduce((sum, n) => sum + n, 0),
  );
  const names = [sideName(head().name, 0), t("turn.draw"), sideName(head().name, 1)];
  const percent = results.map((n) => Math.round((100 * n) / all));
  const label = names.map((name, i) => `${name} ${results[i]}`).join(", ");
  const part = (/** @type {number} */ i) => {
    if (results[i] === 0) return null;
    const bar = h("i", { class: `part-${i}` }, percent[i] >= 15 && `${percent[i]}%`);
    bar.style.flexGrow = String(results[i]);
    return bar;
  };
  return h("span", { class: "shares", role: "img", "aria-label": label, title: label }, [
    part(0),
    part(1),
    part(2),
  ]);
}

/** @param {Api.Sample} sample */
function sampled({ moves, played, plies, results, wanted }) {
  const values = { n: played, total: wanted, plies: (plies ?? 0).toFixed(0) };
  return [
    h("p", {}, t(played < wanted ? "explorer.playing" : "explorer.played", values)),
    played > 0 && shares(results),
    played > 0 && table("explorer.first", ["move", "games", "results"], playedRows(moves)),
  ];
}
