// Contest mode: our engine plays against another program on another machine, and
// people pass the moves. What is entered is confirmed before it counts, and can
// be corrected afterwards; no clock is turned back by that.

import { confirmMove, correct, propose, send } from "../actions.js";
import * as api from "../api.js";
import { boardScript } from "../catalogue.js";
import { h, put, toast, toastError } from "../dom.js";
import { t } from "../i18n.js";
import { speak } from "../sound.js";
import { gameId, head, live, state } from "../state.js";
import { playerName, timeLeft } from "../status.js";
import { openClocksDialog } from "./clocks.js";
import { openResultDialog } from "./result.js";
import { recordAddress } from "./share.js";

/** The ply before the opponent's last move. */
function beforeTheirLast() {
  const { contest, played } = head();
  for (let ply = played; ply > 0; ply -= 1) {
    if (state.game[ply].by !== contest?.ours) return ply - 1;
  }
  return null;
}

/** Our engine's last moves, if the opponent has not answered yet. */
function ourMoves() {
  const { contest, played } = head();
  const names = [];
  for (let ply = played; ply > 0 && state.game[ply].by === contest?.ours; ply -= 1) {
    names.unshift(state.game[ply].name ?? "");
  }
  return names;
}

/** A move's name in large print. @param {string} name */
const large = (name) => boardScript(head().name).spaced?.(name) ?? name;

/** A move as people write it. @param {string} move */
const nameOf = (move) => state.geometry?.places.find((place) => place.id === move)?.name ?? move;

/** What is odd about the move that was typed last. */
let warning = "";

/** What was spoken last, so that nothing is said twice. */
let spoken = "";

/** @param {string[]} moves */
function speakMoves(moves) {
  const key = `${state.id} ${head().played} ${moves.join(" ")}`;
  if (key === spoken) return;
  spoken = key;
  // Letter by letter, or a voice makes words of them.
  if (moves.length > 0 && localStorage.speak === "on") speak([...moves.join(", ")].join(" "));
}

/** @returns {Dom.Panel} */
export function contestPanel() {
  const big = h("p", { class: "our-move", "aria-live": "assertive" });
  const text = h("p", { class: "contest-status" });
  const input = h("input", {
    name: "move",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    maxlength: 12,
    "aria-label": t("contest.type"),
    placeholder: t("contest.type"),
  });
  const entry = h("form", { class: "entry" }, input, h("button", { type: "submit" }, "↵"));
  const dialog = h("div", {
    class: "ask",
    role: "alertdialog",
    "aria-label": t("contest.type"),
    hidden: true,
  });
  const tools = h("div", { class: "actions" });
  const element = h(
    "section",
    { class: "panel contest", "aria-label": t("contest"), hidden: true },
    text,
    big,
    entry,
    dialog,
    tools,
  );
  entry.addEventListener("submit", async (event) => {
    event.preventDefault();
    const typed = input.value;
    input.value = "";
    const known = await enterMove(typed).catch(toastError);
    // What can't be played stays there to be corrected.
    if (known === false && input.value === "") {
      input.value = typed;
      input.select();
    }
  });
  let drawn = "";
  return {
    element,
    render() {
      const { clocks, contest, played, to_move } = head();
      const { correcting, pending } = state;
      if (pending === null) warning = "";
      element.hidden = !contest;
      if (!contest) return;
      const moves = ourMoves();
      big.textContent = moves.map(large).join("  ");
      // What stands there must be what to play now, never an answer to a wrong move.
      big.hidden = moves.length === 0 || correcting !== null;
      text.textContent = contestStatus();
      const ours = to_move === contest.ours && correcting === null;
      entry.hidden = !live() || Boolean(clocks?.paused) || pending !== null || ours;
      speakMoves(moves);
      const { outcome } = head();
      const key = JSON.stringify([pending, outcome, clocks?.paused, played, correcting]);
      if (key === drawn) return;
      drawn = key;
      dialog.hidden = pending === null;
      put(dialog, pending !== null && confirmation(pending));
      /** @type {HTMLElement|null} */ (dialog.querySelector("[data-do=confirm]"))?.focus();
      put(tools, contestTools(input));
    },
  };
}

