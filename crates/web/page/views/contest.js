// Setting up a contest game.

import { newGame } from "../actions.js";
import { gameInfo, gameName, games, sideName } from "../catalogue.js";
import { h, put } from "../dom.js";
import { choice, field, pick } from "../form.js";
import { t } from "../i18n.js";
import { engineOf, gameSpec, setupField } from "./setup.js";

const MINUTES = ["5", "10", "15", "20", "30", "45", "60"];

/**
 * @param {HTMLElement} main
 * @param {URLSearchParams} given what is known already, as of a game of an event
 */
export function openContestForm(main, given) {
  const [wanted = "", ...setup] = (given.get("game") ?? "").split(" ");
  const { name: game, choices } = games().find(({ name }) => name === wanted) ?? games()[0];
  const chosen = {
    game,
    setup: setup.join(" ") || choices[0],
    ours: "0",
    engine: "best",
    total: given.get("minutes") ?? "15",
    first: given.get("first") ?? "",
    second: given.get("second") ?? "",
    event: given.get("event") ?? "",
    place: given.get("place") ?? "",
    ponder: true,
  };
  const form = h("form", { class: "panel setup" });
  main.className = "home";
  const intro = h(
    "div",
    { class: "intro" },
    h("h1", {}, t("contest")),
    h("p", {}, t("contest.lead")),
    h("p", {}, h("a", { href: "/events" }, t("events.link"))),
  );
  put(main, intro, form);

  /** @param {"ours"|"engine"|"total"|"setup"} key */
  const set = (key) => (/** @type {string} */ value) => {
    chosen[key] = value;
  };

  /** @param {"first"|"second"|"event"|"place"} name */
  function text(name) {
    const input = h("input", {
      name,
      value: chosen[name],
      maxlength: 60,
      oninput: () => {
        chosen[name] = input.value;
      },
    });
    return input;
  }

  function ponderBox() {
    const onchange = () => {
      chosen.ponder = !chosen.ponder;
    };
    const box = h("input", { type: "checkbox", name: "ponder", checked: chosen.ponder, onchange });
    return h("div", { class: "field" }, h("label", { class: "tick" }, box, t("contest.ponder")));
  }

  /**
   * Our side's name, and whether it moves first if the name does not say so.
   * @param {number} player
   */
  function sideOption(player) {
    const name = sideName(chosen.game, player);
    const order = t(player === 0 ? "home.first" : "home.second");
    return [String(player), name === order ? name : t("result.wins", { side: name, name: order })];
  }

  function draw() {
    const engines = [
      ["best", t("home.best")],
      ["uct", "uct"],
      ["alpha-beta", "alpha-beta"],
    ];
    const times = MINUTES.includes(chosen.total) ? MINUTES : [chosen.total, ...MINUTES];
    const minutes = times.map((n) => [n, `${n} ${t("minutes")}`]);
    const names = games().map(({ name }) => [name, gameName(name)]);
    const chooseGame = (/** @type {string} */ name) => {
      chosen.game = name;
      chosen.setup = gameInfo(name).choices[0];
      draw();
    };
    put(
      form,
      field(t("home.title"), choice("game", names, chosen.game, chooseGame)),
      field(t("contest.ours"), choice("ours", [0, 1].map(sideOption), chosen.ours, set("ours"))),
      setupField(gameInfo(chosen.game), chosen.setup, set("setup")),
      field(t("home.engine"), pick("engine", engines, chosen.engine, set("engine"), "each key")),
      field(t("contest.total"), pick("total", minutes, chosen.total, set("total"))),
      field(t("contest.firstName"), text("first")),
      field(t("contest.secondName"), text("second")),
      field(t("contest.event"), text("event")),
      field(t("contest.place"), text("place")),
      ponderBox(),
      h("button", { class: "primary", type: "submit" }, t("contest.begin")),
    );
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const ours = Number(chosen.ours);
    const { event: contest, first, place, ponder, second } = chosen;
    /** @type {Api.Seat[]} */
    const seats = ["human", "human"];
    seats[ours] = engineOf(chosen.engine);
    newGame({
      game: gameSpec(chosen.game, chosen.setup),
      seats,
      total: Number(chosen.total) * 60000,
      contest: { ours, names: [first, second], event: contest, place, ponder },
    });
  });
  draw();
}
