// The record of a game of an event: open it on the board, replace it, remove it, or
// play the game here.

import * as api from "../api.js";
import { openDialog } from "../dialog.js";
import { h, toast, toastError } from "../dom.js";
import { t } from "../i18n.js";
import { go } from "../router.js";
import { decode } from "../views/open.js";

/**
 * What a text stands for: itself, or the record of the game on this server whose
 * address it is.
 * @param {string} text
 */
async function recordOf(text) {
  const address = text.trim().match(/\/g\/([a-z0-9]{26})/);
  return address ? api.recordText(address[1]) : text;
}

/** The form for a contest game, filled in. @param {Api.Event} event @param {Api.EventGame} game */
function boardAddress({ settings, teams }, { name, sides }) {
  const query = new URLSearchParams({
    game: settings.game,
    first: teams[sides[0]].name,
    second: teams[sides[1]].name,
    event: settings.name,
    place: name,
    minutes: String(settings.minutes),
  });
  return `/contest?${query}`;
}

/**
 * @param {Api.Event} event
 * @param {Pick<Api.EventGame, "place" | "record" | "sides" | "name">} game
 * @param {(command: Api.EventCommand) => Promise<boolean>} send
 */
export function openRecordDialog(event, game, send) {
  const { name, place, record } = game;
  const text = h("textarea", { rows: 5, maxlength: 40000, "aria-label": t("event.recordHint") });
  const file = h("input", {
    type: "file",
    accept: ".txt,.json,.sgf,.rec",
    "aria-label": t("home.file"),
    onchange: async () => {
      const chosen = file.files?.[0];
      if (chosen && chosen.size < 60000) text.value = decode(await chosen.arrayBuffer());
    },
  });
  const show = async () => {
    try {
      const { text } = await api.eventRecord(event.id, place);
      const { id } = await api.create({ game: event.settings.game, record: text });
      go(`/g/${id}#0`);
    } catch (error) {
      toastError(error);
    }
  };
  // A record that is refused stays in the dialog, to be corrected.
  const keep = async () => {
    try {
      return await send({ do: "record", place, text: await recordOf(text.value) });
    } catch (error) {
      toastError(error);
      return false;
    }
  };
  openDialog({
    name: "record",
    title: `${name} · ${t("event.record")}`,
    body: h(
      "div",
      { class: "fields" },
      record && h("p", { class: "note" }, record),
      event.changes && h("p", { class: "note" }, t("event.recordHint")),
      event.changes && text,
      event.changes && file,
    ),
    submit: event.changes
      ? {
          name: "keep-record",
          text: t("event.keepRecord"),
          run: () => {
            if (!text.value.trim()) {
              toast(t("event.recordHint"));
              return false;
            }
            return keep();
          },
        }
      : { name: "show-record", text: t("event.showRecord"), run: () => void show() },
    others: [
      event.changes && record
        ? { name: "show-record", text: t("event.showRecord"), run: () => void show() }
        : null,
      event.changes && record
        ? {
            name: "remove-record",
            text: t("event.removeRecord"),
            run: () => void send({ do: "record", place, text: null }),
          }
        : null,
      event.changes && !record
        ? {
            name: "board",
            text: t("event.board"),
            run: () => go(boardAddress(event, { ...game, end: null })),
          }
        : null,
    ],
  });
}
