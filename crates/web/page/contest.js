// Contest mode: our engine plays against somebody else's on another machine, and
// people carry the moves. What is put in is confirmed before it counts, and can
// be corrected afterwards; no clock is turned back by that.

import * as api from "./api.js";
import { h, put, toast } from "./dom.js";
import { choice, field, pick } from "./form.js";
import { look, send } from "./game.js";
import { begin, engineOf, SETUPS } from "./home.js";
import { gameName, sideName, t } from "./i18n.js";
import { clockText, leftNow, playerName } from "./players.js";
import { speak } from "./sound.js";
import { changed, live, state } from "./state.js";

/** A move waits to be confirmed. @param {string|null} move */
export function propose(move) {
  state.pending = move;
  changed();
  if (move !== null) setTimeout(() => /** @type {HTMLElement|null} */ (document.querySelector("[data-do=confirm]"))?.focus(), 50);
}

async function confirmMove() {
  const move = state.pending;
  const ply = state.correcting;
  correct(null);
  if (move === null) return;
  await send(ply === null ? { do: "play", ply: state.head.played, move } : { do: "correct", ply, move });
}

/** Begins or ends the correction of the move at a ply. @param {number|null} ply */
function correct(ply) {
  state.pending = null;
  state.correcting = ply;
  look(ply ?? state.head.played);
}

/** The ply before the opponent's last move. */
function lastTheirs() {
  const { head, plies } = state;
  for (let ply = head.played; ply > 0; ply -= 1) if (plies[ply].by !== head.contest.ours) return ply - 1;
  return null;
}

/** The last move of our engine, if nothing came after it but more of ours. */
function ourMoves() {
  const { head, plies } = state;
  const names = [];
  for (let ply = head.played; ply > 0 && plies[ply].by === head.contest.ours; ply -= 1) names.unshift(plies[ply].name ?? "");
  return names;
}

/** @param {string} name */
const loud = (name) => name.replace("-", " – ").replace("x", " × ");

let spoken = "";

export function contestPanel() {
  const element = h("section", { class: "panel contest", "aria-label": t("contest"), hidden: true });
  const big = h("p", { class: "our-move", "aria-live": "assertive" });
  const says = h("p", { class: "contest-status" });
  const input = /** @type {HTMLInputElement} */ (h("input", { name: "move", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: 12, "aria-label": t("contest.type"), placeholder: t("contest.type") }));
  const entry = h("form", { class: "entry" }, input, h("button", { type: "submit" }, "↵"));
  const ask = h("div", { class: "ask", role: "alertdialog", "aria-label": t("contest.type"), hidden: true });
  const tools = h("div", { class: "actions" });
  put(element, says, big, entry, ask, tools);
  entry.addEventListener("submit", (event) => {
    event.preventDefault();
    typed(input.value).catch((error) => toast(error.message));
    input.value = "";
  });
  let key = "";
  return {
    element,
    render() {
      const { head } = state;
      element.hidden = !head.contest;
      if (!head.contest) return;
      const ours = head.to_move === head.contest.ours;
      const paused = head.clocks?.paused;
      const moves = ourMoves();
      big.textContent = moves.map(loud).join("  ");
      big.hidden = moves.length === 0;
      const word = !live() ? t("contest.over") : paused ? t(head.played === 0 ? "contest.ready" : "contest.paused")
        : ours ? t("contest.thinking") : t("contest.waiting");
      const fallen = head.clocks && live() && [0, 1].find((player) => leftNow(player) <= 0);
      says.textContent = (typeof fallen === "number" ? `${playerName(fallen)}: ${t("contest.flag")} · ` : "") + word + (head.pondering ? ` · ${t("contest.pondering")}` : "");
      const { correcting } = state;
      if (correcting !== null) says.textContent = t("contest.correcting", { move: state.plies[correcting + 1]?.name });
      entry.hidden = !live() || paused || state.pending !== null || (ours && correcting === null);
      const said = `${state.id} ${head.played} ${moves.join(" ")}`;
      if (said !== spoken) {
        spoken = said;
        if (moves.length && localStorage.speak === "on") speak(moves.join(", ").split("").join(" "));
      }
      const next = JSON.stringify([state.pending, live(), paused, head.played, correcting, lastTheirs(), document.documentElement.lang]);
      if (next === key) return;
      key = next;
      const name = nameOf(state.pending);
      ask.hidden = state.pending === null;
      put(ask, state.pending !== null && [
        h("button", { type: "button", class: "primary", "data-do": "confirm", onclick: confirmMove }, t("contest.confirm", { move: loud(name) })),
        h("button", { type: "button", "data-do": "cancel", onclick: () => correct(null) }, t("contest.cancel"))]);
      const theirs = lastTheirs();
      put(tools,
        live() && head.clocks && h("button", { type: "button", "data-do": "clock", class: paused ? "primary" : null, onclick: () => send({ do: "pause", on: !state.head.clocks.paused }) },
          t(paused ? (head.played === 0 ? "do.start" : "do.resume") : "do.pause")),
        theirs !== null && !paused && h("button", { type: "button", "data-do": "correct", "aria-pressed": String(correcting !== null), onclick: () => { correct(state.correcting === null ? theirs : null); input.focus(); } }, t("contest.wrong")),
        head.clocks && h("button", { type: "button", "data-do": "set-clocks", onclick: setClocks }, t("contest.setClocks")),
        h("label", {}, h("input", { type: "checkbox", name: "speak", checked: localStorage.speak === "on", onchange: (/** @type {Event} */ event) => { localStorage.speak = /** @type {HTMLInputElement} */ (event.target).checked ? "on" : "off"; } }), t("contest.speak")));
    },
  };
}

