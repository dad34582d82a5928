// The score of a move, as a text and as a number for comparing. Scores are the
// mover's. A move that a solver or a table knows has a certain value beside the
// search's estimate, and that is what is shown.

import { t } from "../i18n.js";

/** A number with its sign; what is rounded to zero has none. @param {number} n @param {number} [digits] */
function signed(n, digits = 0) {
  const text = Math.abs(n).toFixed(digits);
  if (Number(text) === 0) return text;
  return (n > 0 ? "+" : "−") + text;
}

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
  if (score.points !== undefined) return signed(score.points, 1);
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

/**
 * Whether it is certain how the game ends with a move.
 * @param {{exact?: Api.Exact}} line
 */
export function isCertain({ exact }) {
  return exact !== undefined && exact.result !== null;
}

/**
 * What is certain of a move, in words: "wins in 15 plies", "draw", "−3 boxes".
 * @param {Api.Exact} exact
 * @param {"score.in"|"exact.in"} [form] the first leaves out what 15 counts
 */
export function exactText({ high, low, measure, plies, result }, form = "exact.in") {
  if (measure === "boxes" && low !== null && low === high) {
    return t("exact.boxes", { n: signed(low) });
  }
  if (!result) return t("exact.draw");
  const word = t(result > 0 ? "score.wins" : "score.loses");
  if (plies === null) return word;
  if (measure === "capture") return t("exact.capture", { word, n: plies });
  return t(form, { word, n: plies });
}

/** @param {Api.Exact} exact */
function exactShort({ high, low, measure, plies, result }) {
  if (measure === "boxes" && low !== null && low === high) return signed(low);
  return ["−", "=", "+"][(result ?? 0) + 1] + (result ? (plies ?? "") : "");
}

/**
 * A line's value, short enough for a cell: the certain one, or else the score.
 * @param {Board.Marked} line
 */
export function lineShort(line) {
  return line.exact && isCertain(line) ? exactShort(line.exact) : scoreShort(line.score);
}

/**
 * A line's value for comparing; certain wins are above all scores, certain losses
 * below.
 * @param {Board.Marked} line
 */
export function lineValue(line) {
  if (!line.exact || !isCertain(line)) return scoreValue(line.score);
  const { low, plies, result } = line.exact;
  const sign = result ?? 0;
  return sign * 1e6 + (low ?? 0) * 1e3 - sign * (plies ?? 0);
}
