// The Connect Four board: a plate with round windows, stones that fall behind
// it, perhaps a cell that stays closed. A column is one place to click.

import { s } from "../dom.js";
import { t } from "../i18n.js";
import { isCertain, lineShort, lineValue } from "./score.js";

/**
 * @typedef {Api.Geometry & {rows: number, columns: number}} Geometry
 * @typedef {Api.View & {landed?: number, four?: number[]}} View
 */

/**
 * First's stone has a dot, Second's a ring.
 * @param {string} owner
 */
function stone(owner) {
  return s(
    "g",
    { class: `stone stone-${owner}` },
    s("circle", { class: "body", r: 0.4 }),
    s("circle", { class: "sign", r: owner === "1" ? 0.12 : 0.2 }),
  );
}

function picture() {
  const cells = ["....1", ".2121", "12212"].flatMap((row, y) =>
    [...row].map((owner, x) => {
      const transform = `translate(${x + 1} ${y + 1})`;
      const window = s("circle", { class: "window", r: 0.4 });
      return s("g", { transform }, owner === "." ? window : stone(owner));
    }),
  );
  const plate = { class: "plate", x: 0.45, y: 0.45, width: 5.1, height: 3.1, rx: 0.25 };
  return [s("rect", plate), ...cells];
}

/** @param {number} player */
function token(player) {
  return s(
    "g",
    { class: `stone stone-${player + 1}` },
    s("circle", { class: "body", r: 0.42 }),
    s("circle", { class: "sign", r: player === 0 ? 0.12 : 0.2 }),
  );
}

/** A cell that stays closed. */
const hole = () =>
  s(
    "g",
    { class: "hole" },
    s("circle", { r: 0.4 }),
    s("path", { d: "M-0.17 -0.17L0.17 0.17M0.17 -0.17L-0.17 0.17" }),
  );

/** @param {Board.Frame} frame @returns {Board.Drawing} */
function drawing({ geometry, at, places, layers }) {
  const { rows, columns } = /** @type {Geometry} */ (geometry);
  const ids = [...places.keys()];
  const centre = (/** @type {number} */ cell) =>
    at({ x: (cell % columns) + 0.5, y: Math.floor(cell / columns) + 0.5 });
  /** Where a stone would come to lie, by column. @type {Map<string, number>} */
  let landings = new Map();

  const clearShadow = () => layers.drag.querySelectorAll(".shadow").forEach((one) => one.remove());

  /** @param {string} id of a column */
  function showShadow(id) {
    clearShadow();
    const cell = landings.get(id);
    if (cell === undefined) return;
    const { x, y } = centre(cell);
    layers.drag.append(s("circle", { class: "shadow", cx: x, cy: y, r: 0.4 }));
  }

  /** @param {SVGElement} element @param {number} y */
  function fall(element, y) {
    const frames = [{ transform: `translateY(${-(y + 0.6)}px)` }, { transform: "translateY(0)" }];
    const easing = "cubic-bezier(.55,0,.85,.6)";
    element.animate(frames, { duration: 140 + 140 * Math.sqrt(y), easing });
  }

  return {
    base() {
      const plate = { x: 0.02, y: 0.02, width: columns - 0.04, height: rows - 0.04, rx: 0.22 };
      layers.base.append(s("rect", { class: "plate", ...plate }));
      for (let cell = 0; cell < columns * rows; cell += 1) {
        const { x, y } = centre(cell);
        layers.base.append(s("circle", { class: "window", cx: x, cy: y, r: 0.4 }));
      }
      for (const place of places.values()) {
        const { x } = at(place);
        layers.base.append(s("text", { class: "coordinate", x, y: rows + 0.32 }, place.name));
      }
    },

    hit(place) {
      const { x } = at(place);
      const show = () => showShadow(place.id);
      return s("rect", {
        x: x - 0.5,
        y: -0.6,
        width: 1,
        height: rows + 1,
        rx: 0.2,
        onpointerenter: show,
        onfocus: show,
        onpointerleave: clearShadow,
        onblur: clearShadow,
      });
    },

    draw(ply, animate) {
      const { cells, landed, four } = /** @type {View} */ (ply.view);
      layers.pieces.replaceChildren();
      layers.under.replaceChildren();
      clearShadow();
      [...cells].forEach((owner, cell) => {
        if (owner === ".") return;
        const { x, y } = centre(cell);
        const element = owner === "#" ? hole() : stone(owner);
        if (four?.includes(cell)) element.classList.add("won");
        layers.pieces.append(s("g", { transform: `translate(${x} ${y})` }, element));
        if (cell !== landed) return;
        element.append(s("circle", { class: "newest", r: 0.4 }));
        if (animate) fall(element, y);
      });
    },

    targets(_, moves) {
      landings = new Map(moves.map(([id, , cell]) => [id, Number(cell)]));
    },

    marks(lines, { scores }) {
      layers.over.replaceChildren();
      if (!scores || !lines) return;
      const most = Math.max(1, ...lines.map((line) => line.visits));
      const highest = Math.max(...lines.map(lineValue));
      lines.forEach((line) => {
        const {
          places: [id],
          visits,
        } = line;
        const place = places.get(id);
        if (!place) return;
        const { x } = at(place);
        const best = lineValue(line) >= highest ? " best" : "";
        const certain = isCertain(line) ? " certain" : "";
        const bar = { x: x - 0.4, y: -0.1, width: (0.8 * visits) / most, height: 0.06, rx: 0.03 };
        layers.over.append(
          s("rect", { class: `mark share${best}`, ...bar }),
          s("text", { class: `mark column-score${best}${certain}`, x, y: -0.2 }, lineShort(line)),
        );
      });
    },

    snap({ x, y }) {
      const inside = x >= 0 && y >= 0 && x < columns && y < rows;
      return inside ? { x: Math.floor(x) + 0.5, y: Math.floor(y) + 0.5 } : null;
    },

    label(place, ply) {
      const column = ids.indexOf(place.id);
      const free = [...ply.view.cells].some((owner, i) => i % columns === column && owner === ".");
      const name = t("place.column", { name: place.name });
      return free ? name : `${name}, ${t("place.full")}`;
    },
  };
}

