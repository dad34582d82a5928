// The strips above and below the board: who plays, what they have, their clock.

import { boardScript, sideName } from "../catalogue.js";
import { h, s } from "../dom.js";
import { t } from "../i18n.js";
import { changed, head, live, state } from "../state.js";
import { clockText, playerName, timeLeft } from "../status.js";

/** Below this many milliseconds a clock is marked. */
const SHORT = 30000;

/**
 * The sign of a player, as on the board.
 * @param {string} game
 * @param {number} player
 */
export function token(game, player) {
  return s(
    "svg",
    { class: `token board-${game}`, viewBox: "-0.5 -0.5 1 1", "aria-hidden": "true" },
    boardScript(game).token(player),
  );
}

/** The clocks on the page. @type {Set<HTMLElement>} */
const clocks = new Set();
let ticking = false;

export function playerStrip() {
  const name = h("strong");
  const side = h("span", { class: "faint" });
  const sign = h("span", { class: "sign-place" });
  const score = h("span", { class: "score" });
  const clock = h("span", { class: "clock", role: "timer", hidden: true });
  const who = h("span", { class: "who" }, name, side);
  const element = h("div", { class: "strip" }, sign, who, score, clock);
  clocks.add(clock);
  tick();
  let drawn = "";
  return {
    element,
    /** @param {number} player */
    render(player) {
      const { name: game, to_move, outcome, clocks } = head();
      const sideText = sideName(game, player);
      element.classList.toggle("turn", live() && to_move === player);
      element.classList.toggle("won", outcome?.winner === player);
      name.textContent = playerName(player);
      side.textContent = name.textContent === sideText ? "" : sideText;
      const key = `${game} ${player}`;
      if (key !== drawn) {
        drawn = key;
        sign.replaceChildren(token(game, player));
      }
      const points = state.plies[state.view].view.score?.[player];
      score.textContent = String(points ?? "");
      if (points !== undefined) {
        score.setAttribute("role", "img");
        score.setAttribute("aria-label", t("score.of", { side: sideText, n: points }));
      }
      clock.hidden = !clocks;
      clock.dataset.player = String(player);
      clock.setAttribute("aria-label", t("clock.of", { side: sideText }));
      drawClock(clock);
    },
  };
}

/** @param {HTMLElement} clock */
function drawClock(clock) {
  if (!state.head?.clocks) return;
  const player = Number(clock.dataset.player);
  const left = timeLeft(player);
  const text = clockText(left);
  if (clock.textContent !== text) clock.textContent = text;
  clock.classList.toggle("running", state.head.clocks.running === player);
  clock.classList.toggle("short", left < SHORT);
  if (left <= 0 && !clock.classList.contains("fallen")) changed();
  clock.classList.toggle("fallen", left <= 0);
}

/** Keeps the clocks running between the server's messages. */
function tick() {
  if (ticking) return;
  ticking = true;
  setInterval(() => {
    for (const clock of clocks) {
      if (clock.isConnected) drawClock(clock);
      else clocks.delete(clock);
    }
  }, 100);
}
