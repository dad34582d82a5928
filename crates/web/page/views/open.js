// Opening a game from a text: a record, a position or a list of moves.

import * as api from "../api.js";
import { h, toast } from "../dom.js";
import { t } from "../i18n.js";
import { go } from "../router.js";

/** The largest file that is read, in bytes. */
const LARGEST = 60000;

/**
 * @param {() => string} game the game that was chosen, with its setup
 */
export function openPanel(game) {
  const text = h("textarea", {
    rows: 2,
    placeholder: t("home.pasteHint"),
    "aria-label": t("home.paste"),
    maxlength: 20000,
  });
  const file = h("input", {
    type: "file",
    accept: ".txt,.json,.sgf,.rec",
    "aria-label": t("home.file"),
    onchange: async () => {
      const chosen = file.files?.[0];
      if (chosen && chosen.size < LARGEST) openText(game(), decode(await chosen.arrayBuffer()));
    },
  });
  const open = h(
    "button",
    { type: "button", "data-do": "open", onclick: () => openText(game(), text.value) },
    t("home.open"),
  );
  return h(
    "details",
    { class: "panel paste" },
    h("summary", {}, t("home.paste")),
    text,
    h("div", { class: "actions" }, open, file),
  );
}

/** Contest files are UTF-8 or GBK. @param {ArrayBuffer} bytes */
function decode(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("gbk").decode(bytes);
  }
}

/** @param {string} game @param {string} text */
async function openText(game, text) {
  const bare = text.trim();
  const study = { on: true, engine: "best" };
  const recorded = /^[{[#!]|^game:|^[BbRr][0-6]|^(Black|White):/.test(bare);
  /** @type {Api.NewGame[]} */
  const tries = recorded
    ? [{ game, record: text }]
    : [
        { game, moves: bare },
        { game, position: bare },
        { game, record: text },
      ];
  let refusal = "";
  for (const one of tries) {
    try {
      const { id } = await api.create({ ...one, study });
      go(`/g/${id}`);
      return;
    } catch (error) {
      refusal ||= /** @type {Error} */ (error).message;
    }
  }
  toast(refusal);
}
