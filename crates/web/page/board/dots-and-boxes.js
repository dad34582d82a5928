// The Dots and Boxes board. Each edge is clicked anywhere in the diamond between
// its two dots and the middles of the boxes beside it, so there are no gaps.

import { s } from "../dom.js";
import { t } from "../i18n.js";
import { isCertain, lineShort, lineValue } from "./score.js";

/**
 * @typedef {Api.Place & {across: boolean}} Edge
 * @typedef {Api.Geometry & {rows: number, columns: number}} Geometry
 * @typedef {object} Chain
 * @property {number[]} boxes
 * @property {string[]} edges
 * @property {boolean} ring
 * @property {boolean} long
 * @property {boolean} open
 * @typedef {Api.View & {edges: string, chains?: Chain[]}} View
 */

/**
 * The sign of a box's owner: First a disc, Second a diamond.
 * @param {string} owner
 */
function sign(owner) {
  if (owner === "2") return s("path", { d: "M0 -0.22L0.22 0L0 0.22L-0.22 0Z" });
  return s("circle", { r: owner === "1" ? 0.17 : 0.06 });
}

/** @param {string} owner @param {Board.Point} middle @param {number} [rounding] */
function box(owner, { x, y }, rounding) {
  return s(
    "g",
    { class: `box box-${owner === "#" ? "0" : owner}`, transform: `translate(${x} ${y})` },
    s("rect", { class: "tint", x: -0.46, y: -0.46, width: 0.92, height: 0.92, rx: rounding }),
    sign(owner),
  );
}

/** @param {number} cx @param {number} cy @param {number} r */
const dot = (cx, cy, r) => s("circle", { class: "dot", cx, cy, r });

function picture() {
  const edges = [
    [1, 1, 2, 1],
    [2, 1, 3, 1],
    [1, 1, 1, 2],
    [1, 2, 2, 2],
    [2, 1, 2, 2],
    [3, 1, 3, 2],
    [4, 1, 5, 1],
    [4, 2, 4, 3],
    [3, 3, 4, 3],
    [2, 2, 2, 3],
    [1, 3, 2, 3],
    [1, 2, 1, 3],
    [5, 2, 5, 3],
  ];
  const dots = [1, 2, 3, 4, 5].flatMap((x) => [1, 2, 3].map((y) => dot(x, y, 0.09)));
  return [
    box("1", { x: 1.5, y: 1.5 }),
    box("2", { x: 1.5, y: 2.5 }),
    ...edges.map(([x1, y1, x2, y2]) => s("line", { class: "edge", x1, y1, x2, y2 })),
    ...dots,
  ];
}

/** The numbers of a box's sides. @param {Api.Geometry} geometry @param {number} number */
function sidesOf({ places, ...more }, number) {
  const { columns } = /** @type {Geometry} */ (more);
  const [x, y] = [(number % columns) + 1, Math.floor(number / columns) + 1];
  const beside = places.filter((place) => "across" in place);
  return beside
    .filter((place) => Math.hypot(place.x - x, place.y - y) < 0.6)
    .map((place) => Number(place.id));
}

/** @param {number} player */
function token(player) {
  const body =
    player === 1
      ? s("path", { class: "body", d: "M0 -0.46L0.46 0L0 0.46L-0.46 0Z" })
      : s("circle", { class: "body", r: 0.36 });
  return s("g", { class: `side side-${player + 1}` }, body);
}

