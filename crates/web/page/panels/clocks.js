// Setting both clocks by hand, as the official clock shows them.

import { send } from "../actions.js";
import { openDialog } from "../dialog.js";
import { h, toast } from "../dom.js";
import { field } from "../form.js";
import { t } from "../i18n.js";
import { clockText, playerName, timeLeft } from "../status.js";

/**
 * @param {string} text hours, minutes and seconds
 * @returns {number|null} milliseconds
 */
function readClock(text) {
  if (!/^\d+(:[0-5]?\d){0,2}(\.\d+)?$/.test(text.trim())) return null;
  const parts = text.trim().split(":").map(Number);
  return Math.round(parts.reduce((sum, part) => sum * 60 + part, 0) * 1000);
}

export function openClocksDialog() {
  const inputs = [0, 1].map((player) =>
    h("input", {
      name: `clock-${player}`,
      value: clockText(timeLeft(player)),
      autocomplete: "off",
      inputmode: "numeric",
      maxlength: 10,
    }),
  );
  openDialog({
    name: "clocks",
    title: t("clocks.title"),
    body: h(
      "div",
      { class: "fields" },
      inputs.map((input, player) => field(t("clock.of", { side: playerName(player) }), input)),
      h("p", { class: "note" }, t("clocks.hint")),
    ),
    submit: {
      name: "set",
      text: t("clocks.set"),
      run: () => {
        const left = inputs.map((input) => readClock(input.value));
        const wrong = left.indexOf(null);
        if (wrong >= 0) {
          toast(t("clocks.wrong", { text: inputs[wrong].value }));
          inputs[wrong].focus();
          return false;
        }
        send({ do: "clocks", left: left.map(Number) });
        return true;
      },
    },
  });
}
