// The view of one game: puts the panels together and keeps them up to date.

import * as api from "./api.js";
import { analysisPanel } from "./analysis.js";
import { Board } from "./board/board.js";
import { contestPanel, propose } from "./contest.js";
import { announce, h, put, toast } from "./dom.js";
import { connect, tab } from "./events.js";
import { graphPanel } from "./graph.js";
import { gameName, sideName, t } from "./i18n.js";
import { insidePanel } from "./inside.js";
import { movesPanel } from "./moves.js";
import { clockTick, strip } from "./players.js";
import { sharePanel } from "./share.js";
import { knock } from "./sound.js";
import { changed, chance, engines, listen, live, mayMove, present, state } from "./state.js";

/** @type {Board|null} */
let board = null;

/** Sends a command about this game. @param {any} command */
export async function send(command) {
  try {
    await api.command(/** @type {string} */ (state.id), command);
    return true;
  } catch (error) {
    toast(/** @type {Error} */ (error).message);
    return false;
  }
}

/** Plays a move at the ply looked at. @param {string} move */
function play(move) {
  if (state.head.contest && live()) return propose(move);
  state.follow = true;
  return send({ do: "play", ply: state.view, move });
}

/** Looks at another ply. @param {number} ply */
export function look(ply) {
  const next = Math.max(0, Math.min(state.plies.length - 1, ply));
  state.follow = next === state.head.played;
  state.view = next;
  arrived(false);
  changed();
}

/** The view is at another ply: legal moves and analysis follow. @param {boolean} animate */
function arrived(animate) {
  state.analysis = null;
  if (present() && state.correcting === null) state.legal = state.head.legal;
  else {
    state.legal = [];
    const ply = state.view;
    if (mayMove()) {
      api.legal(/** @type {string} */ (state.id), ply).then((legal) => {
        if (state.view === ply && mayMove()) { state.legal = legal; changed(); }
      }).catch(() => {});
    }
  }
  const fragment = present() ? "" : `#${state.view}`;
  if (location.hash !== fragment) history.replaceState(null, "", location.pathname + fragment);
  drawBoard(animate);
  wish();
}

/** What this tab wants analysed. */
let wished = "";
export function wish(force = false) {
  const { head } = state;
  if (!head || !state.connected) return;
  const want = { tab, on: head.study.on, engine: head.study.engine, ply: state.view };
  const key = JSON.stringify([want, state.plies[state.view]?.position]);
  if (key === wished && !force) return;
  wished = key;
  api.study(/** @type {string} */ (state.id), want).catch((error) => toast(error.message));
}

/** Switches the analysis. @param {boolean} on @param {string} engine */
export function setStudy(on, engine) {
  state.head.study = { on, engine };
  state.analysis = null;
  wish(true);
  changed();
}

/** @param {boolean} animate */
function drawBoard(animate) {
  const ply = state.plies[state.view];
  if (!board || !ply) return;
  board.flip(state.flipped);
  board.show(ply, mayMove() && state.pending === null ? state.legal : [], animate);
}

/** @param {any} before the head before the change */
function gameChanged(before) {
  const { head, plies } = state;
  const hash = Number(location.hash.slice(1));
  const forward = before !== null && head.played === before.played + 1;
  if (before === null) {
    state.view = location.hash && hash < plies.length ? hash : head.played;
    state.follow = state.view === head.played;
    const own = head.seats.indexOf("human");
    state.flipped = head.name === "surakarta" && !(own === 1 && head.seats[0] !== "human");
    if (head.contest && head.name === "surakarta") state.flipped = head.contest.ours === 0;
  } else if (state.follow || state.view >= plies.length) {
    state.view = head.played;
    state.follow = true;
  }
  const moved = forward && present();
  if (moved) {
    const { name, by, view } = plies[head.played];
    knock(Boolean(view.path?.length));
    announce(t("say.move", { side: sideName(head.name, by ?? 0), move: (name ?? "").replace("x", t("say.x")) }));
  }
  if (head.outcome && before && !before.outcome) announce(status());
  arrived(moved);
}

/** Whose turn it is, or how it ended. */
export function status() {
  const { head } = state;
  if (!head) return "";
  if (head.outcome) {
    const { winner, reason } = head.outcome;
    const result = winner === null ? t("turn.draw") : t("turn.wins", { side: sideName(head.name, winner) });
    return `${result} · ${t(`reason.${reason}`)}`;
  }
  const side = sideName(head.name, head.to_move);
  if (head.seats[head.to_move] !== "human") return t("turn.thinking", { side });
  return engines() && !head.contest ? t("turn.you") : t("turn", { side });
}

