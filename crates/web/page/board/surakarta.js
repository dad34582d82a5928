// The Surakarta board: six lines each way, two circuits, eight loops.

import { s } from "../dom.js";
import { sideName } from "../catalogue.js";
import { t } from "../i18n.js";
import { exactText, isCertain, lineShort, lineValue, scoreText } from "./score.js";

/**
 * @typedef {{ends: [string, string], radius: number, clockwise: boolean}} Arc
 * @typedef {Api.Geometry & {arcs: Arc[]}} Geometry
 * @typedef {Api.View & {path?: string[]}} View the path that a capture took, if it was one
 */

/**
 * A piece: First's is solid with a dot, Second's light with a ring.
 * @param {string} owner
 */
function piece(owner) {
  return s(
    "g",
    { class: `piece piece-${owner}` },
    s("circle", { class: "body", r: 0.37 }),
    s("circle", { class: "sign", r: owner === "1" ? 0.1 : 0.19 }),
  );
}

/** @param {SVGElement} element @param {Board.Point} point */
const moveTo = (element, { x, y }) => element.setAttribute("transform", `translate(${x} ${y})`);

/** @param {string} owner @param {number} x @param {number} y */
function pieceAt(owner, x, y) {
  const element = piece(owner);
  moveTo(element, { x, y });
  return element;
}

/** A corner of the board with a capture over its small loop. */
function picture() {
  const lines = ["outer", "small", "large"].flatMap((circuit, i) => [
    s("line", { class: `line ${circuit}`, x1: 2, y1: i + 1, x2: 6, y2: i + 1 }),
    s("line", { class: `line ${circuit}`, x1: i + 2, y1: 1, x2: i + 2, y2: 4 }),
  ]);
  const corner = s(
    "g",
    { transform: "translate(-0.5 0.1)" },
    lines,
    s("path", { class: "line small", d: "M2 2A1 1 0 1 1 3 1" }),
    s("path", { class: "trail capture", d: "M5 2L2 2A1 1 0 1 1 3 1L3 3" }),
    s("circle", { class: "left", cx: 5, cy: 2, r: 0.14 }),
    pieceAt("1", 3, 3),
    pieceAt("2", 5, 3),
    pieceAt("2", 4, 1),
  );
  return [corner];
}

/** @param {number} player */
function token(player) {
  return s(
    "g",
    { class: `piece piece-${player + 1}` },
    s("circle", { class: "body", r: 0.42 }),
    s("circle", { class: "sign", r: player === 0 ? 0.12 : 0.2 }),
  );
}

