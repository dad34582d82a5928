// English and Chinese. A text that is missing shows its key, which a test finds.

import { english } from "./words/english.js";
import { chinese } from "./words/chinese.js";
import { contest } from "./words/contest.js";

/** @typedef {"en" | "zh"} Language */

/** @type {Record<Language, Record<string, string>>} */
const texts = {
  en: { ...english, ...contest.en },
  zh: { ...chinese, ...contest.zh },
};

const preferred = navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";

/** @type {Language} */
let language =
  localStorage.language === "en" || localStorage.language === "zh"
    ? localStorage.language
    : preferred;

/** @param {Language} next */
function apply(next) {
  language = next;
  document.documentElement.lang = next === "zh" ? "zh-CN" : "en";
}
apply(language);

export const current = () => language;

/** @param {Language} next */
export function choose(next) {
  localStorage.language = next;
  apply(next);
}

/**
 * Adds texts that only one board script needs.
 * @param {Board.Script["words"]} words
 */
export function addWords({ en, zh }) {
  Object.assign(texts.en, en);
  Object.assign(texts.zh, zh);
}

/** Whether there is a text for a key. @param {string} key */
export const has = (key) => key in texts[language];

/**
 * The text for a key; `{name}` in it stands for a value, and `{n|move|moves}` for a
 * number with the noun that goes with it.
 * @param {string} key
 * @param {Record<string, unknown>} [values]
 */
export function t(key, values = {}) {
  const text = texts[language][key] ?? key;
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name, one, many) => {
    const value = String(values[name] ?? "");
    // One with a sign is one too: "−1 box".
    return one === undefined ? value : `${value} ${/^[+−]?1$/.test(value) ? one : many}`;
  });
}
