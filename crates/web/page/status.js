// Who plays, whose turn it is and how the game ended, as texts.

import { reasonText, sideName } from "./catalogue.js";
import { t } from "./i18n.js";
import { engines, head, state } from "./state.js";

/**
 * The name of an engine spec.
 * @param {string} spec
 */
export function engineName(spec) {
  const level = spec.match(/^level n=(\d+)$/);
  if (level) return t("home.level", { n: level[1] });
  return spec === "best" ? t("home.best") : spec;
}

/** @param {number} player */
export function playerName(player) {
  const { contest, names, name, seats } = head();
  const given = contest?.names[player] || names?.[player];
  if (given) return given;
  const seat = seats[player];
  return seat === "human" ? sideName(name, player) : engineName(seat.engine);
}

/** Whose turn it is, or how the game ended. */
export function status() {
  const { contest, name, outcome, paused, seats, to_move } = head();
  if (outcome) {
    const { winner, reason } = outcome;
    const result =
      winner === null ? t("turn.draw") : t("turn.wins", { side: sideName(name, winner) });
    return `${result} · ${reasonText(reason)}`;
  }
  const side = sideName(name, to_move);
  // In a contest it matters whose move it is when the clocks go on.
  if (paused) return contest ? t("turn", { side }) : t("turn.paused");
  if (seats[to_move] !== "human") return t("turn.thinking", { side });
  return engines() && !contest ? t("turn.you") : t("turn", { side });
}

/**
 * The milliseconds that a player has left at this moment.
 * @param {number} player
 */
export function timeLeft(player) {
  if (!state.head?.clocks) return Infinity;
  const { clocks, at } = state.head;
  const elapsed = clocks.running === player ? performance.now() - at : 0;
  return clocks.left[player] - elapsed;
}

/** @param {number} milliseconds */
export function clockText(milliseconds) {
  const seconds = Math.max(0, milliseconds) / 1000;
  const whole = Math.floor(seconds);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  if (whole >= 3600) {
    return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  }
  if (whole < 20) return `0:${seconds.toFixed(1).padStart(4, "0")}`;
  return `${Math.floor(whole / 60)}:${two(whole % 60)}`;
}
