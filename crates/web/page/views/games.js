// The list of games: who played, how it ended, searching, keeping, deleting.

import * as api from "../api.js";
import { boardScript, gameName, sideName } from "../catalogue.js";
import { h, icon, put, s, toastError } from "../dom.js";
import { t } from "../i18n.js";
import { engineName } from "../status.js";

/** Games that are fetched at a time. */
const PAGE = 50;

const STAR =
  "M12 3.500l2.600 5.400 5.900.8-4.300 4.100 1 5.900L12 16.900l-5.200 2.800 1-5.900-4.300-4.100 5.900-.8z";
const BIN = "M5 7h14M10 7V4.500h4V7M7 7l1 12.500h8L17 7M10.500 10.500v5.500M13.500 10.500v5.500";

/** @param {HTMLElement} main */
export function openGames(main) {
  const wanted = { text: "", kept: false };
  const rows = h("ul", { class: "game-list" });
  const more = h(
    "button",
    { type: "button", hidden: true, onclick: () => load(false) },
    t("games.more"),
  );
  const none = h("p", { class: "faint", hidden: true }, t("games.none"));
  const search = h("input", {
    type: "search",
    name: "search",
    placeholder: t("games.search"),
    "aria-label": t("games.search"),
    maxlength: 100,
  });
  const kept = h("input", { type: "checkbox", name: "kept" });
  let shown = 0;
  /** Counts requests, so that a late answer to an earlier one is left out. */
  let asked = 0;

  /** @param {boolean} anew */
  async function load(anew) {
    asked += 1;
    const mine = asked;
    const skip = anew ? 0 : shown;
    const found = await api.list({ ...wanted, skip, most: PAGE }).catch((error) => {
      toastError(error);
      return null;
    });
    if (!found || mine !== asked) return;
    if (anew) put(rows);
    rows.append(...found.map((game) => gameRow(game, gone)));
    shown = skip + found.length;
    more.hidden = found.length < PAGE;
    none.hidden = shown > 0;
  }

  /** @param {HTMLElement} row of a game that was deleted */
  function gone(row) {
    const next = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    shown -= 1;
    none.hidden = shown > 0;
    // The focus stays in the list.
    const link = /** @type {HTMLElement|null|undefined} */ (next?.querySelector("a"));
    (link ?? search).focus();
  }

  let timer = 0;
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      wanted.text = search.value;
      load(true);
    }, 150);
  });
  kept.addEventListener("change", () => {
    wanted.kept = kept.checked;
    load(true);
  });
  main.className = "home";
  put(
    main,
    h("div", { class: "intro" }, h("h1", {}, t("games.title")), h("p", {}, t("games.lead"))),
    h(
      "div",
      { class: "game-search", role: "search" },
      search,
      h("label", {}, kept, t("games.kept")),
    ),
    h("section", { class: "panel" }, rows, none, more),
  );
  document.title = `${t("games.title")} · ${t("title")}`;
  load(true);
}

/** A player of a listed game. @param {Api.ListedGame} game @param {number} player */
function player({ game, names, seats }, player) {
  const [name] = game.split(" ");
  const seat = seats[player];
  return names?.[player] || (seat === "human" ? sideName(name, player) : engineName(seat.engine));
}

/** The result as people read it. @param {Api.ListedGame} game */
export function resultText({ game, result }) {
  const [name] = game.split(" ");
  if (result === "*") return t("games.running");
  if (result === "1/2-1/2") return t("turn.draw");
  return t("turn.wins", { side: sideName(name, result === "1-0" ? 0 : 1) });
}

/**
 * What a list shows of a game: its players, its event, its result.
 * @param {Api.ListedGame} game
 */
export function gameLink(game) {
  const [name, ...setup] = game.game.split(" ");
  const time = new Date(game.updated).toLocaleString(document.documentElement.lang, {
    dateStyle: "short",
    timeStyle: "short",
  });
  const token = (/** @type {number} */ side) =>
    s(
      "svg",
      { class: `token board-${name}`, viewBox: "-0.5 -0.5 1 1", "aria-hidden": "true" },
      boardScript(name).token(side),
    );
  const side = (/** @type {number} */ n) =>
    h("span", { class: "player" }, token(n), player(game, n));
  return h(
    "a",
    { href: `/g/${game.id}` },
    h("span", { class: "players" }, side(0), side(1)),
    h(
      "span",
      { class: "what" },
      h("strong", {}, resultText(game)),
      h("time", { class: "faint" }, time),
      h(
        "span",
        { class: "parts faint" },
        h("span", {}, [gameName(name), ...setup].join(" ")),
        game.event && h("span", {}, game.event),
        h("span", {}, t("home.plies", { n: game.plies })),
      ),
    ),
  );
}

/** @param {Api.ListedGame} game @param {(row: HTMLElement) => void} gone */
function gameRow(game, gone) {
  const row = h("li", { "data-id": game.id }, gameLink(game));
  if (!game.owns) return row;
  const star = h(
    "button",
    {
      type: "button",
      class: "quiet star",
      "data-do": "keep",
      "aria-pressed": String(game.kept),
      "aria-label": t("games.keep"),
      title: t("games.keep"),
      onclick: async () => {
        try {
          await api.keep(game.id, !game.kept);
          game.kept = !game.kept;
          star.setAttribute("aria-pressed", String(game.kept));
        } catch (error) {
          toastError(error);
        }
      },
    },
    icon(STAR),
  );
  const bin = h(
    "button",
    {
      type: "button",
      class: "quiet",
      "data-do": "delete",
      "aria-label": t("games.delete"),
      title: t("games.delete"),
      onclick: async () => {
        const players = [0, 1].map((n) => player(game, n)).join(" – ");
        if (!confirm(t("games.delete.sure", { players, n: game.plies }))) return;
        try {
          await api.remove(game.id);
          gone(row);
        } catch (error) {
          toastError(error);
        }
      },
    },
    icon(BIN),
  );
  row.append(star, bin);
  return row;
}
