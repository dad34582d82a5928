// One contest day: the tables of a round, where results are entered, and the wall
// chart. The server answers a change with the whole event, once it is on the disk.

import * as api from "../api.js";
import { figuresTable } from "../arena/table.js";
import { poll } from "../arena/poll.js";
import { gameName, reasonText } from "../catalogue.js";
import { h, put, toastError } from "../dom.js";
import { keepFocus } from "../focus.js";
import { choice } from "../form.js";
import { t } from "../i18n.js";
import { openRecordDialog } from "./record.js";

const WINNERS = ["", "first", "second", "draw", "nobody"];

/** The reasons that go with a result, the usual one first. */
const REASONS = {
  first: ["resigned", "time", "adjudicated", "agreed", "forfeit"],
  second: ["resigned", "time", "adjudicated", "agreed", "forfeit"],
  draw: ["agreed", "time", "adjudicated"],
  nobody: ["forfeit", "adjudicated"],
};

/** Half points as people write them. @param {number} half */
export const points = (half) =>
  half === 1 ? "½" : `${Math.floor(half / 2)}${half % 2 ? "½" : ""}`;

/** @param {HTMLElement} main @param {string} name of the event in the address */
export async function openEvent(main, name) {
  const id = decodeURIComponent(name);
  main.className = "arena event";
  const body = h("div", { class: "arena-list" });
  put(main, h("a", { class: "back faint", href: "/events" }, `← ${t("events")}`), body);
  /** The round that is shown; the last one unless another was chosen. @type {number|null} */
  let chosen = null;
  /** @type {Api.Event|null} */
  let shown = null;

  const draw = () => {
    if (!shown) return;
    const event = shown;
    const round = Math.min(chosen ?? event.rounds.length - 1, event.rounds.length - 1);
    keepFocus(body, () =>
      put(
        body,
        intro(event),
        event.rounds.length > 0 &&
          roundPanel(event, round, send, (/** @type {number} */ n) => {
            chosen = n;
            draw();
          }),
        chartPanel(event),
        event.changes && teamsPanel(event, send),
      ),
    );
  };
  /** Gives whether it was done. @param {Api.EventCommand} command */
  const send = async (command) => {
    let done = true;
    try {
      shown = await api.changeEvent(id, command);
      if (command.do === "pair" || command.do === "unpair") chosen = null;
    } catch (error) {
      toastError(error);
      done = false;
    }
    // After a refusal too: the field goes back to what is true.
    draw();
    return done;
  };

  /** @param {Api.Event} event */
  function intro({ changes, finished, folder, open, planned, rounds, settings, teams }) {
    const [title, ...setup] = settings.game.split(" ");
    const facts = [
      [gameName(title), ...setup].join(" "),
      t(`event.format.${settings.format.kind}`),
      t("event.teamsOf", { n: teams.length }),
      finished ? t("event.finished") : t("event.roundOf", { n: rounds.length, total: planned }),
    ];
    const next = rounds.length;
    const ready = changes && next < planned && open.length === 0 && teams.length > 1;
    const button = (
      /** @type {string} */ name,
      /** @type {boolean} */ primary,
      /** @type {() => void} */ onclick,
      /** @type {string} */ text,
    ) =>
      h("button", { type: "button", class: primary && "primary", "data-do": name, onclick }, text);
    const pairText = t("event.pair", { n: next + 1 });
    return h(
      "div",
      { class: "intro" },
      h("h1", {}, settings.name),
      h("p", {}, facts.join(" · ")),
      folder && h("p", { class: "note" }, t("event.folder"), h("code", {}, folder)),
      h(
        "div",
        { class: "actions" },
        ready && button("pair", true, () => send({ do: "pair", round: next }), pairText),
        changes &&
          next > 0 &&
          !isBegun(rounds[next - 1]) &&
          button("unpair", false, () => send({ do: "unpair" }), t("event.unpair")),
        button("print", false, () => window.print(), t("event.print")),
      ),
      changes &&
        open.length > 0 &&
        h(
          "p",
          { class: "note", role: "status" },
          t("event.open", { tables: open.map((table) => table + 1).join(", ") }),
        ),
    );
  }

  await poll(
    main,
    () => api.event(id),
    (event) => {
      shown = event;
      draw();
      return !event.finished;
    },
  );
}

/** Whether a game of a round has a result. @param {Api.EventRound} round */
const isBegun = ({ tables }) =>
  tables.some(({ games }) => games.some(({ end, record }) => end || record));

