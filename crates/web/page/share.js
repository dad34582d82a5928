// Taking a game or a position elsewhere.

import { h, put, toast } from "./dom.js";
import { status } from "./game.js";
import { gameName, sideName, t } from "./i18n.js";
import { playerName } from "./players.js";
import { state } from "./state.js";

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

/** The moves up to the ply looked at. */
const moves = () => state.plies.slice(1, state.view + 1).map((ply) => ply.move).join(" ");

/** An address that opens this position afresh, anywhere. */
export function link() {
  const { head } = state;
  const query = new URLSearchParams({ game: head.game });
  if (head.start) query.set("position", head.start);
  if (state.view > 0) query.set("moves", moves());
  return `${location.origin}/?${query}`;
}

export function sharePanel() {
  const save = h("a", { class: "button", download: "", "data-do": "save" }, t("do.save"));
  const button = (/** @type {string} */ name, /** @type {() => void} */ act) => h("button", { type: "button", "data-do": name, onclick: act }, t(`do.${name}`));
  const sheet = h("div", { class: "sheet" });
  const element = h("section", { class: "panel share" }, h("div", { class: "actions" },
    button("copyLink", () => copy(link())),
    button("copyPosition", () => copy(state.plies[state.view].position)),
    button("copyMoves", () => copy(moves())),
    save,
    button("print", () => window.print())), sheet);
  return {
    element,
    render() {
      const { head } = state;
      // The record carries the local time, which only the page knows.
      const now = new Date();
      const local = new Date(now.getTime() - now.getTimezoneOffset() * 60000).toISOString().slice(0, 19).replace("T", " ");
      save.setAttribute("href", `/api/games/${state.id}/record?date=${encodeURIComponent(local)}`);
      // The head of the score sheet; only paper shows it.
      put(sheet, h("h1", {}, head.contest?.event || gameName(head.name)),
        [0, 1].map((player) => h("p", {}, `${sideName(head.name, player)}: ${playerName(player)}`)),
        h("p", {}, `${head.game} · ${new Date().toLocaleDateString(document.documentElement.lang)}`),
        h("p", {}, `${t("contest.result")}: ${head.outcome ? status() : "—"}`));
    },
  };
}
