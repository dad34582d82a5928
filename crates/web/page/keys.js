// What keys do at a game, and the list of them.

import { flip, look, setAnalysis } from "./actions.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { closeLine, pinnedLine, stepLine } from "./preview.js";
import { head, state } from "./state.js";

/** Keys as they are shown, with the texts that say what they do. */
const SHOWN = [
  ["← →", "keys.step"],
  ["Home End", "keys.ends"],
  ["Tab", "keys.board"],
  ["A", "keys.analysis"],
  ["X", "keys.threat"],
  ["F", "keys.flip"],
  ["Esc", "keys.close"],
  ["?", "keys.help"],
];

/** @param {boolean} on */
const study = (on) => setAnalysis(on, head().study.engine);

function toggleThreat() {
  if (!head().study.on) return;
  state.threat = !state.threat;
  study(true);
}

/** Lists the keys. */
export async function showKeys() {
  const { openDialog } = await import("./dialog.js");
  if (document.querySelector("dialog[open]")) return;
  const rows = SHOWN.map(([keys, text]) => [
    h(
      "dt",
      {},
      keys.split(" ").map((key) => h("kbd", {}, key)),
    ),
    h("dd", {}, t(text)),
  ]);
  openDialog({ name: "keys", title: t("keys.title"), body: h("dl", {}, rows), submit: null });
}

/** @type {Record<string, () => unknown>} */
const LETTERS = {
  f: flip,
  a: () => study(!head().study.on),
  x: toggleThreat,
  "?": showKeys,
};

/** @param {KeyboardEvent} event */
export function onKey(event) {
  const target = /** @type {Element} */ (event.target);
  if (!state.head || target.closest?.("input:not([type=checkbox]), textarea, select, dialog")) {
    return;
  }
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (pinnedLine() && ["ArrowLeft", "ArrowRight", "Escape"].includes(event.key)) {
    event.preventDefault();
    if (event.key === "Escape") closeLine();
    else stepLine(event.key === "ArrowLeft" ? -1 : 1);
    return;
  }
  /** @type {Record<string, number>} */
  const plies = {
    ArrowLeft: state.view - 1,
    ArrowRight: state.view + 1,
    Home: 0,
    End: state.plies.length - 1,
  };
  if (event.key in plies) {
    event.preventDefault();
    look(plies[event.key]);
  } else LETTERS[event.key.toLowerCase()]?.();
}
