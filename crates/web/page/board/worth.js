// What a move is worth, in a word or two and as a share.

import { t } from "../i18n.js";

/** @param {any} score nothing for a move that nobody has judged @returns {string} */
export function worthText(score) {
  if (!score) return "";
  if (score.proven) {
    const word = t(["worth.loses", "worth.draws", "worth.wins"][score.proven.result + 1]);
    return score.proven.plies ? t("worth.in", { word, n: score.proven.plies }) : word;
  }
  if (score.points !== undefined) return `${score.points > 0 ? "+" : ""}${score.points.toFixed(1)}`;
  return `${Math.round((score.expected + 1) * 50)}%`;
}

/** The same, short enough for a cell. @param {any} score */
export function worthShort(score) {
  if (!score) return "";
  if (score.proven) return ["−", "=", "+"][score.proven.result + 1] + (score.proven.plies ?? "");
  return worthText(score).replace("%", "");
}

/** A number for comparing, greater is better for the mover. @param {any} score */
export function worthValue(score) {
  if (!score) return 0;
  if (score.proven) return score.proven.result * (1000 - (score.proven.plies ?? 0));
  return score.points ?? score.expected;
}
