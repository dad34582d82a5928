// The score of a move, as a text and as a number for comparing. Scores are the
// mover's.

import { t } from "../i18n.js";

/**
 * @param {Api.Score|null} score null for a move that was not searched
 * @returns {string}
 */
export function scoreText(score) {
  if (!score) return "";
  if (score.proven) {
    const { result, plies } = score.proven;
    const word = t(["score.loses", "score.draws", "score.wins"][result + 1]);
    return plies ? t("score.in", { word, n: plies }) : word;
  }
  if (score.points !== undefined) return `${score.points > 0 ? "+" : ""}${score.points.toFixed(1)}`;
  return `${Math.round(((score.expected ?? 0) + 1) * 50)}%`;
}

/**
 * The same, short enough for a cell.
 * @param {Api.Score|null} score
 */
export function scoreShort(score) {
  if (!score?.proven) return scoreText(score).replace("%", "");
  return ["−", "=", "+"][score.proven.result + 1] + (score.proven.plies ?? "");
}

/**
 * A number for comparing: greater is better for the mover, and a move without a
 * score is behind all others.
 * @param {Api.Score|null} score
 */
export function scoreValue(score) {
  if (!score) return -Infinity;
  if (score.proven) return score.proven.result * (1000 - (score.proven.plies ?? 0));
  return score.points ?? score.expected ?? 0;
}
