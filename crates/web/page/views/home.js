// The first view: choose a game and who plays, or open one that exists.

import { newGame } from "../actions.js";
import * as api from "../api.js";
import { boardScript, gameInfo, gameName, games, inLanguage, levels } from "../catalogue.js";
import { h, put, s, toastError } from "../dom.js";
import { choice, field, pick } from "../form.js";
import { t } from "../i18n.js";
import { go } from "../router.js";
import { gameLink } from "./games.js";
import { openPanel } from "./open.js";
import { engineOf, gameSpec, setupField } from "./setup.js";

const MODES = ["engine", "people", "engines", "analyse"];
const MINUTES = [1, 3, 5, 10, 15, 30];
const SECONDS = ["0.2", "1", "3", "10", "30"];

/** Games in the list of recent ones. */
const RECENT = 8;

/**
 * @typedef {object} Chosen
 * @property {string} game
 * @property {string} setup
 * @property {string} mode
 * @property {string} side the player that the person is
 * @property {string} level
 * @property {string} level2
 * @property {string} time minutes for the game, or nothing
 * @property {string} think seconds a move without a clock
 */

/** @returns {Chosen} */
function defaults() {
  const known = games().some(({ name }) => name === localStorage.game);
  const game = known ? localStorage.game : games()[0].name;
  return {
    game,
    setup: gameInfo(game).choices[0],
    mode: "engine",
    side: "0",
    level: localStorage.level ?? "4",
    level2: "best",
    time: "",
    think: "1",
  };
}

/**
 * The first view, or what a link such as `/?game=…&moves=…` opens.
 * @param {HTMLElement} main
 * @param {URLSearchParams} query
 */
export const openHome = (main, query) =>
  query.has("game") ? openLink(main, query) : drawHome(main);

/** @param {HTMLElement} main */
async function drawHome(main) {
  const chosen = defaults();
  const form = h("form", { class: "panel setup" });
  const recent = h("section", { class: "panel recent" });
  const cards = h("div", { class: "cards", role: "radiogroup", "aria-label": t("home.title") });
  const intro = h(
    "div",
    { class: "intro" },
    h("h1", {}, t("home.title")),
    h("p", {}, t("home.lead")),
  );
  main.className = "home";
  const links = h("p", { class: "learn-links" });
  put(
    main,
    intro,
    cards,
    links,
    form,
    openPanel(() => gameSpec(chosen.game, chosen.setup)),
    recent,
  );

  /** @param {Api.Game} game */
  function choose(game) {
    chosen.game = game.name;
    chosen.setup = game.choices[0];
    localStorage.game = game.name;
    draw();
  }

  function draw() {
    const focused = cards.contains(document.activeElement);
    put(
      cards,
      games().map((game) => card(game, game.name === chosen.game, () => choose(game))),
    );
    if (focused) /** @type {HTMLElement|null} */ (cards.querySelector("[tabindex='0']"))?.focus();
    put(form, fields(chosen, draw));
    put(links, helpLinks(chosen));
  }
  // The cards are one stop of the Tab key; arrows choose among them.
  cards.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const index = games().findIndex(({ name }) => name === chosen.game);
    choose(games()[(index + by + games().length) % games().length]);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    localStorage.level = chosen.level;
    newGame(requestOf(chosen));
  });
  draw();
  const listed = await api.list({ most: RECENT }).catch(() => []);
  put(recent, h("h2", {}, t("home.recent")), recentGames(listed));
}

/** @param {Api.Game} game @param {boolean} checked @param {() => void} onclick */
function card({ name, tagline }, checked, onclick) {
  const attributes = { class: `art board-${name}`, viewBox: "0 0 6 4", "aria-hidden": "true" };
  return h(
    "button",
    {
      class: "card",
      type: "button",
      role: "radio",
      "aria-checked": String(checked),
      tabindex: checked ? 0 : -1,
      "data-game": name,
      onclick,
    },
    s("svg", attributes, boardScript(name).picture()),
    h("strong", {}, gameName(name)),
    h("span", {}, inLanguage(tagline)),
  );
}