/** @param {HTMLElement} main @param {string} id */
export function openGame(main, id) {
  state.id = id;
  board = null;
  wished = "";
  main.className = "game";
  const parts = {
    above: strip(), below: strip(), status: h("p", { class: "status" }), bar: h("div", { class: "bar", role: "img" }, h("i", {})),
    place: h("div", { class: "place" }), tools: h("div", { class: "actions" }),
    contest: contestPanel(), moves: movesPanel(), analysis: analysisPanel(), graph: graphPanel(), share: sharePanel(), inside: insidePanel(),
  };
  const trouble = h("p", { class: "trouble", hidden: true });
  put(main,
    h("section", { class: "stage", "aria-label": t("title") }, parts.above.element, h("div", { class: "field-and-bar" }, parts.bar, parts.place), parts.below.element),
    h("aside", { class: "side" }, h("div", { class: "panel now" }, parts.status, trouble, parts.tools),
      parts.contest.element, parts.analysis.element, parts.moves.element, parts.graph.element, parts.share.element, parts.inside.element));

  listen(() => {
    const { head } = state;
    if (state.board && !board) {
      board = new Board(state.board, play);
      main.classList.add(`of-${state.board.kind}`);
      main.style.setProperty("--ratio", board.svg.style.getPropertyValue("--ratio"));
      put(parts.place, board.svg);
      if (state.plies.length) drawBoard(false);
    }
    if (!head || state.plies.length === 0) return;
    document.title = `${gameName(head.name)} · ${status()}`;
    main.classList.toggle("contesting", Boolean(head.contest));
    drawBoard(false);
    const report = state.analysis?.ply === state.view && head.study.on ? state.analysis : null;
    const hint = head.hint && head.hint.ply === state.view && present() ? { ...head.hint, lines: head.hint.lines.slice(0, 1) } : null;
    const asked = state.pending === null ? null : { lines: [{ visits: 1, places: state.legal.find(([move]) => move === state.pending)?.[1] ?? [] }] };
    board?.marks(asked ?? report ?? hint, { scores: asked !== null || hint !== null || state.scores, chains: state.chains, ply: state.plies[state.view] });
    parts.status.textContent = status() + (hint ? ` · ${t("hint.is", { move: hint.best_name })}` : "");
    trouble.hidden = state.connected && !head.trouble;
    trouble.textContent = state.connected ? t("trouble", { text: head.trouble ?? "" }) : t("lost");
    drawActions(parts.tools);
    const top = state.flipped ? 0 : 1;
    // On a Surakarta board First stands on top unless turned.
    const upper = head.name === "surakarta" ? 1 - top : top;
    parts.above.render(upper);
    parts.below.render(1 - upper);
    drawBar(parts.bar, 1 - upper);
    for (const part of [parts.contest, parts.moves, parts.analysis, parts.graph, parts.share, parts.inside]) part.render();
  });
  document.onkeydown = keys;
  connect(id, gameChanged, () => { wished = ""; });
  clockTick();
}

/** @param {HTMLElement} bar @param {number} lower the player at the bottom */
function drawBar(bar, lower) {
  const first = chance(state.view);
  bar.classList.toggle("unknown", first === null);
  const share = first === null ? 0.5 : lower === 0 ? first : 1 - first;
  const fill = /** @type {HTMLElement} */ (bar.firstElementChild);
  fill.style.setProperty("--share", `${(share * 100).toFixed(1)}%`);
  fill.className = `by-${lower + 1}`;
  bar.dataset.upper = String(2 - lower);
  const a = Math.round((first ?? 0.5) * 100);
  bar.setAttribute("aria-label", t("bar.label", { first: sideName(state.head.name, 0), second: sideName(state.head.name, 1), a, b: 100 - a }));
}

let actionsKey = "";
/** @param {HTMLElement} place */
function drawActions(place) {
  const { head } = state;
  const contest = Boolean(head.contest);
  const own = head.seats[head.to_move] === "human" ? head.to_move : 1 - head.to_move;
  const shown = {
    undo: !contest && head.played > 0, redo: !contest && head.played < state.plies.length - 1,
    hint: live() && mayMove() && present() && !contest, flip: true, hurry: head.thinking !== null,
    pause: head.clocks && live() && !contest, resign: live() && head.seats.includes("human"), again: !live() && !contest,
  };
  const key = JSON.stringify([shown, head.clocks?.paused, document.documentElement.lang, state.id]);
  if (key === actionsKey && place.children.length) return;
  actionsKey = key;
  const button = (/** @type {string} */ name, /** @type {() => void} */ act, /** @type {string} */ words = t(`do.${name}`), plain = false) => h("button", { type: "button", "data-do": name, class: plain ? "primary" : null, onclick: act }, words);
  put(place,
    shown.undo && button("undo", () => { state.follow = true; send({ do: "undo" }); }),
    shown.redo && button("redo", () => { state.follow = true; send({ do: "redo" }); }),
    shown.hint && button("hint", () => send({ do: "hint" })),
    shown.hurry && button("hurry", () => send({ do: "hurry" })),
    shown.pause && button("pause", () => send({ do: "pause", on: !state.head.clocks.paused }), t(head.clocks.paused ? "do.resume" : "do.pause")),
    button("flip", () => { state.flipped = !state.flipped; changed(); }),
    shown.resign && button("resign", () => {
      if (confirm(t("resign.sure", { side: sideName(head.name, own) }))) send({ do: "resign", player: own });
    }),
    shown.again && button("again", async () => {
      const { id } = await api.create({ game: head.game, position: head.start, seats: head.seats, move_seconds: head.move_seconds, study: head.study });
      const { go } = await import("./main.js");
      go(`/g/${id}`);
    }, undefined, true));
}

/** @param {KeyboardEvent} event */
function keys(event) {
  if (!state.head || /** @type {Element} */ (event.target).closest?.("input, textarea, select, [contenteditable]")) return;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const to = { ArrowLeft: state.view - 1, ArrowRight: state.view + 1, Home: 0, End: state.plies.length - 1 }[event.key];
  if (to === undefined) {
    if (event.key === "f") { state.flipped = !state.flipped; changed(); }
    return;
  }
  event.preventDefault();
  look(to);
}
