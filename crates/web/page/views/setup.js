// What the forms for new games share.

import { field, pick } from "../form.js";
import { t } from "../i18n.js";

/**
 * The setups of a game, or any other.
 * @param {Api.Game} game
 * @param {string} chosen
 * @param {(setup: string) => void} change
 */
export function setupField(game, chosen, change) {
  const options = game.choices.map((setup) => [setup, setup || t("home.standard")]);
  const label = t(game.setup === "rules" ? "home.rules" : "home.setup");
  return field(label, pick("setup", options, chosen, change, "each key"));
}

/**
 * A game with its setup, as the server wants it. Sizes may be written `7 x 6` or
 * `7×6`.
 * @param {string} name
 * @param {string} setup
 */
export function gameSpec(name, setup) {
  return `${name} ${setup.replace(/(\d)\s*[x×*]\s*(?=\d)/gi, "$1x")}`.trim();
}

/**
 * The engine of a strength: a level by its number, or a spec.
 * @param {string} strength
 * @returns {{engine: string}}
 */
export function engineOf(strength) {
  return { engine: /^\d+$/.test(strength) ? `level n=${strength}` : strength };
}