/** @param {Board.Frame} frame @returns {Board.Drawing} */
function drawing({ geometry, at, places, layers }) {
  const { rows, columns } = /** @type {Geometry} */ (geometry);
  const edge = (/** @type {string} */ id) => /** @type {Edge|undefined} */ (places.get(id));
  const middle = (/** @type {number} */ number) =>
    at({ x: (number % columns) + 1, y: Math.floor(number / columns) + 1 });

  /** @param {Edge} place @param {string} name @param {Dom.Attributes} [more] */
  function line(place, name, more = {}) {
    const { x, y } = at(place);
    const [dx, dy] = place.across ? [0.5, 0] : [0, 0.5];
    return s("line", { class: name, x1: x - dx, y1: y - dy, x2: x + dx, y2: y + dy, ...more });
  }

  /** @param {Chain} chain */
  function drawChain({ boxes, edges, long, ring, open }) {
    const kinds = [long && "long", ring && "ring", open && "opened"].filter(Boolean);
    const group = s("g", { class: ["chain", ...kinds].join(" ") });
    for (const number of boxes) {
      const a = middle(number);
      for (const id of edges) {
        const place = edge(id);
        if (!place) continue;
        const b = at(place);
        if (Math.hypot(a.x - b.x, a.y - b.y) < 0.6) {
          group.append(s("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y }));
        }
      }
      group.append(s("circle", { cx: a.x, cy: a.y, r: 0.09 }));
    }
    layers.over.append(group);
  }

  /** @param {Board.Marked[]} lines */
  function drawScores(lines) {
    const most = Math.max(1, ...lines.map((one) => one.visits));
    const highest = Math.max(...lines.map(lineValue));
    lines.forEach((one, i) => {
      const place = edge(one.places[0]);
      if (!place) return;
      const best = lineValue(one) >= highest - 1e-9;
      const opacity = (0.12 + 0.8 * (one.visits / most)).toFixed(2);
      const name = `mark heat${best ? " best" : ""}`;
      layers.under.append(line(place, name, { "stroke-opacity": opacity }));
      // All of them on a small board, or the best twelve: more can't be read.
      if (lines.length > 31 && i >= 12 && !isCertain(one)) return;
      const { x, y } = at(place);
      const certain = isCertain(one) ? " certain" : "";
      const attributes = { class: `mark edge-score${certain}`, x, y: y + 0.07 };
      layers.over.append(s("text", attributes, lineShort(one)));
    });
  }

  /** Letters of columns and numbers of rows, as in the names of edges. */
  function drawCoordinates() {
    /** @param {Board.Point} dot @param {Board.Point} by @param {string} name */
    const label = (dot, by, name) => {
      const { x, y } = at({ x: dot.x + by.x, y: dot.y + by.y });
      layers.base.append(s("text", { class: "coordinate", x, y: y + 0.08 }, name));
    };
    for (let column = 0; column <= columns; column += 1) {
      const name = String.fromCharCode("a".charCodeAt(0) + column);
      label({ x: column + 0.5, y: rows + 0.5 }, { x: 0, y: 0.3 }, name);
    }
    for (let row = 0; row <= rows; row += 1) {
      label({ x: 0.5, y: row + 0.5 }, { x: -0.3, y: 0 }, String(rows + 1 - row));
    }
  }

  /** Names both dots of an edge. @param {Edge} place */
  function nameDots({ x, y, across }) {
    clearNames();
    const [dx, dy] = across ? [0.5, 0] : [0, 0.5];
    const ends = [
      { x: x - dx, y: y + dy },
      { x: x + dx, y: y - dy },
    ];
    for (const end of ends) {
      const letter = String.fromCharCode("a".charCodeAt(0) + Math.round(end.x - 0.5));
      const name = `${letter}${rows + 1 - Math.round(end.y - 0.5)}`;
      const { x: left, y: top } = at(end);
      layers.drag.append(s("text", { class: "dot-name", x: left, y: top - 0.16 }, name));
    }
  }
  const clearNames = () => layers.drag.querySelectorAll(".dot-name").forEach((one) => one.remove());

  return {
    base() {
      for (const place of places.values()) {
        if ("across" in place) layers.base.append(line(/** @type {Edge} */ (place), "gap"));
      }
      drawCoordinates();
    },

    hit(place) {
      const { x, y } = at(place);
      if (!("across" in place)) return s("circle", { cx: x, cy: y, r: 0.24 });
      const show = () => nameDots(/** @type {Edge} */ (place));
      return s("path", {
        d: `M${x - 0.5} ${y}L${x} ${y - 0.5}L${x + 0.5} ${y}L${x} ${y + 0.5}Z`,
        onpointerenter: show,
        onfocus: show,
        onpointerleave: clearNames,
        onblur: clearNames,
      });
    },

    draw(ply, animate) {
      const { cells, edges, last } = /** @type {View} */ (ply.view);
      layers.pieces.replaceChildren();
      layers.under.replaceChildren();
      [...cells].forEach((owner, number) => {
        if (owner !== ".") layers.under.append(box(owner, middle(number), 0.06));
      });
      [...edges].forEach((drawn, i) => {
        const place = edge(String(i));
        if (drawn !== "1" || !place) return;
        const newest = last?.[0] === place.id;
        const names = ["edge", newest && `last by-${(ply.by ?? 0) + 1}`];
        if (newest && animate) names.push("drawing");
        layers.pieces.append(line(place, names.filter(Boolean).join(" ")));
      });
      for (let row = 0; row <= rows; row += 1) {
        for (let column = 0; column <= columns; column += 1) {
          const { x, y } = at({ x: column + 0.5, y: row + 0.5 });
          layers.pieces.append(dot(x, y, 0.075));
        }
      }
    },

    targets() {},

    marks(lines, { scores, overlays, ply }) {
      layers.over.replaceChildren();
      layers.under.querySelectorAll(".mark").forEach((one) => one.remove());
      const view = /** @type {View|undefined} */ (ply?.view);
      if (overlays.has("chains")) view?.chains?.forEach(drawChain);
      if (scores && lines) drawScores(lines);
    },

    label(place, ply) {
      if (!("across" in place)) return t("place.box", { name: place.name });
      const drawn = /** @type {View} */ (ply.view).edges[Number(place.id)] === "1";
      const name = t("place.edge", { name: place.name });
      return `${name}, ${t(drawn ? "place.drawn" : "place.empty")}`;
    },
  };
}

/** @type {Board.Script} */
export const script = {
  why: () => import("./dots-and-boxes-why.js"),
  words: {
    en: {
      "place.edge": "edge {name}",
      "place.drawn": "drawn",
      "place.box": "box {name}",
    },
    zh: {
      "place.edge": "边 {name}",
      "place.drawn": "已画",
      "place.box": "格 {name}",
    },
  },
  token,
  picture,
  drawing,
  edit({ cells, edges }, id, brush, geometry) {
    const owner = brush === "." ? "#" : brush;
    const box = id.startsWith("box ") ? Number(id.slice(4)) : -1;
    const drawn = [...edges];
    if (box < 0) drawn[Number(id)] = drawn[Number(id)] === "1" ? "0" : "1";
    // A box that was closed just now, or clicked, is the brush's; one that is open
    // is nobody's.
    const owners = [...cells].map((before, number) => {
      if (sidesOf(geometry, number).some((edge) => drawn[edge] !== "1")) return ".";
      return before === "." || number === box ? owner : before;
    });
    return { cells: owners.join(""), edges: drawn.join("") };
  },
  editPlaces(geometry) {
    const { rows, columns } = /** @type {Geometry} */ (geometry);
    return Array.from({ length: rows * columns }, (_, number) => {
      const [column, row] = [number % columns, Math.floor(number / columns)];
      const name = `${String.fromCharCode("a".charCodeAt(0) + column)}${rows - row}`;
      return { id: `box ${number}`, name, x: column + 1, y: row + 1 };
    });
  },
};