/**
 * @param {Api.Event} event
 * @param {number} shown
 * @param {(command: Api.EventCommand) => Promise<boolean>} send
 * @param {(round: number) => void} choose
 */
function roundPanel(event, shown, send, choose) {
  const { byes, tables } = event.rounds[shown];
  const rounds = event.rounds.map((_, n) => [String(n), String(n + 1)]);
  const picker = choice("round", rounds, String(shown), (value) => choose(Number(value)));
  picker.prepend(h("legend", {}, t("event.round")));
  const label = t("event.tables", { n: shown + 1 });
  const columns = ["event.table", "arena.first", "arena.second", "arena.result", "event.record"];
  const rows = tables.flatMap((table, n) => [
    ...table.games.map((game) => gameRow(event, n, game, send)),
    ...decisionRow(event, shown, n, send),
  ]);
  const resting = byes.map((team) => teamText(event, team)).join(", ");
  return h(
    "section",
    { class: "panel round" },
    h("div", { class: "head" }, h("h2", {}, label), picker),
    figuresTable({
      label,
      name: "tables",
      columns: columns.map((key) => ({ text: t(key) })),
      rows,
    }),
    byes.length > 0 && h("p", { class: "note" }, t("event.bye", { teams: resting })),
  );
}

/** @param {Api.Event} event @param {number} team */
const teamText = ({ teams }, team) => `${team + 1} ${teams[team].name}`;

/**
 * @param {Api.Event} event
 * @param {number} table
 * @param {Api.EventGame} game
 * @param {(command: Api.EventCommand) => Promise<boolean>} send
 */
function gameRow(event, table, { end, name, place, record, sides }, send) {
  const won = (/** @type {string} */ side) => end?.winner === side && "winner";
  return h(
    "tr",
    { "data-table": name },
    h("td", {}, event.settings.games > 1 ? `${table + 1}.${place[2] + 1}` : table + 1),
    h("td", { class: won("first") }, teamText(event, sides[0])),
    h("td", { class: won("second") }, teamText(event, sides[1])),
    h("td", {}, event.changes ? resultFields(name, place, end, send) : resultText(end)),
    h("td", {}, recordCell(event, { place, record, sides, name }, send)),
  );
}

/** @param {Api.GameEnd|null} end */
function resultText(end) {
  if (!end) return "–";
  return `${t(`event.winner.${end.winner}`)} · ${reasonText(end.reason)}`;
}

/**
 * @param {string} name
 * @param {Api.EventPlace} place
 * @param {Api.GameEnd|null} end
 * @param {(command: Api.EventCommand) => Promise<boolean>} send
 */
function resultFields(name, place, end, send) {
  const option = (
    /** @type {string} */ value,
    /** @type {string} */ text,
    /** @type {string} */ now,
  ) => h("option", { value, selected: value === now }, text);
  const winner = h(
    "select",
    {
      "data-key": `winner-${name}`,
      "aria-label": `${name}: ${t("arena.result")}`,
      onchange: () => change(),
    },
    WINNERS.map((one) => option(one, one ? t(`event.winner.${one}`) : "–", end?.winner ?? "")),
  );
  const usual = REASONS[end?.winner ?? "first"];
  const known = end && !usual.includes(end.reason) ? [end.reason, ...usual] : usual;
  const reason = h(
    "select",
    {
      "data-key": `reason-${name}`,
      "aria-label": `${name}: ${t("result.reason")}`,
      disabled: !end,
      onchange: () => change(),
    },
    known.map((one) => option(one, reasonText(one), end?.reason ?? usual[0])),
  );
  const change = () => {
    const next = /** @type {Api.GameEnd["winner"]} */ (winner.value);
    const fitting = REASONS[next] ?? [];
    const kept = fitting.includes(reason.value) ? reason.value : fitting[0];
    send({
      do: "result",
      place,
      end: winner.value === "" ? null : { winner: next, reason: kept },
    });
  };
  return h("span", { class: "result-fields" }, winner, reason);
}

/**
 * @param {Api.Event} event
 * @param {Pick<Api.EventGame, "place" | "record" | "sides" | "name">} game
 * @param {(command: Api.EventCommand) => Promise<boolean>} send
 */
