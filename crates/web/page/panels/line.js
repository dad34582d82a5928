// A line of moves as buttons: hovering or focusing one shows its position on the
// board, a click keeps the line there. And the bar that steps through a line that
// is kept.

import { h, icon, put } from "../dom.js";
import { t } from "../i18n.js";
import {
  closeLine,
  hoverLine,
  leaveLine,
  pinLine,
  pinnedLine,
  showLineAt,
  stepLine,
} from "../preview.js";

/**
 * @param {number} ply where the line begins
 * @param {string[]} names its moves as people write them
 * @param {string[]} moves as text
 * @param {number} [from] the first move to show
 */
export function lineButtons(ply, names, moves, from = 0) {
  const button = (/** @type {string} */ name, /** @type {number} */ i) => {
    const at = from + i + 1;
    const pin = () => pinLine(ply, moves, at);
    return h(
      "button",
      {
        type: "button",
        class: "line-move",
        title: t("line.show"),
        onpointerenter: () => hoverLine(ply, moves, at),
        onpointerleave: leaveLine,
        onfocus: () => hoverLine(ply, moves, at),
        onblur: leaveLine,
        // The table is drawn again while the search goes on: a click might begin
        // on one button and end on another.
        onpointerdown: (/** @type {PointerEvent} */ event) => {
          if (event.pointerType === "mouse" && event.button === 0) pin();
        },
        onclick: pin,
      },
      name,
    );
  };
  return h("span", { class: "line-moves" }, names.slice(from).map(button));
}

/** @param {string} name @param {string} d @param {() => void} act */
function stepButton(name, d, act) {
  const label = t(`line.${name}`);
  const attributes = { type: "button", class: "quiet", "data-do": `line-${name}` };
  return h("button", { ...attributes, "aria-label": label, title: label, onclick: act }, icon(d));
}

/** The bar of the line that is kept on the board. @returns {Dom.Panel} */
export function lineBar() {
  const moves = h("span", { class: "line-moves" });
  const back = stepButton("back", "M15 6l-6 6 6 6", () => stepLine(-1));
  const forward = stepButton("forward", "M9 6l6 6-6 6", () => stepLine(1));
  const element = h(
    "div",
    { class: "line-bar", role: "group", "aria-label": t("line"), hidden: true },
    h("b", {}, t("line")),
    moves,
    back,
    forward,
    stepButton("close", "M6 6l12 12M18 6L6 18", closeLine),
  );
  let drawn = "";
  return {
    element,
    render() {
      const line = pinnedLine();
      element.hidden = line === null;
      if (!line) return;
      back.disabled = line.at === 0;
      forward.disabled = line.at >= line.plies.length;
      const key = JSON.stringify([line.ply, line.moves, line.at]);
      if (key === drawn) return;
      drawn = key;
      put(
        moves,
        line.plies.map(({ name }, i) =>
          h(
            "button",
            {
              type: "button",
              class: "line-move",
              "aria-current": i + 1 === line.at ? "true" : null,
              onclick: () => showLineAt(i + 1),
            },
            name,
          ),
        ),
      );
    },
  };
}
