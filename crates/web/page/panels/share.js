// Taking a game or a position elsewhere.

import * as api from "../api.js";
import { gameName, sideName } from "../catalogue.js";
import { h, put, toast, toastError } from "../dom.js";
import { t } from "../i18n.js";
import { showKeys } from "../keys.js";
import { movetext } from "../lines.js";
import { gameId, head, live, playsHere, present, spot, state } from "../state.js";
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

/** The longest address that every browser and chat takes. */
const LONGEST = 2000;

/**
 * An address that opens this position as a new game, on any server: with the game
 * and its side lines if they fit, else with the moves up to here.
 */
export function link() {
  const { game, start } = head();
  const address = (/** @type {string} */ text, /** @type {string} */ fragment) => {
    const query = new URLSearchParams({ game });
    if (start) query.set("position", start);
    if (text) query.set("moves", text);
    return `${location.origin}/?${query}${fragment}`;
  };
  const whole = spot().node === null && address(movetext(), present() ? "" : `#${state.view}`);
  return whole && whole.length <= LONGEST ? whole : address(moves(), "");
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

/** Where the record of the game is, as of now. */
export const recordAddress = () =>
  `/api/games/${gameId()}/record?date=${encodeURIComponent(localTime())}`;

/** @returns {Dom.Panel} */
export function sharePanel() {
  const save = h("a", { class: "button", download: "", "data-do": "save" }, t("do.save"));
  const button = (/** @type {string} */ name, /** @type {() => void} */ onclick) =>
    h("button", { type: "button", "data-do": name, onclick }, t(`do.${name}`));
  const seat = button("invite", invite);
  const edit = h("a", { class: "button", "data-do": "edit" }, t("do.edit"));
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
      edit,
      button("keys", showKeys),
    ),
    sheet,
  );
  return {
    element,
    render() {
      save.setAttribute("href", recordAddress());
      const { game } = head();
      const { position } = state.plies[state.view];
      edit.setAttribute("href", `/edit?${new URLSearchParams({ game, position })}`);
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