/** @type {Board.Script} */
export const script = {
  margin: { top: 0.62, bottom: 0.42 },
  why: () => import("./connect-four-why.js"),
  words: {
    en: {
      "place.column": "column {name}",
      "place.full": "full",
      "refused.even":
        "{a} stones of {first} and {b} of {second}, where both have as many when {side} is to move",
      "refused.more":
        "{a} stones of {first} and {b} of {second}, where {first} has one more when {side} is to move",
      "refused.bothFour": "both sides have four in a row",
      "refused.mover": "{side} has four in a row and is to move, so the game ended a move earlier",
      "refused.early": "no last move of {side} completes all its fours, so the game ended earlier",
    },
    zh: {
      "place.column": "第 {name} 列",
      "place.full": "已满",
      "refused.even": "{first} {a} 子，{second} {b} 子，而轮到{side}时双方应子数相等",
      "refused.more": "{first} {a} 子，{second} {b} 子，而轮到{side}时{first}应多一子",
      "refused.bothFour": "双方都已连成四子",
      "refused.mover": "{side}已连成四子却轮到{side}，对局在上一步就已结束",
      "refused.early": "{side}的任何最后一步都不能同时连成所有四子，对局早已结束",
    },
  },
  refusals: [
    [/(?<a>\d+) stones x and (?<b>\d+) stones o: with (?<one>x) to move/, "refused.even"],
    [/(?<a>\d+) stones x and (?<b>\d+) stones o: with o to move/, "refused.more"],
    [/both sides have four in a row/, "refused.bothFour"],
    [/(?:(?<one>x)|o) has four in a row and is to move/, "refused.mover"],
    [/no last move of (?:(?<one>x)|o) completes/, "refused.early"],
  ],
  token,
  picture,
  drawing,
  edit({ cells, edges }, id, brush, geometry) {
    const { columns, places } = /** @type {Geometry} */ (geometry);
    const column = places.findIndex((place) => place.id === id);
    // From the bottom: a stone comes to lie on the others, and the last goes first.
    const own = Array.from(cells, (_, cell) => cell)
      .filter((cell) => cell % columns === column)
      .reverse();
    const free = own.find((cell) => cells[cell] === ".");
    const top = own.findLast((cell) => "12".includes(cells[cell]));
    const at = brush === "." ? top : free;
    if (at === undefined) return { cells, edges };
    return { cells: cells.slice(0, at) + brush + cells.slice(at + 1), edges };
  },
};
