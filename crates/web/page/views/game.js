// The view of one game: puts the panels together and keeps them up to date.

import { flip, forgetAnalysis, newGame, send, step, takeSeat, viewChanged } from "../actions.js";
import * as api from "../api.js";
import { createBoard } from "../board/board.js";
import { boardScript, gameInfo, gameName, sideName } from "../catalogue.js";
import { announce, h, put } from "../dom.js";
import { t } from "../i18n.js";
import { onKey } from "../keys.js";
import { openFragment, playHere, refreshLine } from "../lines.js";
import { analysisPanel } from "../panels/analysis.js";
import { graphPanel } from "../panels/graph.js";
import { foldedPanel, latePanel } from "../panels/late.js";
import { lineBar } from "../panels/line.js";
import { movesPanel } from "../panels/moves.js";
import { playerStrip } from "../panels/players.js";
import { sharePanel } from "../panels/share.js";
import { shownLine, shownPosition } from "../preview.js";
import { moveSound } from "../sound.js";
import {
  chance,
  changed,
  head,
  live,
  mayMove,
  participates,
  playsHere,
  present,
  state,
  subscribe,
} from "../state.js";
import { status } from "../status.js";
import { connect } from "../stream.js";
import { showMissing } from "./missing.js";

/** @typedef {ReturnType<typeof createBoard>} GameBoard */

/** @param {HTMLElement} main @param {string} id */
export function openGame(main, id) {
  state.id = id;
  forgetAnalysis();
  main.className = "game";
  const [above, below] = [playerStrip(), playerStrip()];
  const bar = h("div", { class: "bar", role: "img" }, h("i"));
  const boardPlace = h("div", { class: "place" });
  const statusLine = h("p", { class: "status" });
  const trouble = h("p", { class: "trouble", hidden: true });
  const heading = h("h1", { class: "unseen" });
  const actions = actionButtons();
  const line = lineBar();
  const panels = [
    contestPanel(),
    analysisPanel(),
    movesPanel(),
    graphPanel(),
    explorerPanel(),
    sharePanel(),
    tracePanel(),
  ];
  put(
    main,
    heading,
    h(
      "section",
      { class: "stage", "aria-label": t("title") },
      above.element,
      h("div", { class: "field-and-bar" }, bar, boardPlace),
      below.element,
    ),
    h(
      "aside",
      { class: "side" },
      h("div", { class: "panel now" }, statusLine, trouble, actions.element, line.element),
      panels.map((panel) => panel.element),
    ),
  );

  /** @type {GameBoard|null} */
  let board = null;
  subscribe(() => {
    if (state.missing || state.head?.deleted) {
      showMissing(main, t("missing"));
      return;
    }
    if (!state.head || !state.geometry || state.plies.length === 0) return;
    const { name, contest } = state.head;
    if (!board) {
      board = openBoard(name, state.geometry);
      main.classList.add(`of-${state.geometry.kind}`);
      main.style.setProperty("--ratio", board.svg.style.getPropertyValue("--ratio"));
      put(boardPlace, board.svg);
    }
    document.title = `${gameName(name)} · ${status()}`;
    heading.textContent = gameName(name);
    main.classList.toggle("contesting", contest !== null);
    drawBoard(board);
    const hint = shownHint();
    statusLine.textContent =
      status() +
      (participates() ? "" : ` · ${t("watching")}`) +
      (hint ? ` · ${t("hint.is", { move: hint.best_name })}` : "");
    drawTrouble(trouble);
    line.render();
    actions.render();
    const lower = lowerPlayer();
    above.render(1 - lower);
    below.render(lower);
    drawBar(bar, lower);
    for (const panel of panels) panel.render();
  });
  document.onkeydown = onKey;
  connect(id, gameChanged, forgetAnalysis);
  takeSeat(id);
}

const contestPanel = () =>
  latePanel(
    () => head().contest !== null,
    async () => (await import("../panels/contest.js")).contestPanel(),
  );

const explorerPanel = () =>
  foldedPanel(
    "explorer",
    h("h2", {}, t("explorer")),
    () => true,
    async () => (await import("../panels/explorer.js")).explorerPanel(),
  );

const tracePanel = () =>
  foldedPanel(
    "trace",
    t("trace"),
    () => head().contest === null && (live() || !present()),
    async () => (await import("../panels/trace.js")).tracePanel(),
  );

/** @param {string} name of the game @param {Api.Geometry} geometry */
function openBoard(name, geometry) {
  return createBoard({
    geometry,
    script: boardScript(name),
    flip: gameInfo(name).flip,
    label: t("board.label", { game: gameName(name) }),
    onMove: playHere,
    onShapes: changed,
    ways: async (position) => (await api.position({ game: head().game, position })).trails,
  });
}

/** @param {GameBoard} board */
function drawBoard(board) {
  const ply = state.plies[state.view];
  const { scores, overlays, pending } = state;
  board.flip(state.flipped);
  board.shapes.drawing = state.drawing;
  board.svg.classList.toggle("drawing-shapes", state.drawing);
  board.svg.classList.toggle("threat", state.threat);
  const position = shownPosition();
  if (position) {
    const line = shownLine();
    board.show(position, [], line?.animate ?? false);
    if (line) line.animate = false;
    board.marks(null, { scores: false, overlays, ply: position });
    return;
  }
  board.show(ply, mayMove() && pending === null ? state.legal : [], state.animate);
  state.animate = false;
  state.shapes = board.shapes.shown.length > 0 ? () => board.shapes.clear() : null;
  const hint = shownHint();
  const shown = state.analysis?.ply === state.view && head().study.on && !state.intercept;
  const analysis = shown ? state.analysis : null;
  if (pending !== null) {
    const places = state.legal.find(([move]) => move === pending)?.[1] ?? [];
    const line = { places, visits: 1, score: null };
    board.marks([line], { scores: true, overlays, ply });
  } else if (analysis) {
    board.marks(analysis.lines, { scores: scores || hint !== null, overlays, ply });
  } else {
    board.marks(hint && hint.lines.slice(0, 1), { scores: true, overlays, ply });
  }
}

