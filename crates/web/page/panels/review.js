// What the review says: how accurate both players were, and of the move that led
// to the position shown what it cost, why, and what was better. From here the
// mistakes can be tried again.

import { sideName } from "../catalogue.js";
import { h, put } from "../dom.js";
import { t } from "../i18n.js";
import { currentReview, head, playsHere, reviewed, state } from "../state.js";
import { whyText } from "../why.js";
import { lineButtons } from "./line.js";
import { retryButton, retryNotes } from "./retry.js";
import { severity } from "./severity.js";

/** @returns {Dom.Panel} */
export function reviewNotes() {
  const element = h("div", { class: "note" });
  const retry = retryNotes();
  const own = h("div", {});
  put(element, retry.element, own);
  let drawn = "";
  return {
    element,
    render() {
      retry.render();
      const review = currentReview();
      own.hidden = state.intercept !== null;
      const key = JSON.stringify([review?.found.length, review?.done, state.view]);
      if (key === drawn) return;
      drawn = key;
      put(own, review && [progress(review), mistake(), players(review)]);
    },
  };
}

/** @param {Api.Review} review @returns {Dom.Child} */
function progress({ done, found, length }) {
  if (!done) return h("p", {}, t("review.running", { n: found.length, total: length + 1 }));
  const mistakes = found.filter((one) => severity(one.cost) > 0).length;
  return h("p", {}, mistakes > 0 ? t("review.done", { n: mistakes }) : t("review.none"));
}

/** The mistake that led to the position shown. @returns {Dom.Child} */
function mistake() {
  const here = reviewed(state.view);
  const level = severity(here?.cost);
  if (!here || level === 0) return null;
  const values = {
    name: state.plies[state.view].name,
    n: Math.round((here.cost ?? 0) * 100),
  };
  const why = whyText(here.why);
  /** @param {string} label @param {string[]} names @param {string[]|undefined} moves */
  const line = (label, names, moves, from = 0) =>
    moves &&
    moves.length > from &&
    h("p", {}, `${label} `, lineButtons(here.ply, names, moves, from));
  return h(
    "div",
    { class: `mistake-note severity-${level}` },
    h("p", {}, h("strong", {}, `${t(`review.kind.${level}`)} `), t("review.cost", values)),
    why && h("p", { class: "why" }, h("strong", {}, t("why.title")), ` ${why}`),
    line(t("review.better"), here.line, here.moves),
    // It begins with the move itself.
    line(t("review.answer"), here.answer, here.answer_moves, 1),
  );
}

/** Both players' accuracy and mistakes. @param {Api.Review} review @returns {Dom.Child} */
function players({ accuracy, done, found }) {
  if (!accuracy) return null;
  const ofPlayer = (/** @type {number} */ player) =>
    found.filter(({ ply }) => state.plies[ply + 1]?.by === player);
  const row = (/** @type {number} */ player) => {
    const costs = ofPlayer(player).map(({ cost }) => severity(cost));
    const share = accuracy[player];
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, sideName(head().name, player)),
      h("td", {}, share === null ? "–" : `${share.toFixed(0)}%`),
      [1, 2, 3].map((level) => h("td", {}, costs.filter((one) => one === level).length)),
      h("td", {}, done && costs.some((one) => one > 0) && retryButton(player)),
    );
  };
  // Who plays here stands first.
  const order = playsHere(1) && !playsHere(0) ? [1, 0] : [0, 1];
  const heads = ["accuracy", "kinds.1", "kinds.2", "kinds.3"];
  return h(
    "table",
    { class: "accuracy" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("td", {}),
        heads.map((name) => h("th", { scope: "col" }, t(`review.${name}`))),
        h("td", {}),
      ),
    ),
    h("tbody", {}, order.map(row)),
  );
}
