// How a game ended by a decision from outside its rules: who won and why. What was
// entered wrongly is undone here, too.

import { send } from "../actions.js";
import { reasonText, sideName } from "../catalogue.js";
import { openDialog } from "../dialog.js";
import { h, toast } from "../dom.js";
import { choice, field } from "../form.js";
import { t } from "../i18n.js";
import { head } from "../state.js";
import { playerName } from "../status.js";

/** Reasons, and whether there must be a winner. @type {[string, boolean][]} */
const REASONS = [
  ["resigned", true],
  ["time", false],
  ["forfeit", true],
  ["agreed", false],
  ["adjudicated", false],
];

/** Whether the game was ended by a decision, so that it can be undone. */
export const isDecided = () => {
  const { outcome } = head();
  return outcome !== null && REASONS.some(([reason]) => reason === outcome.reason);
};

/** @param {number} player */
function playerText(player) {
  const [side, name] = [sideName(head().name, player), playerName(player)];
  return side === name ? side : t("result.wins", { side, name });
}

export function openResultDialog() {
  const { outcome } = head();
  const decided = isDecided();
  const chosen = {
    winner: decided && outcome?.winner !== undefined ? String(outcome?.winner ?? "") : "0",
    reason: (decided && outcome?.reason) || REASONS[0][0],
  };
  const winners = [
    ["0", playerText(0)],
    ["1", playerText(1)],
    ["", t("result.draw")],
  ];
  const reasons = REASONS.map(([reason]) => [reason, reasonText(reason)]);
  /** @param {"winner"|"reason"} key */
  const set = (key) => (/** @type {string} */ value) => {
    chosen[key] = value;
  };
  openDialog({
    name: "result",
    title: t("result.title"),
    body: h(
      "div",
      { class: "fields" },
      field(t("result.winner"), choice("winner", winners, chosen.winner, set("winner"))),
      field(t("result.reason"), choice("reason", reasons, chosen.reason, set("reason"))),
    ),
    submit: {
      name: "set-result",
      text: t("result.set"),
      run: () => {
        const winner = chosen.winner === "" ? null : Number(chosen.winner);
        const needed = REASONS.some(([reason, must]) => must && reason === chosen.reason);
        if (needed && winner === null) {
          toast(t("result.needed"));
          return false;
        }
        send({ do: "result", winner, reason: chosen.reason });
        return true;
      },
    },
    others: [
      decided
        ? {
            name: "undo-result",
            text: t("result.undo"),
            run: () => {
              send({ do: "reopen" });
            },
          }
        : null,
    ],
  });
}