/** What is to be done now. */
function contestStatus() {
  const { clocks, contest, played, pondering, to_move } = head();
  const { correcting, plies } = state;
  if (correcting !== null) return t("contest.correcting", { move: plies[correcting + 1]?.name });
  const fallen = live() ? [0, 1].find((player) => timeLeft(player) <= 0) : undefined;
  const flag = fallen === undefined ? "" : `${playerName(fallen)}: ${t("contest.flag")} · `;
  const ponder = pondering ? ` · ${t("contest.pondering")}` : "";
  let key = to_move === contest?.ours ? "contest.thinking" : "contest.waiting";
  if (clocks?.paused) key = played === 0 ? "contest.ready" : "contest.paused";
  if (!live()) key = "contest.over";
  return flag + t(key) + ponder;
}

/** @param {string} move */
function confirmation(move) {
  const text = t("contest.confirm", { move: large(nameOf(move)) });
  return [
    warning && h("p", { class: "warning", role: "alert" }, warning),
    h(
      "button",
      { type: "button", class: "primary", "data-do": "confirm", onclick: confirmMove },
      text,
    ),
    h(
      "button",
      { type: "button", "data-do": "cancel", onclick: () => correct(null) },
      t("contest.cancel"),
    ),
  ];
}

/** @param {HTMLInputElement} input where a move is typed */
function contestTools(input) {
  const { clocks, played } = head();
  const theirs = beforeTheirLast();
  const resume = played === 0 ? "do.start" : "do.resume";
  const toggleClocks = () => send({ do: "pause", on: !head().clocks?.paused });
  const toggleCorrection = () => {
    correct(state.correcting === null ? theirs : null);
    input.focus();
  };
  return [
    live() &&
      clocks &&
      h(
        "button",
        {
          type: "button",
          "data-do": "clock",
          class: clocks.paused && "primary",
          onclick: toggleClocks,
        },
        t(clocks.paused ? resume : "do.pause"),
      ),
    theirs !== null &&
      !clocks?.paused &&
      h(
        "button",
        {
          type: "button",
          "data-do": "correct",
          "aria-pressed": String(state.correcting !== null),
          onclick: toggleCorrection,
        },
        t("contest.wrong"),
      ),
    clocks &&
      h(
        "button",
        { type: "button", "data-do": "set-clocks", onclick: openClocksDialog },
        t("contest.setClocks"),
      ),
    h("button", { type: "button", "data-do": "result", onclick: openResultDialog }, t("do.result")),
    saveLink(),
    speakBox(),
  ];
}

function saveLink() {
  const save = h("a", { class: "button", download: "", "data-do": "save-record" }, t("do.save"));
  // The record names the time at which it was saved.
  save.addEventListener("click", () => save.setAttribute("href", recordAddress()));
  save.setAttribute("href", recordAddress());
  return save;
}

function speakBox() {
  const box = h("input", {
    type: "checkbox",
    name: "speak",
    checked: localStorage.speak === "on",
    onchange: () => {
      localStorage.speak = box.checked ? "on" : "off";
    },
  });
  return h("label", {}, box, t("contest.speak"));
}

/**
 * A move that was typed, in any case and with or without its sign: b5-c4, b5xc4,
 * b5c4, a1h, 4. Gives false if it can't be played.
 * @param {string} text
 */
async function enterMove(text) {
  const word = text.trim().toLowerCase();
  if (!word) return true;
  const plain = word.replace(/[^a-z0-9]/g, "");
  const bare = (/** @type {string} */ move) => move.replace(/[^a-z0-9]/g, "").replace("x", "");
  const place = state.geometry?.places.find(({ id, name }) => name === plain || id === plain);
  const ply = state.correcting;
  // A fast typist is here before the legal moves of that position have come.
  const legal = ply === null ? head().legal : await api.legal(gameId(), { ply, node: null });
  if (state.correcting !== ply) return true;
  const found = legal.find(
    ([move]) => move === (place?.id ?? word) || bare(move) === plain.replace("x", ""),
  );
  if (!found) {
    toast(t("contest.legal", { move: word }));
    return false;
  }
  warning = warningOf(word, found[0]);
  propose(found[0]);
  return true;
}

/** The sign in a move's text: a capture's, a quiet move's, or none. @param {string} text */
function signOf(text) {
  if (/[x×]/.test(text)) return "x";
  return text.includes("-") ? "-" : "";
}

/**
 * What to say of a move that was typed with another sign than it has.
 * @param {string} word
 * @param {string} move
 */
function warningOf(word, move) {
  const [typed, has] = [signOf(word), signOf(move)];
  if (!typed || !has || typed === has) return "";
  return t(typed === "x" ? "entry.noCapture" : "entry.capture", { move: nameOf(move) });
}
