// The first view: choose a game and who plays.

import * as api from "./api.js";
import { h, put, s, toast } from "./dom.js";
import { choice, field, pick } from "./form.js";
import { gameName, t } from "./i18n.js";
import { go } from "./main.js";
import { piece } from "./board/surakarta.js";
import { stone } from "./board/four.js";

const GAMES = ["surakarta", "dots-and-boxes", "connect-four"];

/** Boards that people ask for, by game. @type {Record<string, string[]>} */
export const SETUPS = {
  "surakarta": ["", "quiet=80 stall=draw", "repetition=6 repeat=loses"],
  "dots-and-boxes": ["5x5", "3x3", "3x4", "4x4", "6x6", "7x7"],
  "connect-four": ["7x6", "8x7", "9x9", "10x10", "11x10 hole=3,4", "12x12"],
};

/** A picture of a game. @param {string} game */
function picture(game) {
  const art = s("svg", { class: `art board-${game}`, viewBox: "0 0 6 4", "aria-hidden": "true" });
  const put = (/** @type {SVGElement} */ element, /** @type {number} */ x, /** @type {number} */ y) => {
    element.setAttribute("transform", `translate(${x} ${y})`);
    art.append(element);
  };
  if (game === "surakarta") {
    for (const i of [1, 2, 3]) {
      art.append(s("line", { class: `line ${i === 2 ? "large" : "small"}`, x1: 2, y1: i, x2: 6, y2: i }),
        s("line", { class: `line ${i === 2 ? "large" : "small"}`, x1: i + 1, y1: 1, x2: i + 1, y2: 4 }));
    }
    art.append(s("path", { class: "line small", d: "M2 2A1 1 0 1 1 3 1" }), s("path", { class: "trail capture", d: "M5 2L2 2A1 1 0 1 1 3 1L3 3" }));
    put(piece("1"), 3, 3);
    put(piece("2"), 5, 3);
    put(piece("2"), 4, 2);
  } else if (game === "dots-and-boxes") {
    const edges = [[1, 1, 2, 1], [2, 1, 3, 1], [1, 1, 1, 2], [1, 2, 2, 2], [2, 1, 2, 2], [3, 1, 3, 2], [4, 1, 5, 1], [4, 2, 4, 3], [3, 3, 4, 3], [2, 2, 2, 3], [1, 3, 2, 3], [1, 2, 1, 3], [5, 2, 5, 3]];
    art.append(s("g", { class: "box box-1", transform: "translate(1.5 1.5)" }, s("rect", { class: "tint", x: -0.46, y: -0.46, width: 0.92, height: 0.92 }), s("circle", { r: 0.17 })),
      s("g", { class: "box box-2", transform: "translate(1.5 2.5)" }, s("rect", { class: "tint", x: -0.46, y: -0.46, width: 0.92, height: 0.92 }), s("path", { d: "M0 -0.22L0.22 0L0 0.22L-0.22 0Z" })));
    for (const [x1, y1, x2, y2] of edges) art.append(s("line", { class: "edge", x1, y1, x2, y2 }));
    for (let x = 1; x < 6; x += 1) for (let y = 1; y < 4; y += 1) art.append(s("circle", { class: "dot", cx: x, cy: y, r: 0.09 }));
  } else {
    art.append(s("rect", { class: "plate", x: 0.45, y: 0.45, width: 5.1, height: 3.1, rx: 0.25 }));
    const cells = ["....1", ".2121", "12212"];
    cells.forEach((row, y) => [...row].forEach((owner, x) => {
      if (owner === ".") art.append(s("circle", { class: "window", cx: x + 1, cy: y + 1, r: 0.4 }));
      else put(stone(owner), x + 1, y + 1);
    }));
  }
  return art;
}

/** @param {HTMLElement} main */
export async function home(main) {
  const chosen = { game: localStorage.game ?? "surakarta", mode: "engine", side: "0", level: localStorage.level ?? "4", level2: "best", setup: "", time: "", think: "1" };
  if (!GAMES.includes(chosen.game)) chosen.game = "surakarta";
  chosen.setup = SETUPS[chosen.game][0];
  const form = h("form", { class: "panel setup" });
  const recent = h("section", { class: "panel recent" });
  main.className = "home";
  const cards = h("div", { class: "cards", role: "radiogroup", "aria-label": t("home.title") });
  put(main, h("div", { class: "intro" }, h("h1", {}, t("home.title")), h("p", {}, t("home.lead"))), cards, form, paste(chosen), recent);

  function draw() {
    put(cards, GAMES.map((game) => h("button", {
      class: "card", type: "button", role: "radio", "aria-checked": String(game === chosen.game), "data-game": game,
      onclick: () => { chosen.game = game; chosen.setup = SETUPS[game][0]; localStorage.game = game; draw(); },
    }, picture(game), h("strong", {}, gameName(game)), h("span", {}, t(`tag.${game}`)))));
    const levels = [...Array(10).keys()].map((n) => /** @type {[string, string]} */ ([String(n + 1), t("home.level", { n: n + 1 })]));
    const strengths = /** @type {[string, string][]} */ ([...levels, ["best", t("home.best")]]);
    const set = (/** @type {keyof typeof chosen} */ key, redraw = false) => (/** @type {string} */ value) => { chosen[key] = value; if (redraw) draw(); };
    put(form,
      field(t("home.mode"), choice("mode", ["engine", "people", "engines", "analyse"].map((mode) => [mode, t(`home.kind.${mode}`)]), chosen.mode, set("mode", true))),
      chosen.mode === "engine" && field(t("home.you"), choice("side", [["0", t("home.first")], ["1", t("home.second")]], chosen.side, set("side"))),
      chosen.mode === "engine" && field(t("home.strength"), pick("level", strengths, chosen.level, set("level"))),
      chosen.mode === "engines" && field(t("home.engine1"), pick("level", strengths, chosen.level, set("level"), true)),
      chosen.mode === "engines" && field(t("home.engine2"), pick("level2", strengths, chosen.level2, set("level2"), true)),
      field(t(chosen.game === "surakarta" ? "home.rules" : "home.setup"), pick("setup", SETUPS[chosen.game].map((text) => [text, text || t("home.standard")]), chosen.setup, set("setup"), true)),
      chosen.mode !== "analyse" && field(t("home.time"), pick("time", [["", t("home.untimed")], ...[1, 3, 5, 10, 15, 30].map((n) => /** @type {[string, string]} */ ([String(n), t("home.minutes", { n })]))], chosen.time, set("time"))),
      (chosen.mode === "engine" || chosen.mode === "engines") && chosen.time === "" && field(t("home.think"), pick("think", ["0.2", "1", "3", "10", "30"].map((n) => [n, t("home.seconds", { n })]), chosen.think, set("think"))),
      h("button", { class: "primary", type: "submit" }, t(chosen.mode === "analyse" ? "home.analyse" : "home.play")));
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    localStorage.level = chosen.level;
    await begin(request(chosen));
  });
  draw();
  await listRecent(recent);
}