/** What helps with the game that is chosen. @param {Chosen} chosen */
function helpLinks({ game, setup }) {
  const edit = new URLSearchParams({ game: gameSpec(game, setup) });
  return [
    h("a", { href: `/learn/${game}` }, t("learn.learn")),
    h("a", { href: `/rules/${game}` }, t("learn.rulesOf", { game: gameName(game) })),
    h("a", { href: `/edit?${edit}` }, t("home.edit")),
  ];
}

/** @param {Chosen} chosen @param {() => void} draw */
function fields(chosen, draw) {
  /** @param {keyof Chosen} key @param {boolean} [redraw] */
  const set =
    (key, redraw = false) =>
    (/** @type {string} */ value) => {
      chosen[key] = value;
      if (redraw) draw();
    };
  const { level, level2, mode, setup, side, think, time } = chosen;
  const [engine, engines, analyse] = ["engine", "engines", "analyse"].map((one) => one === mode);
  const modes = MODES.map((one) => [one, t(`home.kind.${one}`)]);
  const sides = [
    ["0", t("home.first")],
    ["1", t("home.second")],
  ];
  const strengths = Array.from({ length: levels() }, (_, i) => [
    String(i + 1),
    t("home.level", { n: i + 1 }),
  ]);
  strengths.push(["best", t("home.best")]);
  const minutes = MINUTES.map((n) => [String(n), t("home.minutes", { n })]);
  const times = [["", t("home.untimed")], ...minutes];
  const seconds = SECONDS.map((n) => [n, t("home.seconds", { n })]);
  return [
    field(t("home.mode"), choice("mode", modes, mode, set("mode", true))),
    engine && field(t("home.you"), choice("side", sides, side, set("side"))),
    engine && field(t("home.strength"), pick("level", strengths, level, set("level"))),
    engines && field(t("home.engine1"), pick("level", strengths, level, set("level"), "each key")),
    engines &&
      field(t("home.engine2"), pick("level2", strengths, level2, set("level2"), "each key")),
    setupField(gameInfo(chosen.game), setup, set("setup")),
    !analyse && field(t("home.time"), pick("time", times, time, set("time"))),
    (engine || engines) &&
      time === "" &&
      field(t("home.think"), pick("think", seconds, think, set("think"))),
    h("button", { class: "primary", type: "submit" }, t(analyse ? "home.analyse" : "home.play")),
  ];
}

/** @param {Chosen} chosen @returns {Api.NewGame} */
function requestOf({ game, level, level2, mode, setup, side, think, time }) {
  const analyse = mode === "analyse";
  /** @type {Api.Seat[]} */
  let seats = ["human", "human"];
  if (mode === "engine") seats[side === "0" ? 1 : 0] = engineOf(level);
  if (mode === "engines") seats = [engineOf(level), engineOf(level2)];
  return {
    game: gameSpec(game, setup),
    seats,
    move_seconds: Number(think),
    total: time && !analyse ? Number(time) * 60000 : null,
    study: analyse ? { on: true, engine: "best" } : null,
  };
}

/**
 * Opens `/?game=…&position=…&moves=…` as a new game.
 * @param {HTMLElement} main
 * @param {URLSearchParams} link
 */
async function openLink(main, link) {
  const [game, position, moves] = ["game", "position", "moves"].map((name) => link.get(name));
  const study = { on: true, engine: "best" };
  try {
    const { id } = await api.create({ game: game ?? "", position, moves, study });
    go(`/g/${id}${location.hash}`, true);
  } catch (error) {
    await drawHome(main);
    toastError(error);
  }
}

/** @param {Api.ListedGame[]} listed @returns {Dom.Child[]} */
function recentGames(listed) {
  if (listed.length === 0) return [h("p", { class: "faint" }, t("home.none"))];
  return [
    h(
      "ul",
      { class: "game-list" },
      listed.map((game) => h("li", {}, gameLink(game))),
    ),
    h("a", { class: "all-games", href: "/games" }, t("games.all")),
  ];
}