function recordCell(event, { name, place, record, sides }, send) {
  const key = `record-${name}`;
  const open = () => openRecordDialog(event, { name, place, record, sides }, send);
  if (record) {
    return h(
      "button",
      { type: "button", class: "quiet record", "data-key": key, title: record, onclick: open },
      record,
    );
  }
  const label = `${name}: ${t("event.addRecord")}`;
  return (
    event.changes &&
    h(
      "button",
      { type: "button", class: "quiet", "data-key": key, "aria-label": label, onclick: open },
      t("event.addRecord"),
    )
  );
}

/**
 * In a knockout: who goes on although the games are level.
 * @param {Api.Event} event
 * @param {number} round
 * @param {number} table
 * @param {(command: Api.EventCommand) => Promise<boolean>} send
 */
function decisionRow(event, round, table, send) {
  const { advances, games, half_points, teams } = event.rounds[round].tables[table];
  const level = half_points[0] === half_points[1] && games.every(({ end }) => end);
  if (event.settings.format.kind !== "knockout" || !level) return [];
  const button = (/** @type {number} */ side) =>
    h(
      "button",
      {
        type: "button",
        "data-key": `decide-${round}-${table}-${side}`,
        "aria-pressed": String(advances === side),
        disabled: !event.changes,
        onclick: () => send({ do: "decide", round, table, side }),
      },
      teamText(event, teams[side]),
    );
  return [
    h(
      "tr",
      {},
      h("td", {}),
      h("td", { colspan: 4, class: "actions" }, t("event.decide"), [0, 1].map(button)),
    ),
  ];
}

/** @param {Api.Event} event */
function chartPanel(event) {
  const label = t("event.chart");
  const number = (/** @type {string} */ text) => ({ text, number: true });
  const columns = [
    number(t("event.rank")),
    { text: t("event.team") },
    ...event.rounds.map((_, n) => ({ text: String(n + 1) })),
    number(t("arena.points")),
    number(t("event.buchholz")),
    number(t("event.sb")),
    number(t("event.wins")),
  ];
  const row = (/** @type {Api.EventRow} */ one) =>
    h(
      "tr",
      {},
      h("td", { class: "n" }, one.rank),
      h(
        "td",
        {},
        // A number never stands alone on a line.
        teamText(event, one.team).replace(" ", "\u00a0"),
        event.teams[one.team].withdrawn &&
          h("span", { class: "faint" }, ` ${t("event.withdrawn")}`),
      ),
      one.cells.map((cell) =>
        h("td", { class: "cell" }, cell === "bye" ? t("event.byeCell") : cell),
      ),
      h("td", { class: "n" }, h("strong", {}, points(one.half_points))),
      h("td", { class: "n" }, points(one.buchholz)),
      h("td", { class: "n" }, one.sonneborn_berger / 4),
      h("td", { class: "n" }, one.wins),
    );
  return h(
    "section",
    { class: "panel chart" },
    h("div", { class: "head" }, h("h2", {}, label)),
    figuresTable({ label, name: "wall-chart", columns, rows: event.rows.map(row) }),
    h("p", { class: "note" }, t("event.legend")),
  );
}

/** @param {Api.Event} event @param {(command: Api.EventCommand) => Promise<boolean>} send */
function teamsPanel({ settings, rounds, teams }, send) {
  const text = h("textarea", {
    rows: 3,
    maxlength: 30000,
    "data-key": "new-teams",
    "aria-label": t("event.teamsHint"),
    placeholder: t("event.teamsHint"),
  });
  const join = rounds.length === 0 || settings.format.kind === "swiss";
  const box = (/** @type {Api.EventTeam} */ team, /** @type {number} */ n) => {
    const onchange = () => send({ do: "withdraw", team: n, withdrawn: !team.withdrawn });
    const key = `team-${n}`;
    return h(
      "label",
      {},
      h("input", { type: "checkbox", "data-key": key, checked: !team.withdrawn, onchange }),
      `${n + 1} ${team.name}`,
    );
  };
  return h(
    "details",
    { class: "panel teams" },
    h("summary", {}, t("event.teams")),
    h("p", { class: "note" }, t("event.teamsLead")),
    h("div", { class: "team-list" }, teams.map(box)),
    join &&
      h(
        "form",
        {
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            const added = text.value;
            text.value = "";
            send({ do: "add_teams", teams: added }).then((done) => {
              const field = document.querySelector("[data-key=new-teams]");
              if (!done && field instanceof HTMLTextAreaElement) field.value = added;
            });
          },
        },
        text,
        h("button", { type: "submit", "data-do": "add-teams" }, t("event.addTeams")),
      ),
  );
}