/** @param {Board.Frame} frame @returns {Board.Drawing} */
function drawing({ geometry, at, places, layers }) {
  const { arcs, width } = /** @type {Geometry} */ (geometry);
  const ids = [...places.keys()];
  const spot = (/** @type {string} */ id) => at(/** @type {Api.Place} */ (places.get(id)));
  /** The loop from one point to another. @type {Map<string, {radius: number, sweep: number}>} */
  const loops = new Map();
  for (const { ends, radius, clockwise } of arcs) {
    const [a, b] = ends;
    loops.set(`${a} ${b}`, { radius, sweep: clockwise ? 1 : 0 });
    loops.set(`${b} ${a}`, { radius, sweep: clockwise ? 0 : 1 });
  }
  /** @type {Map<string, SVGElement>} */
  const pieces = new Map();
  /** Counts drawings, so that a later one ends the motion of an earlier. */
  let drawn = 0;

  /** The data of a path over points and loops. @param {string[]} points */
  function pathData(points) {
    const steps = points.slice(1).map((id, i) => {
      const { x, y } = spot(id);
      const loop = loops.get(`${points[i]} ${id}`);
      return loop ? `A${loop.radius} ${loop.radius} 0 1 ${loop.sweep} ${x} ${y}` : `L${x} ${y}`;
    });
    const { x, y } = spot(points[0]);
    return `M${x} ${y}${steps.join("")}`;
  }

  /**
   * Moves a piece along a path.
   * @param {SVGElement} element
   * @param {string} d
   * @param {number} milliseconds
   * @param {() => void} done
   */
  function travel(element, d, milliseconds, done) {
    const path = s("path", { d });
    const length = path.getTotalLength();
    const began = performance.now();
    const mine = drawn;
    const step = (/** @type {number} */ now) => {
      if (mine !== drawn) return done();
      const share = Math.min(1, (now - began) / milliseconds);
      const eased = share < 0.5 ? 2 * share * share : 1 - (2 - 2 * share) ** 2 / 2;
      moveTo(element, path.getPointAtLength(eased * length));
      return share < 1 ? requestAnimationFrame(step) : done();
    };
    requestAnimationFrame(step);
  }

  function drawCoordinates() {
    const middle = width / 2;
    const aside = (/** @type {number} */ v) => v + (v < middle ? 0.2 : -0.2);
    const text = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ name) =>
      s("text", { class: "coordinate", x, y }, name);
    for (let i = 0; i < 6; i += 1) {
      const bottom = spot(ids[30 + i]);
      const left = spot(ids[i * 6]);
      const down = bottom.y > middle ? 0.56 : -0.42;
      const out = left.x < middle ? -0.48 : 0.48;
      layers.base.append(
        text(aside(bottom.x), bottom.y + down, ids[30 + i][0]),
        text(left.x + out, aside(left.y) + 0.09, ids[i * 6][1]),
      );
    }
  }

  /**
   * The move before this position: its path, and its motion.
   * @param {View} view
   * @param {SVGElement|undefined} mover the piece that stood at its start
   * @param {SVGElement|undefined} taken the piece that stood at its target
   */
  function drawLastMove({ last, path }, mover, taken) {
    if (!last) return;
    const capture = Boolean(path?.length);
    const d = pathData(path?.length ? path : last);
    const [from, to] = last.map(spot);
    layers.under.append(
      s("path", { class: `trail${capture ? " capture" : ""}`, d }),
      s("circle", { class: "left", cx: from.x, cy: from.y, r: 0.14 }),
      s("circle", { class: "arrived", cx: to.x, cy: to.y, r: 0.46 }),
    );
    const moving = pieces.get(last[1]);
    if (!mover || !moving) return;
    if (taken) layers.pieces.prepend(taken);
    moveTo(moving, from);
    layers.pieces.append(moving);
    travel(moving, d, path?.length ? 260 + 90 * path.length : 220, () => {
      taken?.remove();
      moveTo(moving, to);
    });
  }

  /**
   * @param {Board.Marked} line
   * @param {boolean} best
   * @param {number} most the most visits of a line
   */
  function drawArrow({ exact, places, visits, score }, best, most) {
    const [a, b] = places.map(spot);
    const far = Math.hypot(b.x - a.x, b.y - a.y);
    const [dx, dy] = [(b.x - a.x) / far, (b.y - a.y) / far];
    const share = Math.max(0.25, visits / most);
    const turn = (Math.atan2(dy, dx) * 180) / Math.PI;
    layers.over.append(
      s(
        "g",
        { class: `mark arrow${best ? " best" : ""}` },
        s("line", {
          x1: a.x,
          y1: a.y,
          x2: b.x - dx * 0.2,
          y2: b.y - dy * 0.2,
          "stroke-width": 0.06 + 0.08 * share,
        }),
        s("path", {
          d: "M0.06 0L-0.24 0.17L-0.24 -0.17Z",
          transform: `translate(${b.x} ${b.y}) rotate(${turn})`,
        }),
      ),
    );
    if (!best) return;
    // Beyond the tip, where it hides neither the arrow nor its piece.
    const [x, y] = [b.x + dx * 0.42, b.y + dy * 0.36 + 0.1];
    const text = exact && isCertain({ exact }) ? exactText(exact) : scoreText(score);
    layers.over.append(s("text", { class: "mark move-score", x, y }, text));
  }

  /** At every piece, what is certain of its best move. @param {Board.Marked[]} lines */
  function drawCertain(lines) {
    /** @type {Map<string, Board.Marked>} */
    const best = new Map();
    for (const line of lines) {
      const known = best.get(line.places[0]);
      if (!known || lineValue(line) > lineValue(known)) best.set(line.places[0], line);
    }
    for (const [id, line] of best) {
      const { x, y } = spot(id);
      const attributes = { class: "mark piece-score certain", x, y: y + 0.1 };
      layers.over.append(s("text", attributes, lineShort(line)));
    }
  }

  return {
    base() {
      const names = ["outer", "small", "large", "large", "small", "outer"];
      const line = (/** @type {string} */ name, /** @type {string} */ a, /** @type {string} */ b) =>
        s("path", { class: `line ${name}`, d: pathData([a, b]) });
      names.forEach((name, i) => {
        layers.base.append(line(name, ids[i * 6], ids[i * 6 + 5]), line(name, ids[i], ids[30 + i]));
      });
      for (const { ends, radius } of arcs) {
        const name = `line ${radius === 1 ? "small" : "large"}`;
        layers.base.append(s("path", { class: name, d: pathData(ends) }));
      }
      for (const id of ids) {
        const { x, y } = spot(id);
        layers.base.append(s("circle", { class: "knot", cx: x, cy: y, r: 0.055 }));
      }
      drawCoordinates();
    },

    hit(place) {
      const { x, y } = at(place);
      return s("circle", { cx: x, cy: y, r: 0.5 });
    },

    draw(ply, animate) {
      const view = /** @type {View} */ (ply.view);
      const [mover, taken] = animate && view.last ? view.last.map((id) => pieces.get(id)) : [];
      drawn += 1;
      pieces.clear();
      layers.pieces.replaceChildren();
      layers.under.replaceChildren();
      ids.forEach((id, i) => {
        if (view.cells[i] === ".") return;
        const element = piece(view.cells[i]);
        moveTo(element, spot(id));
        layers.pieces.append(element);
        pieces.set(id, element);
      });
      drawLastMove(view, mover, taken);
    },

    targets(from, moves) {
      layers.over.querySelectorAll(".aim").forEach((one) => one.remove());
      const circle = (
        /** @type {string} */ name,
        /** @type {string} */ id,
        /** @type {number} */ r,
      ) => {
        const { x, y } = spot(id);
        layers.over.append(s("circle", { class: name, cx: x, cy: y, r }));
      };
      for (const [, [start, end]] of moves) {
        if (start !== from) continue;
        if (pieces.has(end)) circle("aim aim-take", end, 0.46);
        else circle("aim", end, 0.13);
      }
      if (from) circle("aim aim-from", from, 0.44);
    },

    marks(lines, { scores }) {
      layers.over.querySelectorAll(".mark").forEach((one) => one.remove());
      if (!lines || !scores) return;
      const shown = lines.slice(0, 5).filter((line) => line.places.length === 2);
      const most = Math.max(1, ...shown.map((line) => line.visits));
      // The best last, on top of the others.
      for (const line of shown.toReversed()) drawArrow(line, line === shown[0], most);
      drawCertain(lines.filter((line) => isCertain(line) && line.places.length === 2));
    },

    label(place, ply) {
      const cell = ply.view.cells[ids.indexOf(place.id)];
      const owner = cell === "." ? t("place.empty") : sideName("surakarta", Number(cell) - 1);
      return `${place.name}, ${owner}`;
    },

    ways(trails, aim) {
      layers.under.querySelectorAll(".way").forEach((one) => one.remove());
      // Of several ways to the same target the shortest counts.
      const shortest = new Map();
      for (const trail of trails) {
        const end = trail.places[trail.places.length - 1];
        const key = trail.takes ? end : trail;
        const known = shortest.get(key);
        if (!known || known.places.length > trail.places.length) shortest.set(key, trail);
      }
      for (const [end, { places, takes }] of shortest) {
        const aimed = aim !== null && end === aim;
        if (aim !== null && !aimed) continue;
        const names = ["way", takes && "takes", aimed && "aimed"];
        const d = pathData(places);
        layers.under.append(s("path", { class: names.filter(Boolean).join(" "), d }));
      }
    },

    ghost(place) {
      const own = pieces.get(place.id);
      const copy = own ? /** @type {SVGElement} */ (own.cloneNode(true)) : s("g");
      copy.classList.add("ghost");
      return copy;
    },
  };
}

/** @type {Board.Script} */
export const script = {
  why: () => import("./surakarta-why.js"),
  words: {
    en: {
      "say.takes": " takes ",
      "refused.many": "{side} has {n} pieces, and a side has at most {most}",
      "refused.empty": "there is no piece on the board",
    },
    zh: {
      "say.takes": " 吃 ",
      "refused.many": "{side}有 {n} 枚棋子，而每方最多 {most} 枚",
      "refused.empty": "棋盘上没有棋子",
    },
  },
  refusals: [
    [/(?<n>\d+) (?:(?<one>black)|white) pieces; a side has at most (?<most>\d+)/, "refused.many"],
    [/there is no piece on the board/, "refused.empty"],
  ],
  token,
  picture,
  drawing,
  edit({ cells, edges }, id, brush, { places }) {
    const at = places.findIndex((place) => place.id === id);
    const owner = cells[at] === brush ? "." : brush;
    return { cells: cells.slice(0, at) + owner + cells.slice(at + 1), edges };
  },
  captured: (view) => Boolean(/** @type {View} */ (view).path?.length),
  spaced: (name) => name.replace("-", " – ").replace("x", " × "),
  spoken: (name) => name.replace("x", t("say.takes")),
};
