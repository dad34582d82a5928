// The list of moves, with side lines under the moves that they replace. Arrow keys,
// Home and End step through the line shown from anywhere.

import { look } from "../actions.js";
import { h, icon, put } from "../dom.js";
import { t } from "../i18n.js";
import { showPly } from "../lines.js";
import { head, reviewed, spot, state } from "../state.js";
import { severity, SIGNS } from "./severity.js";
import { comment, lineTools, linesAfter } from "./variations.js";

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
  const tools = lineTools();
  const element = h(
    "section",
    { class: "panel moves-panel", "aria-label": t("moves") },
    h("div", { class: "head" }, h("h2", {}, t("moves")), walk),
    list,
    tools.element,
  );
  let drawn = "";
  return {
    element,
    render() {
      const { game, review, tree } = state;
      const key = JSON.stringify([game.map((ply) => ply.name), review?.found.length, tree]);
      if (key !== drawn) {
        drawn = key;
        const none = h("li", { class: "faint" }, t("moves.none"));
        const rows = turns();
        put(
          list,
          comment(0),
          game.length === 1 && none,
          rows.map(row),
          linesAfter(game.length - 1, rows.length + 1),
        );
      }
      showCurrent(list);
      tools.render();
    },
  };
}

/**
 * Marks the move that led to the position shown.
 * @param {HTMLElement} list
 */
function showCurrent(list) {
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = list.querySelectorAll("[data-ply], [data-node]");
  const here = spot();
  for (const button of buttons) {
    const { ply, node } = button.dataset;
    button.classList.toggle("undone", Number(ply) > head().played);
    const shown = here.node === null ? Number(ply) === here.ply : Number(node) === here.node;
    if (!shown) {
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
  state.game.slice(1).forEach((ply, i) => {
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

/** @param {Row} row @returns {Dom.Child[]} */
function row({ turn, by }) {
  const moves = by.flat();
  return [
    h(
      "li",
      {},
      h("span", { class: "number" }, turn),
      by.map((moves) => h("span", { class: "turn-moves" }, moves.map(moveButton))),
    ),
    moves.map(({ number }) => [comment(number), linesAfter(number - 1, turn)]),
  ];
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
      onclick: () => showPly(number),
    },
    ply.name,
    level > 0 && h("sup", { title: t(`review.kind.${level}`) }, SIGNS[level]),
  );
}
