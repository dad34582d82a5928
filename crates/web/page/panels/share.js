// Taking a game or a position elsewhere.

import * as api from "../api.js";
import { gameName, sideName } from "../catalogue.js";
import { h, put, toast, toastError } from "../dom.js";
import { t } from "../i18n.js";
import { gameId, head, live, playsHere, state } from "../state.js";
import { playerName, status } from "../status.js";

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("do.copied"));
  } catch {
    // Without permission the text is at least there to be copied by hand.
    prompt(t("do.copied"), text);
  }
}

/** The moves up to the ply shown. */
const moves = () =>
  state.plies
    .slice(1, state.view + 1)
    .map((ply) => ply.move)
    .join(" ");

/** An address that opens this position as a new game, on any server. */
export function link() {
  const { game, start } = head();
  const query = new URLSearchParams({ game });
  if (start) query.set("position", start);
  if (state.view > 0) query.set("moves", moves());
  return `${location.origin}/?${query}`;
}

/** The player whose seat can be given to another, if any: Second's before First's. */
function seatToGive() {
  const { contest } = head();
  if (contest || !live() || !state.rights.owns) return undefined;
  return [1, 0].find(playsHere);
}

/** Copies a link whose first reader plays for a player. */
async function invite() {
  const player = seatToGive();
  if (player === undefined) return;
  try {
    const { link } = await api.giveSeat(gameId(), player);
    await copy(location.origin + link);
  } catch (error) {
    toastError(error);
  }
}

/** The local time, which only the page knows. */
function localTime() {
  const now = new Date();
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60000);
  return local.toISOString().slice(0, 19).replace("T", " ");
}

/** @returns {Dom.Panel} */
export function sharePanel() {
  const save = h("a", { class: "button", download: "", "data-do": "save" }, t("do.save"));
  const button = (/** @type {string} */ name, /** @type {() => void} */ onclick) =>
    h("button", { type: "button", "data-do": name, onclick }, t(`do.${name}`));
  const seat = button("invite", invite);
  const sheet = h("div", { class: "sheet" });
  const element = h(
    "section",
    { class: "panel share" },
    h(
      "div",
      { class: "actions" },
      button("copyLink", () => copy(link())),
      button("copyPosition", () => copy(state.plies[state.view].position)),
      button("copyMoves", () => copy(moves())),
      seat,
      save,
      button("print", () => window.print()),
    ),
    sheet,
  );
  return {
    element,
    render() {
      const date = encodeURIComponent(localTime());
      save.setAttribute("href", `/api/games/${gameId()}/record?date=${date}`);
      const player = seatToGive();
      seat.hidden = player === undefined;
      seat.title =
        player === undefined ? "" : t("invite.title", { side: sideName(head().name, player) });
      put(sheet, sheetHead());
    },
  };
}

/** The head of the score sheet; only paper shows it. @returns {Dom.Child[]} */
function sheetHead() {
  const { contest, game, name, outcome } = head();
  const today = new Date().toLocaleDateString(document.documentElement.lang);
  return [
    h("h1", {}, contest?.event || gameName(name)),
    [0, 1].map((player) => h("p", {}, `${sideName(name, player)}: ${playerName(player)}`)),
    h("p", {}, `${game} · ${today}`),
    h("p", {}, `${t("contest.result")}: ${outcome ? status() : "—"}`),
  ];
}
