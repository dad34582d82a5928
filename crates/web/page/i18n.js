// English and Chinese. A word that is missing shows its key, which a test sees.

import { chinese, english } from "./words.js";

/** @type {"en"|"zh"} */
let language = localStorage.language || (navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en");
document.documentElement.lang = language === "zh" ? "zh-CN" : "en";

export const current = () => language;

/** @param {"en"|"zh"} next */
export function choose(next) {
  language = next;
  localStorage.language = next;
  document.documentElement.lang = next === "zh" ? "zh-CN" : "en";
}

/** @param {string} key @param {Record<string, any>} [values] */
export function t(key, values = {}) {
  const words = /** @type {Record<string, string>} */ (language === "zh" ? chinese : english);
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** A game's name without its setup. @param {string} name */
export const gameName = (name) => t(`game.${name}`);

/** @param {string} game @param {number} player */
export const sideName = (game, player) => t(`side.${game}.${player}`);
