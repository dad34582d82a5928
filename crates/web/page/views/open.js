// Opening a game from a text: a record, a position or a list of moves.

import * as api from "../api.js";
import { gameName, games } from "../catalogue.js";
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
export function decode(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("gbk").decode(bytes);
  }
}

/**
 * What a link of this page, of whatever server, opens.
 * @param {string} text
 * @returns {Api.NewGame|null}
 */
function readLink(text) {
  if (!/^https?:/.test(text) || !URL.canParse(text)) return null;
  const query = new URL(text).searchParams;
  const game = query.get("game");
  return game ? { game, position: query.get("position"), moves: query.get("moves") } : null;
}

/**
 * What a text may be, likeliest first. Moves and positions of one game can look
 * like the records of another, so a guess only decides the order.
 * @param {string} game the one that was chosen
 * @param {string} text
 * @returns {Api.NewGame[]}
 */
function readings(game, text) {
  const bare = text.trim();
  const link = readLink(bare);
  if (link) return [link];
  const plain = (/** @type {string} */ name) => [
    { game: name, moves: bare },
    { game: name, position: bare },
  ];
  // Without a game the record itself says which it is.
  const records = [
    { game, record: text },
    { game: "", record: text },
  ];
  const recorded = /^[{[#!]|^game:|^[BbRr][0-6]|^(Black|White):/.test(bare);
  const chosen = recorded ? [...records, ...plain(game)] : [...plain(game), ...records];
  const [name] = game.split(" ");
  const others = games().filter((other) => other.name !== name);
  return [...chosen, ...others.flatMap((other) => plain(other.name))];
}

/** @param {string} game @param {string} text */
async function openText(game, text) {
  const study = { on: true, engine: "best" };
  let refusal = "";
  for (const reading of readings(game, text)) {
    try {
      const { id } = await api.create({ ...reading, study });
      go(`/g/${id}`);
      return;
    } catch (error) {
      refusal ||= /** @type {Error} */ (error).message;
    }
  }
  toast(t("open.wrong", { game: gameName(game.split(" ")[0]), why: refusal }));
}
