// The games that a match plays at this moment, on small boards, and the buttons of a
// match that was started here.

import * as api from "../api.js";
import { createBoard } from "../board/board.js";
import { boardScript, gameInfo, gameName } from "../catalogue.js";
import { h, put, toastError } from "../dom.js";
import { t } from "../i18n.js";
import { token } from "../panels/players.js";
import { spec } from "./figures.js";

/** How often the boards are asked for, in milliseconds. */
const SOON = 700;

/** @typedef {{element: HTMLElement, key: string, show: (game: Api.LiveGame) => void}} LiveBoard */

/**
 * A board for games with one geometry.
 * @param {string} name of the game
 * @param {Api.LiveGame} game
 * @param {string[]} engines
 * @returns {LiveBoard}
 */
function liveBoard(name, game, engines) {
  const board = createBoard({
    geometry: game.geometry,
    script: boardScript(name),
    flip: gameInfo(name).flip,
    label: t("match.board", { game: gameName(name) }),
    onMove: () => {},
  });
  const caption = h("figcaption");
  // It is looked at, never played on.
  const place = h("div", { inert: true, "aria-hidden": "true" }, board.svg);
  const element = h("figure", { class: `live-game of-${game.geometry.kind}` }, place, caption);
  let plies = -1;
  return {
    element,
    key: game.game,
    show(next) {
      const { engines: numbers, last, plies: length, to_move, view } = next;
      const moved = length === plies + 1;
      plies = length;
      const ply = { view, to_move, name: last, position: next.position };
      board.show(/** @type {Api.Ply} */ (/** @type {unknown} */ (ply)), [], moved);
      put(
        caption,
        [0, 1].map((player) => {
          const number = numbers[player];
          const text = number === null ? "…" : (engines[number] ?? "");
          return h(
            "span",
            { class: to_move === player ? "with-token turn" : "with-token" },
            token(name, player),
            spec(text),
          );
        }),
        h("span", { class: "faint" }, t("match.ply", { n: length, move: last ?? "" })),
      );
    },
  };
}

/**
 * The running games of a match, kept up to date as long as the panel is shown and
 * the match runs.
 * @param {string} store
 * @param {string} number
 */
export function livePanel(store, number) {
  const boards = h("div", { class: "live-games" });
  const title = h("h2", {}, t("match.live"));
  const element = h(
    "section",
    { class: "panel live-panel", hidden: true },
    h("div", { class: "head" }, title),
    boards,
  );
  /** @type {LiveBoard[]} */
  let shown = [];
  let asking = false;
  let running = false;
  /** @type {Api.Match|null} */
  let match = null;

  async function ask() {
    if (asking) return;
    asking = true;
    while (running && element.isConnected) {
      if (!document.hidden) {
        const found = await api.liveGames(store, number).catch(() => null);
        if (found) draw(found.games);
      }
      await new Promise((resolve) => {
        setTimeout(resolve, SOON);
      });
    }
    asking = false;
    draw([]);
  }

  /** @param {Api.LiveGame[]} games */
  function draw(games) {
    // Between two games the last position stays.
    if (!match || (running && games.length === 0)) return;
    const { name, table } = match;
    const engines = table.map((entrant) => entrant.spec);
    const same =
      games.length === shown.length && games.every((one, i) => one.game === shown[i].key);
    if (!same) {
      shown = games.map((game) => liveBoard(name, game, engines));
      put(
        boards,
        shown.map((one) => one.element),
      );
    }
    games.forEach((game, i) => shown[i].show(game));
    element.hidden = games.length === 0;
  }

  return {
    element,
    /** @param {Api.Match} next */
    update(next) {
      match = next;
      running = next.run ? next.run.state === "running" : next.running;
      if (running) setTimeout(ask, 0);
    },
  };
}

/**
 * Pause, go on, stop: for a match that was started here. The buttons stay as they
 * are while its games are counted, so that a click never meets a new one.
 * @param {string} store
 * @param {string} number
 * @param {() => void} changed
 */
export function runBar(store, number, changed) {
  const send = async (/** @type {Api.MatchCommand["do"]} */ command) => {
    try {
      await api.runMatch(store, number, { do: command });
    } catch (error) {
      toastError(error);
    }
    changed();
  };
  const button = (/** @type {Api.MatchCommand["do"]} */ name) =>
    h(
      "button",
      { type: "button", "data-do": `match-${name}`, onclick: () => send(name) },
      t(`match.${name}`),
    );
  /** @type {Record<string, Api.MatchCommand["do"][]>} */
  const buttons = { running: ["pause", "stop"], paused: ["resume", "stop"], stopped: ["resume"] };
  const status = h("span", { role: "status" });
  const element = h("div", { class: "actions", hidden: true });
  let drawn = "";
  return {
    element,
    /** @param {Api.Match} match */
    render({ run, table }) {
      element.hidden = !run;
      if (!run) return;
      const played = table.reduce((sum, { tally }) => sum + tally.games, 0) / 2;
      const count = t("match.played", { n: played, total: run.games });
      const parts = [t(`match.is.${run.state}`), count, run.trouble];
      status.textContent = parts.filter(Boolean).join(" · ");
      if (run.state === drawn) return;
      drawn = run.state;
      const focused = element.contains(document.activeElement);
      put(element, status, (buttons[drawn] ?? []).map(button));
      if (focused) element.querySelector("button")?.focus();
    },
  };
}
