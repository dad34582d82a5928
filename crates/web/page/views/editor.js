// The position editor: a board is put together by clicks, and the server says at
// once whether the rules know such a position.

import { newGame } from "../actions.js";
import * as api from "../api.js";
import { createBoard } from "../board/board.js";
import { boardScript, gameInfo, gameName, games, sideName } from "../catalogue.js";
import { h, put, toastError } from "../dom.js";
import { choice, field, pick } from "../form.js";
import { t } from "../i18n.js";
import { engineOf, gameSpec, setupField } from "./setup.js";

/**
 * What is being edited.
 * @typedef {object} Draft
 * @property {string} name of the game
 * @property {string} setup
 * @property {Board.Edited} board
 * @property {number} mover
 * @property {string} brush `1`, `2` or `.`
 */

/** @param {HTMLElement} main @param {URLSearchParams} query */
export async function openEditor(main, query) {
  const [asked, ...setup] = (query.get("game") ?? localStorage.game ?? "").split(" ");
  const known = games().find(({ name }) => name === asked) ?? games()[0];
  /** @type {Draft} */
  const draft = {
    name: known.name,
    setup: setup.join(" ") || known.choices[0],
    board: { cells: "", edges: "" },
    mover: 0,
    brush: "1",
  };
  const place = h("div", { class: "place" });
  const form = h("form", {
    class: "panel editor-form",
    onsubmit: (/** @type {Event} */ event) => event.preventDefault(),
  });
  const verdict = h("p", { class: "editor-verdict", role: "status" });
  const text = h("code", { class: "position-text" });
  const buttons = h("div", { class: "actions" });
  main.className = "editor";
  put(
    main,
    h("h1", {}, t("edit.title")),
    h(
      "section",
      { class: "stage", "aria-label": t("edit.board") },
      h("div", { class: "field-and-bar" }, place),
    ),
    h("aside", { class: "side" }, form, h("section", { class: "panel" }, verdict, text, buttons)),
  );
  document.title = `${t("edit.title")} · ${t("title")}`;
  /** @type {ReturnType<typeof createBoard>|null} */
  let board = null;
  /** @type {Api.Geometry|null} */
  let geometry = null;
  /** The position, if it can be. @type {Api.Position|null} */
  let position = null;
  /** Counts questions, so that a late answer to an earlier one is left out. */
  let questions = 0;

  const spec = () => gameSpec(draft.name, draft.setup);

  /** Draws what is on the board, possible or not. */
  function show() {
    if (!board || !geometry) return;
    /** @type {Api.Ply} */
    const ply = {
      move: null,
      name: null,
      by: null,
      to_move: draft.mover,
      eval: null,
      left: null,
      position: "",
      view: /** @type {Api.View} */ ({ ...draft.board }),
    };
    const every = geometry.places.map(({ id }) => /** @type {Api.Legal} */ ([id, [id], null]));
    board.show(ply, every, false);
  }

  /** Asks the server whether the position can be. */
  async function check() {
    questions += 1;
    const mine = questions;
    const request = { game: spec(), board: { ...draft.board, to_move: draft.mover } };
    const answer = await api
      .edited(request)
      .catch((error) => ({ wrong: /** @type {Error} */ (error).message }));
    if (mine !== questions) return;
    const { wrong } = answer;
    position = wrong === undefined ? /** @type {Api.Position} */ (answer) : null;
    verdict.classList.toggle("wrong", position === null);
    if (position === null) verdict.textContent = t("edit.wrong", { why: refusal(wrong ?? "") });
    else if (position.outcome) verdict.textContent = t("edit.over");
    else verdict.textContent = t("edit.right", { side: sideName(draft.name, draft.mover) });
    text.textContent = position?.start ?? "";
    drawButtons();
  }

  /** Why a board can't be, in the page's words where it has them. @param {string} sentence */
  function refusal(sentence) {
    for (const [pattern, key] of boardScript(draft.name).refusals ?? []) {
      const found = sentence.match(pattern);
      if (found) {
        const [first, second] = [0, 1].map((player) => sideName(draft.name, player));
        const side = found.groups?.one ? first : second;
        return t(key, { ...found.groups, first, second, side });
      }
    }
    return sentence;
  }

  /** @param {string} id of the place that was clicked */
  function click(id) {
    if (!geometry) return;
    draft.board = boardScript(draft.name).edit(draft.board, id, draft.brush, geometry);
    show();
    check();
  }

  /**
   * Begins with a position of the game that is chosen.
   * @param {string|null} from the start if null
   * @param {boolean} [cleared] whether its pieces are taken off
   */
  async function begin(from, cleared = false) {
    try {
      const found = await api.position({ game: spec(), position: from });
      const script = boardScript(draft.name);
      const { cells, edges = "" } = /** @type {Api.View & {edges?: string}} */ (found.ply.view);
      draft.board = { cells: cleared ? cells.replace(/[12]/g, ".") : cells, edges };
      draft.mover = found.ply.to_move;
      geometry = {
        ...found.geometry,
        places: [...found.geometry.places, ...(script.editPlaces?.(found.geometry) ?? [])],
      };
      board = createBoard({
        geometry,
        script,
        flip: gameInfo(draft.name).flip,
        label: t("board.label", { game: gameName(draft.name) }),
        onMove: click,
      });
      main.style.setProperty("--ratio", board.svg.style.getPropertyValue("--ratio"));
      main.className = `editor of-${geometry.kind}`;
      put(place, board.svg);
    } catch (error) {
      toastError(error);
      return;
    }
    drawForm();
    show();
    check();
  }

  function drawForm() {
    const info = gameInfo(draft.name);
    const names = games().map(({ name }) => [name, gameName(name)]);
    const sides = [0, 1].map((player) => sideName(draft.name, player));
    const brushes = [
      ["1", sides[0]],
      ["2", sides[1]],
      [".", t("edit.nothing")],
    ];
    const chooseGame = (/** @type {string} */ name) => {
      draft.name = name;
      [draft.setup] = gameInfo(name).choices;
      begin(null);
    };
    const chooseSetup = (/** @type {string} */ setup) => {
      draft.setup = setup;
      begin(null);
    };
    const movers = sides.map((side, player) => [String(player), side]);
    put(
      form,
      field(t("home.game"), pick("game", names, draft.name, chooseGame)),
      setupField(info, draft.setup, chooseSetup),
      field(
        t("edit.brush"),
        choice("brush", brushes, draft.brush, (brush) => {
          draft.brush = brush;
        }),
      ),
      field(
        t("edit.mover"),
        choice("mover", movers, String(draft.mover), (mover) => {
          draft.mover = Number(mover);
          show();
          check();
        }),
      ),
      h(
        "div",
        { class: "actions" },
        h(
          "button",
          { type: "button", "data-do": "start", onclick: () => begin(null) },
          t("edit.start"),
        ),
        h(
          "button",
          { type: "button", "data-do": "clear", onclick: () => begin(null, true) },
          t("edit.clear"),
        ),
      ),
    );
  }

  function drawButtons() {
    const open = position !== null && position.outcome === null;
    /** @param {Partial<Api.NewGame>} more */
    const play = (more) =>
      position && newGame({ game: position.game, position: position.start, ...more });
    const opponent = () => {
      /** @type {Api.Seat[]} */
      const seats = ["human", "human"];
      seats[1 - draft.mover] = engineOf(localStorage.level ?? "4");
      play({ seats });
    };
    const button = (
      /** @type {string} */ name,
      /** @type {boolean} */ on,
      /** @type {() => unknown} */ onclick,
    ) =>
      h("button", { type: "button", "data-do": name, disabled: !on, onclick }, t(`edit.${name}`));
    put(
      buttons,
      button("analyse", position !== null, () => play({ study: { on: true, engine: "best" } })),
      button("play", open, opponent),
      button("people", open, () => play({})),
    );
  }

  await begin(query.get("position"));
  if (!board) {
    // The address has no position that can be: there is the start to edit.
    [draft.setup] = known.choices;
    await begin(null);
  }
}