/** The hint for the position shown. */
function shownHint() {
  const { hint } = head();
  return hint?.ply === state.view && present() ? hint : null;
}

/** The player whose side of the board is below. */
function lowerPlayer() {
  const { first_on_top } = gameInfo(head().name);
  return first_on_top === state.flipped ? 0 : 1;
}

/** Turns the board so that the player who uses this page sits below. */
function orient() {
  const { contest, name, seats } = head();
  const second = contest ? contest.ours === 1 : seats[0] !== "human" && seats[1] === "human";
  state.flipped = gameInfo(name).first_on_top && !second;
}

/**
 * The server has sent a change of the game.
 * @param {Api.Head|null} before
 * @param {boolean} lines whether side lines or comments changed
 */
function gameChanged(before, lines) {
  const { name, outcome, played } = head();
  if (before === null) {
    openFragment();
    orient();
  } else if (state.follow || state.view >= state.plies.length) {
    state.view = played;
    state.follow = true;
  } else if (lines) refreshLine();
  state.animate = before !== null && played === before.played + 1 && present();
  if (state.animate) {
    const { name: move, by, view } = state.game[played];
    const { captured, spoken } = boardScript(name);
    moveSound(captured?.(view) ?? false);
    const text = spoken?.(move ?? "") ?? move;
    announce(t("say.move", { side: sideName(name, by ?? 0), move: text }));
  }
  if (outcome && before && !before.outcome) announce(status());
  viewChanged();
}

/** @param {HTMLElement} line */
function drawTrouble(line) {
  const { trouble, waiting } = head();
  line.hidden = state.connected && !trouble && !waiting;
  if (!state.connected) line.textContent = t("lost");
  else if (trouble) line.textContent = t("trouble", { text: trouble });
  else line.textContent = waiting ? t(`waiting.${waiting}`) : "";
}

/**
 * The bar beside the board: the chances of both players.
 * @param {HTMLElement} bar
 * @param {number} lower the player below
 */
function drawBar(bar, lower) {
  const { name } = head();
  const first = chance(state.view);
  bar.classList.toggle("unknown", first === null);
  const share = first === null ? 0.5 : lower === 0 ? first : 1 - first;
  const fill = /** @type {HTMLElement} */ (bar.firstElementChild);
  fill.style.setProperty("--share", `${(share * 100).toFixed(1)}%`);
  fill.className = `by-${lower + 1}`;
  bar.dataset.upper = String(2 - lower);
  const percent = Math.round((first ?? 0.5) * 100);
  const label = t("bar.label", {
    first: sideName(name, 0),
    second: sideName(name, 1),
    a: percent,
    b: 100 - percent,
  });
  bar.setAttribute("aria-label", label);
}

/** @returns {Dom.Panel} */
function actionButtons() {
  const element = h("div", { class: "actions" });
  /** @type {Map<string, HTMLElement>} */
  const buttons = new Map();
  return {
    element,
    render() {
      const { clocks, contest, paused, played, thinking } = head();
      const casual = contest === null && state.rights.owns;
      // A person who has no clock needs no pause.
      const pausable = casual && live() && (clocks !== null || ![0, 1].some(playsHere));
      const shown = {
        undo: casual && played > 0,
        redo: casual && played < state.game.length - 1,
        hint: contest === null && live() && mayMove() && present(),
        pause: pausable && !paused,
        resume: pausable && paused,
        flip: true,
        resign: live() && ownSide() !== null,
        again: contest === null && !live(),
        // It comes and goes with every move of an engine, so it is the last.
        hurry: thinking !== null && participates(),
      };
      // Buttons that stay are left alone: a click may have begun on one.
      let next = element.firstElementChild;
      for (const [name, on] of Object.entries(shown)) {
        const button =
          buttons.get(name) ?? actionButton(/** @type {keyof typeof ACTIONS} */ (name));
        buttons.set(name, button);
        if (button === next) next = next.nextElementSibling;
        if (on && !button.isConnected) element.insertBefore(button, next);
        else if (!on) button.remove();
      }
    },
  };
}

/** What the buttons under the status do. */
const ACTIONS = {
  undo: () => step("undo"),
  redo: () => step("redo"),
  hint: () => send({ do: "hint" }),
  hurry: () => send({ do: "hurry" }),
  pause: () => send({ do: "pause", on: true }),
  resume: () => send({ do: "pause", on: false }),
  flip,
  resign,
  again: playAgain,
};

/** @param {keyof typeof ACTIONS} name */
function actionButton(name) {
  return h(
    "button",
    {
      type: "button",
      "data-do": name,
      class: name === "again" && "primary",
      onclick: ACTIONS[name],
    },
    t(`do.${name}`),
  );
}

/**
 * The side that gives up when this page resigns: in a contest ours, whatever seat
 * moves are entered for; at a board for two the one to move.
 */
function ownSide() {
  const { contest, to_move } = head();
  if (contest) return state.rights.owns ? contest.ours : null;
  return [to_move, 1 - to_move].find(playsHere) ?? null;
}

function resign() {
  const { name } = head();
  const player = ownSide();
  if (player === null) return;
  if (confirm(t("resign.sure", { side: sideName(name, player) }))) send({ do: "resign", player });
}

function playAgain() {
  const { clocks, game, move_seconds, seats, start, study } = head();
  const { total, increment } = clocks ?? { total: null, increment: null };
  newGame({ game, position: start, seats, move_seconds, total, increment, study });
}
