// Trying one's mistakes again: the board shows the position before a mistake and
// takes a move; the server judges it, and a bad one is answered on the board.

import { look } from "../actions.js";
import * as api from "../api.js";
import { announce, h, put } from "../dom.js";
import { t } from "../i18n.js";
import { closeLine, playLine } from "../preview.js";
import { changed, gameId, state } from "../state.js";
import { whyText } from "../why.js";
import { lineButtons } from "./line.js";
import { severity } from "./severity.js";

/**
 * @typedef {object} Retry
 * @property {number[]} plies of the mistakes
 * @property {number} at which of them
 * @property {"asking"|"judging"|"good"|"bad"|"shown"|"failed"} stage
 * @property {Api.ReviewedPly|null} judged the last attempt
 * @property {string} tried its name
 */

/** @type {Retry|null} */
let retry = null;

/** The mistake in question. */
function question() {
  const ply = retry?.plies[retry.at];
  return state.review?.found.find((one) => one.ply === ply);
}

/** @param {number} player */
export function retryButton(player) {
  return h(
    "button",
    { type: "button", "data-do": `retry-${player}`, onclick: () => begin(player) },
    t("retry.begin"),
  );
}

/** @param {number} player */
function begin(player) {
  const found = state.review?.found ?? [];
  const plies = found
    .filter(({ cost, ply }) => severity(cost) > 0 && state.plies[ply + 1]?.by === player)
    .map(({ ply }) => ply)
    .sort((a, b) => a - b);
  retry = { plies, at: 0, stage: "asking", judged: null, tried: "" };
  ask();
}

/** Shows the position before the mistake and waits for a move. */
function ask() {
  const here = question();
  if (!retry || !here) {
    end();
    return;
  }
  closeLine();
  retry.stage = "asking";
  state.intercept = { ply: here.ply, take };
  look(here.ply);
  announce(t("retry.ask", { name: state.plies[here.ply + 1]?.name }));
}

/** @param {string} move */
async function take(move) {
  const here = question();
  if (!retry || !here || retry.stage === "judging") return;
  const asked = retry;
  asked.stage = "judging";
  asked.judged = null;
  asked.tried = move;
  changed();
  try {
    const judged = await api.tryMove(gameId(), here.ply, move);
    if (retry !== asked || asked.stage !== "judging") return;
    asked.judged = judged;
    asked.stage = severity(judged.cost) === 0 ? "good" : "bad";
    if (asked.stage === "bad") playLine(here.ply, judged.answer_moves);
    else playLine(here.ply, [move]);
  } catch {
    asked.stage = "failed";
  }
  changed();
}

function next() {
  if (!retry) return;
  retry.at += 1;
  ask();
}

function showSolution() {
  const here = question();
  if (!retry || !here) return;
  retry.stage = "shown";
  playLine(here.ply, here.moves);
  changed();
}

function end() {
  retry = null;
  state.intercept = null;
  closeLine();
  look(state.view);
}

/** @param {string} name @param {() => void} act */
const button = (name, act) =>
  h("button", { type: "button", "data-do": `retry-${name}`, onclick: act }, t(`retry.${name}`));

/** @returns {Dom.Panel} */
export function retryNotes() {
  const element = h("div", { class: "retry", role: "status", hidden: true });
  let drawn = "";
  return {
    element,
    render() {
      // Another game or position is shown.
      if (retry && state.intercept?.ply !== state.view) {
        retry = null;
        state.intercept = null;
      }
      element.hidden = retry === null;
      if (!retry) return;
      const key = JSON.stringify([retry.at, retry.stage, retry.tried]);
      if (key === drawn) return;
      drawn = key;
      put(element, content(retry));
    },
  };
}

/** @param {Retry} now @returns {Dom.Child} */
function content({ at, judged, plies, stage }) {
  const here = question();
  if (!here) return null;
  const name = state.plies[here.ply + 1]?.name;
  const count = h("small", {}, ` ${at + 1} / ${plies.length}`);
  const last = at + 1 >= plies.length;
  const onward = last ? button("end", end) : button("next", next);
  const texts = {
    asking: t("retry.ask", { name }),
    judging: t("retry.judging"),
    good: t("retry.good"),
    bad: t("retry.bad", { n: Math.round((judged?.cost ?? 0) * 100) }),
    shown: t("retry.shown"),
    failed: t("retry.failed"),
  };
  const lines = {
    bad: judged && lineButtons(here.ply, judged.answer, judged.answer_moves),
    shown: lineButtons(here.ply, here.line, here.moves),
  };
  const why = stage === "bad" ? whyText(judged?.why) : stage === "shown" ? whyText(here.why) : "";
  return [
    h("p", {}, h("strong", {}, texts[stage]), count),
    why && h("p", { class: "why" }, why),
    stage === "bad" && h("p", {}, lines.bad),
    stage === "shown" && h("p", {}, lines.shown),
    h(
      "div",
      { class: "actions" },
      (stage === "bad" || stage === "failed") && button("again", ask),
      stage !== "shown" && stage !== "good" && button("solution", showSolution),
      onward,
      !last && button("end", end),
    ),
  ];
}
