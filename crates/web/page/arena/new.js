// A match that is started from the page.

import * as api from "../api.js";
import { gameInfo, gameName, games, levels } from "../catalogue.js";
import { h, put, toastError } from "../dom.js";
import { choice, field, pick } from "../form.js";
import { t } from "../i18n.js";
import { go } from "../router.js";
import { engineOf, gameSpec, setupField } from "../views/setup.js";

/** How much an engine may think about a move. */
const LIMITS = ["s 0.1", "s 1", "s 5", "n 1000", "n 10000", "n 100000"];

/** @param {string} limit */
function limitText(limit) {
  const [kind, number] = limit.split(" ");
  return kind === "s"
    ? t("arena.perMove", { n: number })
    : t("arena.sims", { n: Number(number).toLocaleString() });
}

export function newMatchPanel() {
  const [{ name, choices }] = games();
  const chosen = { game: name, setup: choices[0], one: "best", two: "5", limit: LIMITS[0] };
  const count = h("input", { name: "games", type: "number", min: 1, max: 100000, value: 20 });
  const form = h("form", { class: "setup" });
  /** @param {"setup"|"one"|"two"|"limit"} key */
  const set = (key) => (/** @type {string} */ value) => {
    chosen[key] = value;
  };

  function draw() {
    const names = games().map((game) => [game.name, gameName(game.name)]);
    const strengths = [["best", t("home.best")]];
    for (let n = levels(); n >= 1; n -= 1) strengths.push([String(n), t("home.level", { n })]);
    strengths.push(["uct", "uct"], ["alpha-beta", "alpha-beta"]);
    const limits = LIMITS.map((limit) => [limit, limitText(limit)]);
    const change = (/** @type {string} */ game) => {
      chosen.game = game;
      chosen.setup = gameInfo(game).choices[0];
      draw();
    };
    put(
      form,
      field(t("home.title"), choice("match-game", names, chosen.game, change)),
      setupField(gameInfo(chosen.game), chosen.setup, set("setup")),
      field(t("match.one"), pick("one", strengths, chosen.one, set("one"), "each key")),
      field(t("match.two"), pick("two", strengths, chosen.two, set("two"), "each key")),
      field(t("match.limit"), pick("limit", limits, chosen.limit, set("limit"))),
      field(t("match.games"), count),
      h("button", { class: "primary", type: "submit" }, t("match.start")),
    );
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const [kind, number] = chosen.limit.split(" ");
    try {
      const { store, number: match } = await api.startMatch({
        game: gameSpec(chosen.game, chosen.setup),
        engines: [chosen.one, chosen.two].map((one) => engineOf(one).engine),
        games: Number(count.value),
        seconds: kind === "s" ? Number(number) : null,
        nodes: kind === "n" ? Number(number) : null,
        plies: 4,
        seed: 1,
      });
      go(`/arena/${store}/${match}`);
    } catch (error) {
      toastError(error);
    }
  });
  draw();
  return h(
    "details",
    { class: "panel new-match" },
    h("summary", {}, t("match.new")),
    h("p", { class: "note" }, t("match.lead")),
    form,
  );
}
