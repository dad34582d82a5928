// Figures of matches as texts.

import { h } from "../dom.js";
import { t } from "../i18n.js";

/** @param {number} share */
export const percent = (share) => `${(share * 100).toFixed(1)}%`;

/** Infinite values come as null. @param {number|null} value */
const signed = (value) =>
  value === null ? "∞" : `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(0)}`;

/** A difference with half its interval. @param {Api.Estimate} estimate */
export function elo({ value, error }) {
  if (value === null) return "—";
  return `${signed(value)} ± ${error === null ? "∞" : error.toFixed(0)}`;
}

/** A rating with its interval. @param {(number|null)[]} rating */
export const rating = ([value, low, high]) => `${signed(value)} [${signed(low)}, ${signed(high)}]`;

/** An engine's spec, as it was typed. @param {string} text */
export const spec = (text) => h("code", { title: text }, text);

/** @param {number} milliseconds since 1970 */
export const when = (milliseconds) =>
  new Date(milliseconds).toLocaleString(document.documentElement.lang, {
    dateStyle: "short",
    timeStyle: "short",
  });

/** @param {Api.Duration} duration */
const seconds = ({ secs, nanos }) => Number((secs + nanos / 1e9).toFixed(3));

/** How much an engine may search. @param {Api.Allowance} allowance */
export function limits({ pace, sims, nodes, depth }) {
  const words = [];
  if (pace.Move) words.push(t("arena.perMove", { n: seconds(pace.Move) }));
  if (pace.Game) {
    const { base, increment } = pace.Game;
    words.push(t("arena.perGame", { base: seconds(base), more: seconds(increment) }));
  }
  if (sims) words.push(t("arena.sims", { n: sims.toLocaleString() }));
  if (nodes) words.push(t("arena.nodes", { n: nodes.toLocaleString() }));
  if (depth) words.push(t("arena.depth", { n: depth }));
  return words.join(", ") || t("arena.free");
}