/** The engine that a strength names. @param {string} strength */
export function engineOf(strength) {
  return { engine: /^\d+$/.test(strength) ? `level n=${strength}` : strength };
}

/** @param {any} chosen */
function request(chosen) {
  const game = `${chosen.game} ${chosen.setup}`.trim();
  const seats = {
    engine: chosen.side === "0" ? ["human", engineOf(chosen.level)] : [engineOf(chosen.level), "human"],
    engines: [engineOf(chosen.level), engineOf(chosen.level2)],
  }[/** @type {string} */ (chosen.mode)] ?? ["human", "human"];
  const analyse = chosen.mode === "analyse";
  return {
    game, seats,
    move_seconds: Number(chosen.think),
    total: chosen.time && !analyse ? Number(chosen.time) * 60000 : null,
    study: analyse ? { on: true, engine: "best" } : null,
  };
}

/** @param {any} wanted @param {boolean} [replace] */
export async function begin(wanted, replace = false) {
  try {
    const { id } = await api.create(wanted);
    go(`/g/${id}`, replace);
  } catch (error) {
    toast(/** @type {Error} */ (error).message);
  }
}

/** Opens `/?game=…&position=…&moves=…`. @param {HTMLElement} main @param {URLSearchParams} link */
export async function openLink(main, link) {
  try {
    const { id } = await api.create({
      game: link.get("game"), position: link.get("position"), moves: link.get("moves"),
      study: { on: true, engine: "best" },
    });
    go(`/g/${id}`, true);
  } catch (error) {
    await home(main);
    toast(/** @type {Error} */ (error).message);
  }
}

/** A text that is a record, a position or a list of moves, for the game chosen. @param {any} chosen */
function paste(chosen) {
  const game = () => `${chosen.game} ${chosen.setup}`.trim();
  const text = /** @type {HTMLTextAreaElement} */ (h("textarea", { rows: 2, placeholder: t("home.pasteHint"), "aria-label": t("home.paste"), maxlength: 20000 }));
  const file = /** @type {HTMLInputElement} */ (h("input", {
    type: "file", accept: ".txt,.json,.sgf,.rec", "aria-label": t("home.file"),
    onchange: async () => {
      const chosenFile = file.files?.[0];
      if (chosenFile && chosenFile.size < 60000) openText(game(), decode(await chosenFile.arrayBuffer()));
    },
  }));
  return h("details", { class: "panel paste" }, h("summary", {}, t("home.paste")), text,
    h("div", { class: "actions" }, h("button", { type: "button", "data-do": "open", onclick: () => openText(game(), text.value) }, t("home.open")), file));
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
  const tries = recorded ? [{ game, record: text }] : [{ game, moves: bare }, { game, position: bare }, { game, record: text }];
  let refusal = "";
  for (const one of tries) {
    try {
      const { id } = await api.create({ ...one, study });
      return go(`/g/${id}`);
    } catch (error) {
      refusal ||= /** @type {Error} */ (error).message;
    }
  }
  return toast(refusal);
}

/** @param {HTMLElement} place */
async function listRecent(place) {
  const games = await api.recent().catch(() => []);
  put(place, h("h2", {}, t("home.recent")), games.length === 0 ? h("p", { class: "faint" }, t("home.none"))
    : h("ul", {}, games.slice(0, 8).map((/** @type {any} */ game) => {
      const [name, ...setup] = game.game.split(" ");
      return h("li", {}, h("a", { href: `/g/${game.id}` }, h("span", {}, `${gameName(name)} ${setup.join(" ")}`),
        h("span", { class: "faint" }, t("home.plies", { n: game.plies })),
        h("time", { class: "faint" }, new Date(game.updated).toLocaleString(document.documentElement.lang, { dateStyle: "short", timeStyle: "short" }))));
    })));
}
