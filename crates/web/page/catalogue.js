// Which games there are, what their texts are, and the scripts that draw their
// boards. It is loaded once, before the first view; nothing else in the page
// names a game.

import * as api from "./api.js";
import { addWords, current } from "./i18n.js";

/** @type {Api.Catalogue} */
let catalogue = { games: [], engines: [], levels: 0, reasons: {}, threads: 1 };

/** @type {Map<string, Board.Script>} */
const scripts = new Map();

/** Loads the catalogue and every game's board script. */
export async function loadCatalogue() {
  catalogue = await api.catalogue();
  await Promise.all(catalogue.games.map(({ name }) => loadScript(name)));
}

/** @param {string} name */
async function loadScript(name) {
  const { script } = await import(`./board/${name}.js`);
  scripts.set(name, script);
  addWords(script.words);
}

/** Loads the sentences about moves of a game. @param {string} name */
export async function loadReasons(name) {
  const reasons = await boardScript(name).why?.();
  if (reasons) addWords(reasons.why);
}

export const games = () => catalogue.games;
export const engines = () => catalogue.engines;
export const levels = () => catalogue.levels;

/** @param {string} name */
export function gameInfo(name) {
  const found = catalogue.games.find((game) => game.name === name);
  if (!found) throw new Error(`the server has no game '${name}'`);
  return found;
}

/** @param {string} name of a game */
export function boardScript(name) {
  const found = scripts.get(name);
  if (!found) throw new Error(`there is no board script for '${name}'`);
  return found;
}

/**
 * A text in the present language.
 * @param {Api.Words} words
 */
export const inLanguage = (words) => words[current()];

/** @param {string} name of a game, without its setup */
export const gameName = (name) => inLanguage(gameInfo(name).title);

/** @param {string} name of a game @param {number} player */
export const sideName = (name, player) => inLanguage(gameInfo(name).sides[player]);

/** How a game ended. @param {string} reason */
export function reasonText(reason) {
  const words = catalogue.reasons[reason];
  return words ? inLanguage(words) : reason;
}
