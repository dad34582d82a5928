// The strips above and below the board: who plays, what they have, their clock.

import { h, s } from "./dom.js";
import { sideName, t } from "./i18n.js";
import { changed, live, state } from "./state.js";

/** @param {number} milliseconds */
export function clockText(milliseconds) {
  const seconds = Math.max(0, milliseconds) / 1000;
  const whole = Math.floor(seconds);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  if (whole >= 3600) return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  if (whole < 20) return `0:${seconds.toFixed(1).padStart(4, "0")}`;
  return `${Math.floor(whole / 60)}:${two(whole % 60)}`;
}

/** What a player has left at this moment. @param {number} player */
export function leftNow(player) {
  const { clocks, at } = state.head;
  const run = clocks.running === player ? performance.now() - at : 0;
  return clocks.left[player] - run;
}

/** A player's name. @param {number} player */
export function playerName(player) {
  const { head } = state;
  const own = head.contest?.names[player] || head.names?.[player];
  if (own) return own;
  const seat = head.seats[player];
  if (seat === "human") return sideName(head.name, player);
  const level = seat.engine.match(/^level n=(\d+)$/);
  if (level) return t("home.level", { n: level[1] });
  return seat.engine === "best" ? t("home.best") : seat.engine;
}

/** The sign of a player, as on the board. @param {string} game @param {number} player */
export function token(game, player) {
  const shape = game === "dots-and-boxes" && player === 1
    ? s("path", { class: "body", d: "M0 -0.46L0.46 0L0 0.46L-0.46 0Z" }) : s("circle", { class: "body", r: game === "dots-and-boxes" ? 0.36 : 0.42 });
  const kind = game === "surakarta" ? "piece" : "stone";
  const sign = game === "dots-and-boxes" ? null : s("circle", { class: "sign", r: player === 0 ? 0.12 : 0.2 });
  return s("svg", { class: `token board-${game}`, viewBox: "-0.5 -0.5 1 1", "aria-hidden": "true" }, s("g", { class: `${kind} ${kind}-${player + 1}` }, shape, sign));
}

/** @type {Set<HTMLElement>} */
const clocks = new Set();

export function strip() {
  const name = h("strong", {});
  const side = h("span", { class: "faint" });
  const sign = h("span", { class: "sign-place" });
  const score = h("span", { class: "score" });
  const clock = h("span", { class: "clock", role: "timer", hidden: true });
  const element = h("div", { class: "strip" }, sign, h("span", { class: "who" }, name, side), score, clock);
  clocks.add(clock);
  let key = "";
  return {
    element,
    /** @param {number} player */
    render(player) {
      const { head } = state;
      const view = state.plies[state.view].view;
      const turn = live() && head.to_move === player;
      element.classList.toggle("turn", turn);
      element.classList.toggle("won", head.outcome?.winner === player);
      name.textContent = playerName(player);
      side.textContent = name.textContent === sideName(head.name, player) ? "" : sideName(head.name, player);
      const next = `${head.name} ${player}`;
      if (next !== key) {
        key = next;
        sign.replaceChildren(token(head.name, player));
      }
      score.textContent = view.score ? String(view.score[player]) : "";
      if (view.score) {
        score.setAttribute("role", "img");
        score.setAttribute("aria-label", t("score.of", { side: sideName(head.name, player), n: view.score[player] }));
      }
      clock.hidden = !head.clocks;
      clock.dataset.player = String(player);
      clock.setAttribute("aria-label", t("clock.of", { side: sideName(head.name, player) }));
      drawClock(clock);
    },
  };
}

/** @param {HTMLElement} clock */
function drawClock(clock) {
  if (!state.head?.clocks) return;
  const player = Number(clock.dataset.player);
  const left = leftNow(player);
  const text = clockText(left);
  if (clock.textContent !== text) clock.textContent = text;
  clock.classList.toggle("running", state.head.clocks.running === player);
  clock.classList.toggle("short", left < 30000);
  if (left <= 0 && !clock.classList.contains("fallen")) changed();
  clock.classList.toggle("fallen", left <= 0);
}

let ticking = false;
export function clockTick() {
  if (ticking) return;
  ticking = true;
  setInterval(() => {
    for (const clock of clocks) if (clock.isConnected) drawClock(clock); else clocks.delete(clock);
  }, 100);
}
