// The list of moves. Arrow keys, Home and End walk through it from anywhere.

import { h, put } from "./dom.js";
import { look } from "./game.js";
import { t } from "./i18n.js";
import { state } from "./state.js";
import { icon } from "./top.js";

/** How bad a mistake is: 0 for none, 3 for a blunder. @param {number|null|undefined} cost */
export function gravity(cost) {
  if (!cost || cost < 0.08) return 0;
  return cost < 0.15 ? 1 : cost < 0.3 ? 2 : 3;
}

export const SIGNS = ["", "?!", "?", "??"];

/** What a review says about the move that leads to a ply. @param {number} ply */
export const judged = (ply) => state.review?.found?.find((/** @type {any} */ one) => one.ply === ply - 1);

export function movesPanel() {
  const list = h("ol", { class: "moves" });
  const go = (/** @type {string} */ name, /** @type {string} */ d, /** @type {() => number} */ to) => h("button", { type: "button", class: "quiet", "aria-label": t(`nav.${name}`), title: t(`nav.${name}`), onclick: () => look(to()) }, icon(d));
  const element = h("section", { class: "panel moves-panel", "aria-label": t("moves") },
    h("div", { class: "head" }, h("h2", {}, t("moves")), h("div", { class: "walk", role: "group", "aria-label": t("moves.nav") },
      go("first", "M17 6l-6 6 6 6M7 6v12", () => 0), go("back", "M15 6l-6 6 6 6", () => state.view - 1),
      go("forward", "M9 6l6 6-6 6", () => state.view + 1), go("last", "M7 6l6 6-6 6M17 6v12", () => state.plies.length - 1))),
    list);
  let key = "";
  return {
    element,
    render() {
      const next = JSON.stringify([state.plies.map((ply) => ply.name), state.review?.found?.length, document.documentElement.lang]);
      if (next !== key) {
        key = next;
        put(list, state.plies.length === 1 ? h("li", { class: "faint" }, t("moves.none")) : rows());
      }
      const { head, view } = state;
      for (const button of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("[data-ply]"))) {
        const ply = Number(button.dataset.ply);
        button.classList.toggle("undone", ply > head.played);
        if (ply === view) {
          if (button.getAttribute("aria-current") !== "true") {
            button.setAttribute("aria-current", "true");
            // Only the list scrolls, never the page.
            list.scrollTop = button.offsetTop - list.offsetTop - list.clientHeight / 2;
          }
        } else button.removeAttribute("aria-current");
      }
    },
  };
}

/** Moves in turns: a row is First's turn and Second's, however long. */
function rows() {
  /** @type {{turn: number, by: [any[], any[]]}[]} */
  const found = [];
  state.plies.slice(1).forEach((ply, i) => {
    const by = ply.by ?? 0;
    const last = found.at(-1);
    const fits = last && (by === 1 ? true : last.by[1].length === 0);
    const row = fits ? last : { turn: found.length + 1, by: /** @type {[any[], any[]]} */ ([[], []]) };
    if (!fits) found.push(row);
    row.by[by].push([ply, i + 1]);
  });
  return found.map(({ turn, by }) => h("li", {}, h("span", { class: "number" }, String(turn)), by.map((plies) => h("span", { class: "turn-moves" }, plies.map(([ply, n]) => {
    const note = judged(n);
    const grave = gravity(note?.cost);
    return h("button", { type: "button", "data-ply": n, class: grave ? `grave-${grave}` : null, onclick: () => look(n) },
      ply.name, grave > 0 && h("sup", { title: t(`review.kind.${grave}`) }, SIGNS[grave]));
  })))));
}
