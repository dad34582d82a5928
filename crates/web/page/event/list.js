// Contest days: those there are, and a form for a new one.

import * as api from "../api.js";
import { gameInfo, gameName, games } from "../catalogue.js";
import { h, put, toastError } from "../dom.js";
import { choice, field } from "../form.js";
import { t } from "../i18n.js";
import { go } from "../router.js";
import { gameSpec, setupField } from "../views/setup.js";

const FORMATS = ["swiss", "round-robin", "knockout"];

/** @param {HTMLElement} main */
export async function openEvents(main) {
  main.className = "home events";
  const list = h("section", { class: "panel" });
  const form = h("form", { class: "panel setup", hidden: true });
  put(
    main,
    h("div", { class: "intro" }, h("h1", {}, t("events")), h("p", {}, t("events.lead"))),
    list,
    form,
  );
  drawForm(form);
  try {
    const { changes, events } = await api.events();
    form.hidden = !changes;
    put(
      list,
      h("h2", {}, t("events.list")),
      events.length === 0
        ? h("p", { class: "faint" }, t("events.none"))
        : h("ul", { class: "rows" }, events.map(eventRow)),
    );
  } catch (error) {
    toastError(error);
  }
}

/** @param {Api.EventSummary} event */
function eventRow({ finished, game, id, name, planned, rounds, teams }) {
  const [title, ...setup] = game.split(" ");
  const what = [gameName(title), ...setup].join(" ");
  const facts = [
    what,
    t("event.teamsOf", { n: teams }),
    finished ? t("event.finished") : t("event.roundOf", { n: rounds, total: planned }),
  ];
  return h(
    "li",
    {},
    h(
      "a",
      { href: `/event/${encodeURIComponent(id)}` },
      h("span", { class: "pairing" }, name),
      h("span", { class: "faint what" }, facts.join(" · ")),
    ),
  );
}

/** @param {HTMLFormElement} form */
function drawForm(form) {
  const [{ name: game, choices }] = games();
  const chosen = { game, setup: choices[0], format: "swiss", perPairing: "1" };
  const input = (/** @type {Record<string, unknown>} */ attributes) => h("input", attributes);
  const name = input({ name: "name", maxlength: 60, required: true });
  const rounds = input({ name: "rounds", type: "number", min: 1, max: 99, value: 9 });
  const minutes = input({ name: "minutes", type: "number", min: 1, max: 600, value: 15 });
  const teams = h("textarea", { name: "teams", rows: 8, id: "event-teams", maxlength: 30000 });

  function draw() {
    const names = games().map((one) => [one.name, gameName(one.name)]);
    const formats = FORMATS.map((format) => [format, t(`event.format.${format}`)]);
    const counts = ["1", "2"].map((n) => [n, t(`event.games.${n}`)]);
    put(
      form,
      h("h2", { class: "wide" }, t("event.new")),
      field(t("event.name"), name),
      field(
        t("home.title"),
        choice("game", names, chosen.game, (value) => {
          chosen.game = value;
          chosen.setup = gameInfo(value).choices[0];
          draw();
        }),
      ),
      setupField(gameInfo(chosen.game), chosen.setup, (value) => {
        chosen.setup = value;
      }),
      field(
        t("event.format"),
        choice("format", formats, chosen.format, (value) => {
          chosen.format = value;
          draw();
        }),
      ),
      chosen.format === "swiss" && field(t("event.rounds"), rounds),
      field(t("event.games"), choice("games", counts, chosen.perPairing, setGames)),
      field(t("event.minutes"), minutes),
      h(
        "div",
        { class: "field wide" },
        h("label", { for: "event-teams" }, t("event.teamsHint")),
        teams,
      ),
      h("button", { class: "primary", type: "submit" }, t("event.create")),
    );
  }
  const setGames = (/** @type {string} */ value) => {
    chosen.perPairing = value;
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const { id } = await api.newEvent({
        name: name.value,
        game: gameSpec(chosen.game, chosen.setup),
        format:
          chosen.format === "swiss"
            ? { kind: "swiss", rounds: Number(rounds.value) }
            : { kind: /** @type {"knockout"|"round-robin"} */ (chosen.format) },
        games: Number(chosen.perPairing),
        minutes: Number(minutes.value),
        teams: teams.value,
      });
      go(`/event/${encodeURIComponent(id)}`);
    } catch (error) {
      toastError(error);
    }
  });
  draw();
}
