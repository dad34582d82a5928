// The view of one game: puts the panels together and keeps them up to date.

import {
  flip,
  forgetAnalysis,
  look,
  newGame,
  play,
  send,
  step,
  takeSeat,
  viewChanged,
} from "../actions.js";
import { createBoard } from "../board/board.js";
import { boardScript, gameInfo, gameName, sideName } from "../catalogue.js";
import { announce, h, put } from "../dom.js";
import { t } from "../i18n.js";
import { analysisPanel } from "../panels/analysis.js";
import { contestPanel } from "../panels/contest.js";
import { graphPanel } from "../panels/graph.js";
import { movesPanel } from "../panels/moves.js";
import { playerStrip } from "../panels/players.js";
import { sharePanel } from "../panels/share.js";
import { tracePanel } from "../panels/trace.js";
import { moveSound } from "../sound.js";
import {
  chance,
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
  const panels = [
    contestPanel(),
    analysisPanel(),
    movesPanel(),
    graphPanel(),
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
      h("div", { class: "panel now" }, statusLine, trouble, actions.element),
      panels.map((panel) => panel.element),
    ),
  );

  /** @type {GameBoard|null} */
  let board = null;
  subscribe(() => {
    if (state.missing) showMissing(main);
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

/** @param {HTMLElement} main */
function showMissing(main) {
  main.className = "home";
  put(
    main,
    h(
      "div",
      { class: "intro" },
      h("h1", {}, t("missing")),
      h("p", {}, t("missing.lead")),
      h("p", {}, h("a", { href: "/" }, t("missing.home"))),
    ),
  );
}

/** @param {string} name of the game @param {Api.Geometry} geometry */
function openBoard(name, geometry) {
  return createBoard({
    geometry,
    script: boardScript(name),
    flip: gameInfo(name).flip,
    label: t("board.label", { game: gameName(name) }),
    onMove: play,
  });
}

/** @param {GameBoard} board */
function drawBoard(board) {
  const ply = state.plies[state.view];
  const { scores, overlays, pending } = state;
  board.flip(state.flipped);
  board.show(ply, mayMove() && pending === null ? state.legal : [], state.animate);
  state.animate = false;
  const hint = shownHint();
  const analysis = state.analysis?.ply === state.view && head().study.on ? state.analysis : null;
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
 */
function gameChanged(before) {
  const { name, outcome, played } = head();
  const { plies } = state;
  if (before === null) {
    const asked = location.hash ? Number(location.hash.slice(1)) : played;
    state.view = asked >= 0 && asked < plies.length ? asked : played;
    state.follow = present();
    orient();
  } else if (state.follow || state.view >= plies.length) {
    state.view = played;
    state.follow = true;
  }
  state.animate = before !== null && played === before.played + 1 && present();
  if (state.animate) {
    const { name: move, by, view } = plies[played];
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
  let drawn = "";
  return {
    element,
    render() {
      const { clocks, contest, played, thinking } = head();
      const casual = contest === null && state.rights.owns;
      const shown = {
        undo: casual && played > 0,
        redo: casual && played < state.plies.length - 1,
        hint: contest === null && live() && mayMove() && present(),
        hurry: thinking !== null && participates(),
        pause: casual && clocks !== null && live() && !clocks.paused,
        resume: casual && clocks !== null && live() && clocks.paused,
        flip: true,
        resign: live() && [0, 1].some(playsHere),
        again: contest === null && !live(),
      };
      const key = JSON.stringify(shown);
      if (key === drawn) return;
      drawn = key;
      const names = Object.entries(shown).filter(([, on]) => on);
      put(
        element,
        names.map(([name]) => actionButton(/** @type {keyof typeof ACTIONS} */ (name))),
      );
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

function resign() {
  const { name, to_move } = head();
  const player = playsHere(to_move) ? to_move : 1 - to_move;
  if (confirm(t("resign.sure", { side: sideName(name, player) }))) send({ do: "resign", player });
}

function playAgain() {
  const { clocks, game, move_seconds, seats, start, study } = head();
  const { total, increment } = clocks ?? { total: null, increment: null };
  newGame({ game, position: start, seats, move_seconds, total, increment, study });
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const target = /** @type {Element} */ (event.target);
  if (!state.head || target.closest?.("input, textarea, select, [contenteditable]")) return;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  /** @type {Record<string, number>} */
  const plies = {
    ArrowLeft: state.view - 1,
    ArrowRight: state.view + 1,
    Home: 0,
    End: state.plies.length - 1,
  };
  if (event.key in plies) {
    event.preventDefault();
    look(plies[event.key]);
  } else if (event.key === "f") flip();
}
