// Taking a game or a position elsewhere.

import { h, toast } from "./dom.js";
import { t } from "./i18n.js";
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
  const element = h("section", { class: "panel share" }, h("div", { class: "actions" },
    button("copyLink", () => copy(link())),
    button("copyPosition", () => copy(state.plies[state.view].position)),
    button("copyMoves", () => copy(moves())),
    save,
    button("print", () => window.print())));
  return {
    element,
    render() {
      save.setAttribute("href", `/api/games/${state.id}/record`);
    },
  };
}
