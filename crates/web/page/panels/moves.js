// The list of moves. Arrow keys, Home and End step through it from anywhere.

import { look } from "../actions.js";
import { h, icon, put } from "../dom.js";
import { t } from "../i18n.js";
import { head, reviewed, state } from "../state.js";
import { severity, SIGNS } from "./severity.js";

/**
 * @typedef {{ply: Api.Ply, number: number}} Move
 * @typedef {{turn: number, by: [Move[], Move[]]}} Row First's turn and Second's, however long
 */

/**
 * A button that steps through the game.
 * @param {string} name
 * @param {string} d its icon
 * @param {() => number} to
 */
function walkButton(name, d, to) {
  const label = t(`nav.${name}`);
  return h(
    "button",
    {
      type: "button",
      class: "quiet",
      "aria-label": label,
      title: label,
      onclick: () => look(to()),
    },
    icon(d),
  );
}

/** @returns {Dom.Panel} */
export function movesPanel() {
  const list = h("ol", { class: "moves" });
  const walk = h(
    "div",
    { class: "walk", role: "group", "aria-label": t("moves.nav") },
    walkButton("first", "M17 6l-6 6 6 6M7 6v12", () => 0),
    walkButton("back", "M15 6l-6 6 6 6", () => state.view - 1),
    walkButton("forward", "M9 6l6 6-6 6", () => state.view + 1),
    walkButton("last", "M7 6l6 6-6 6M17 6v12", () => state.plies.length - 1),
  );
  const element = h(
    "section",
    { class: "panel moves-panel", "aria-label": t("moves") },
    h("div", { class: "head" }, h("h2", {}, t("moves")), walk),
    list,
  );
  let drawn = "";
  return {
    element,
    render() {
      const key = JSON.stringify([state.plies.map((ply) => ply.name), state.review?.found.length]);
      if (key !== drawn) {
        drawn = key;
        const none = h("li", { class: "faint" }, t("moves.none"));
        put(list, state.plies.length === 1 ? none : turns().map(row));
      }
      showCurrent(list);
    },
  };
}

/**
 * Marks the move that led to the position shown.
 * @param {HTMLElement} list
 */
function showCurrent(list) {
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = list.querySelectorAll("[data-ply]");
  for (const button of buttons) {
    const ply = Number(button.dataset.ply);
    button.classList.toggle("undone", ply > head().played);
    if (ply !== state.view) {
      button.removeAttribute("aria-current");
    } else if (button.getAttribute("aria-current") !== "true") {
      button.setAttribute("aria-current", "true");
      // Only the list scrolls, never the page.
      const offset = button.getBoundingClientRect().top - list.getBoundingClientRect().top;
      list.scrollTop += offset - (list.clientHeight - button.clientHeight) / 2;
    }
  }
}

/** @returns {Row[]} */
function turns() {
  /** @type {Row[]} */
  const rows = [];
  state.plies.slice(1).forEach((ply, i) => {
    const by = ply.by ?? 0;
    let last = rows.at(-1);
    if (!last || (by === 0 && last.by[1].length > 0)) {
      last = { turn: rows.length + 1, by: [[], []] };
      rows.push(last);
    }
    last.by[by].push({ ply, number: i + 1 });
  });
  return rows;
}

/** @param {Row} row */
function row({ turn, by }) {
  return h(
    "li",
    {},
    h("span", { class: "number" }, turn),
    by.map((moves) => h("span", { class: "turn-moves" }, moves.map(moveButton))),
  );
}

/** @param {Move} move */
function moveButton({ ply, number }) {
  const level = severity(reviewed(number)?.cost);
  return h(
    "button",
    {
      type: "button",
      "data-ply": number,
      class: level > 0 && `severity-${level}`,
      onclick: () => look(number),
    },
    ply.name,
    level > 0 && h("sup", { title: t(`review.kind.${level}`) }, SIGNS[level]),
  );
}