/** @param {string|null} move */
function nameOf(move) {
  if (move === null) return "";
  return state.board.places.find((/** @type {any} */ place) => place.id === move)?.name ?? move;
}

/** A move that was typed, in any case and with or without its sign: b5-c4, b5xc4, b5c4, a1h, 4. @param {string} text */
async function typed(text) {
  const word = text.trim().toLowerCase();
  if (!word) return;
  const plain = word.replace(/[^a-z0-9]/g, "");
  const place = state.board.places.find((/** @type {any} */ one) => one.name === plain || one.id === plain);
  const ply = state.correcting;
  // Who types fast is here before the board has heard what could be played there.
  const legal = ply === null ? state.head.legal : await api.legal(/** @type {string} */ (state.id), ply);
  if (state.correcting !== ply) return;
  const found = legal.find((/** @type {any} */ [move]) => move === (place?.id ?? word) || move.replace(/[^a-z0-9]/g, "").replace("x", "") === plain.replace("x", ""));
  if (found) propose(found[0]);
  else toast(t("contest.legal", { move: word }));
}

function setClocks() {
  const left = [0, 1].map((player) => {
    const text = prompt(t("clock.of", { side: playerName(player) }), clockText(leftNow(player)));
    if (text === null) return null;
    const parts = text.split(":").map(Number);
    return parts.some(Number.isNaN) ? null : Math.round(parts.reduce((sum, part) => sum * 60 + part, 0) * 1000);
  });
  if (!left.includes(null)) send({ do: "clocks", left });
}

/** @param {HTMLElement} main */
export async function contestForm(main) {
  const chosen = { game: "surakarta", ours: "0", engine: "best", total: "15", first: "", second: "", event: "", place: "", ponder: true, setup: "" };
  const form = h("form", { class: "panel setup" });
  main.className = "home";
  put(main, h("div", { class: "intro" }, h("h1", {}, t("contest")), h("p", {}, t("contest.lead"))), form);
  const text = (/** @type {"first"|"second"|"event"|"place"} */ name) => h("input", { name, value: chosen[name], maxlength: 60, oninput: (/** @type {Event} */ event) => { chosen[name] = /** @type {HTMLInputElement} */ (event.target).value; } });
  function draw() {
    const set = (/** @type {"game"|"ours"|"engine"|"total"|"setup"} */ key) => (/** @type {string} */ value) => { chosen[key] = value; if (key === "game") { chosen.setup = SETUPS[value][0]; draw(); } };
    put(form,
      field(t("home.title"), choice("game", ["surakarta", "dots-and-boxes", "connect-four"].map((game) => [game, gameName(game)]), chosen.game, set("game"))),
      field(t("contest.ours"), choice("ours", [0, 1].map((n) => [String(n), sideName(chosen.game, n) + (chosen.game === "surakarta" ? ` (${t(n ? "home.second" : "home.first")})` : "")]), chosen.ours, set("ours"))),
      field(t(chosen.game === "surakarta" ? "home.rules" : "home.setup"), pick("setup", SETUPS[chosen.game].map((one) => [one, one || t("home.standard")]), chosen.setup, set("setup"), true)),
      field(t("home.engine"), pick("engine", [["best", t("home.best")], ["uct", "uct"], ["alpha-beta", "alpha-beta"]], chosen.engine, set("engine"), true)),
      field(t("contest.total"), pick("total", ["5", "10", "15", "20", "30", "45", "60"].map((n) => [n, `${n} ${t("minutes")}`]), chosen.total, set("total"))),
      field(t("contest.firstName"), text("first")), field(t("contest.secondName"), text("second")), field(t("contest.event"), text("event")), field(t("contest.place"), text("place")),
      h("div", { class: "field" }, h("label", { class: "tick" }, h("input", { type: "checkbox", name: "ponder", checked: chosen.ponder, onchange: () => { chosen.ponder = !chosen.ponder; } }), t("contest.ponder"))),
      h("button", { class: "primary", type: "submit" }, t("contest.begin")));
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const ours = Number(chosen.ours);
    const seats = /** @type {any[]} */ (["human", "human"]);
    seats[ours] = engineOf(chosen.engine);
    begin({
      game: `${chosen.game} ${chosen.setup}`.trim(), seats, total: Number(chosen.total) * 60000,
      contest: { ours, names: [chosen.first, chosen.second], event: chosen.event, place: chosen.place, ponder: chosen.ponder },
    });
  });
  draw();
}
