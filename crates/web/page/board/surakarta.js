// The Surakarta board: six lines each way, two circuits, eight loops.

import { put, s } from "../dom.js";
import { sideName, t } from "../i18n.js";
import { worthText } from "./worth.js";

/** A piece: First's is solid with a dot, Second's light with a ring. @param {string} owner */
export function piece(owner) {
  return s("g", { class: `piece piece-${owner}` },
    s("circle", { class: "body", r: 0.37 }),
    owner === "1" ? s("circle", { class: "sign", r: 0.1 }) : s("circle", { class: "sign", r: 0.19 }));
}

/** @param {import("./board.js").Frame} frame @returns {import("./board.js").Drawing} */
export function surakarta({ geometry, at, places, layers }) {
  const ids = [...places.keys()];
  const spot = (/** @type {string} */ id) => at(/** @type {any} */ (places.get(id)));
  const arcs = new Map();
  for (const { ends: [a, b], radius, clockwise } of geometry.arcs) {
    arcs.set(`${a} ${b}`, { radius, sweep: clockwise ? 1 : 0 });
    arcs.set(`${b} ${a}`, { radius, sweep: clockwise ? 0 : 1 });
  }

  /** The way over points and loops. @param {string[]} points */
  function way(points) {
    const first = spot(points[0]);
    let d = `M${first.x} ${first.y}`;
    for (let i = 1; i < points.length; i += 1) {
      const { x, y } = spot(points[i]);
      const arc = arcs.get(`${points[i - 1]} ${points[i]}`);
      d += arc ? `A${arc.radius} ${arc.radius} 0 1 ${arc.sweep} ${x} ${y}` : `L${x} ${y}`;
    }
    return d;
  }

  /** @type {Map<string, SVGElement>} */
  const pieces = new Map();
  let running = 0;

  /** Moves a piece along a way. @param {SVGElement} element @param {string} d @param {number} milliseconds @param {() => void} done */
  function travel(element, d, milliseconds, done) {
    const path = /** @type {SVGPathElement} */ (s("path", { d }));
    const length = path.getTotalLength();
    const began = performance.now();
    running += 1;
    const mine = running;
    const step = (/** @type {number} */ now) => {
      if (mine !== running) return done();
      const share = Math.min(1, (now - began) / milliseconds);
      const eased = share < 0.5 ? 2 * share * share : 1 - (2 - 2 * share) ** 2 / 2;
      const { x, y } = path.getPointAtLength(eased * length);
      element.setAttribute("transform", `translate(${x} ${y})`);
      if (share < 1) requestAnimationFrame(step);
      else done();
    };
    requestAnimationFrame(step);
  }

  return {
    base() {
      const line = (/** @type {number} */ i) => ["outer", "small", "large", "large", "small", "outer"][i];
      for (let i = 0; i < 6; i += 1) {
        const [a, b] = [spot(ids[i * 6]), spot(ids[i * 6 + 5])];
        const [c, d] = [spot(ids[i]), spot(ids[30 + i])];
        layers.base.append(
          s("line", { class: `line ${line(i)}`, x1: a.x, y1: a.y, x2: b.x, y2: b.y }),
          s("line", { class: `line ${line(i)}`, x1: c.x, y1: c.y, x2: d.x, y2: d.y }));
      }
      for (const arc of geometry.arcs) {
        layers.base.append(s("path", { class: `line ${arc.radius === 1 ? "small" : "large"}`, d: way(arc.ends) }));
      }
      for (const id of ids) {
        const { x, y } = spot(id);
        layers.base.append(s("circle", { class: "knot", cx: x, cy: y, r: 0.055 }));
      }
      const middle = geometry.width / 2;
      for (let i = 0; i < 6; i += 1) {
        const bottom = spot(ids[30 + i]);
        const left = spot(ids[i * 6]);
        const aside = (/** @type {number} */ v) => v + (v < middle ? 0.2 : -0.2);
        const down = bottom.y > middle ? 0.56 : -0.42;
        const out = left.x < middle ? -0.48 : 0.48;
        layers.base.append(
          s("text", { class: "coordinate", x: aside(bottom.x), y: bottom.y + down }, ids[30 + i][0]),
          s("text", { class: "coordinate", x: left.x + out, y: aside(left.y) + 0.09 }, ids[i * 6][1]));
      }
    },

    hit(place) {
      const { x, y } = at(place);
      return s("circle", { cx: x, cy: y, r: 0.5 });
    },

    draw(ply, animate) {
      const { cells, last, path } = ply.view;
      const mover = last && animate ? pieces.get(last[0]) : null;
      const taken = last && animate ? pieces.get(last[1]) : null;
      running += 1;
      pieces.clear();
      layers.pieces.replaceChildren();
      layers.under.replaceChildren();
      ids.forEach((id, i) => {
        if (cells[i] === ".") return;
        const element = piece(cells[i]);
        const { x, y } = spot(id);
        element.setAttribute("transform", `translate(${x} ${y})`);
        layers.pieces.append(element);
        pieces.set(id, element);
      });
      if (!last) return;
      const d = path?.length ? way(path) : way(last);
      const from = spot(last[0]);
      const to = spot(last[1]);
      layers.under.append(
        s("path", { class: `trail${path?.length ? " capture" : ""}`, d }),
        s("circle", { class: "left", cx: from.x, cy: from.y, r: 0.14 }),
        s("circle", { class: "arrived", cx: to.x, cy: to.y, r: 0.46 }));
      const moving = pieces.get(last[1]);
      if (mover && moving) {
        if (taken) layers.pieces.prepend(taken);
        moving.setAttribute("transform", `translate(${from.x} ${from.y})`);
        layers.pieces.append(moving);
        const length = path?.length ? 260 + 90 * path.length : 220;
        travel(moving, d, length, () => {
          taken?.remove();
          moving.setAttribute("transform", `translate(${to.x} ${to.y})`);
        });
      }
    },

    targets(from, moves) {
      layers.over.querySelectorAll(".aim").forEach((one) => one.remove());
      for (const [, [start, end]] of moves) {
        if (start !== from) continue;
        const { x, y } = spot(end);
        layers.over.append(pieces.has(end)
          ? s("circle", { class: "aim aim-take", cx: x, cy: y, r: 0.46 })
          : s("circle", { class: "aim", cx: x, cy: y, r: 0.13 }));
      }
      if (from) {
        const { x, y } = spot(from);
        layers.over.append(s("circle", { class: "aim aim-from", cx: x, cy: y, r: 0.44 }));
      }
    },

    marks(report, { scores }) {
      layers.over.querySelectorAll(".mark").forEach((one) => one.remove());
      const lines = scores && report ? report.lines.slice(0, 5).filter((/** @type {any} */ line) => line.places.length === 2) : [];
      const most = Math.max(1, ...lines.map((/** @type {any} */ line) => line.visits));
      lines.reverse().forEach((/** @type {any} */ line, /** @type {number} */ i) => {
        const best = i === lines.length - 1;
        const [a, b] = line.places.map(spot);
        const share = Math.max(0.25, line.visits / most);
        const far = Math.hypot(b.x - a.x, b.y - a.y);
        const stop = { x: b.x - ((b.x - a.x) / far) * 0.2, y: b.y - ((b.y - a.y) / far) * 0.2 };
        const turn = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
        const arrow = s("g", { class: `mark arrow${best ? " best" : ""}` },
          s("line", { x1: a.x, y1: a.y, x2: stop.x, y2: stop.y, "stroke-width": 0.06 + 0.08 * share }),
          s("path", { d: "M0.06 0L-0.24 0.17L-0.24 -0.17Z", transform: `translate(${b.x} ${b.y}) rotate(${turn})` }));
        layers.over.append(arrow);
        if (best) {
          // Beyond the tip, where it hides neither the arrow nor its piece.
          const beyond = { x: b.x + ((b.x - a.x) / far) * 0.42, y: b.y + ((b.y - a.y) / far) * 0.36 };
          layers.over.append(s("text", { class: "mark worth", x: beyond.x, y: beyond.y + 0.1 }, worthText(line.score)));
        }
      });
    },

    label(place, ply) {
      const cell = ply.view.cells[ids.indexOf(place.id)];
      const owner = cell === "." ? t("place.empty") : sideName("surakarta", Number(cell) - 1);
      return `${place.name}, ${owner}`;
    },

    ghost(place) {
      const own = pieces.get(place.id);
      const copy = own ? /** @type {SVGElement} */ (own.cloneNode(true)) : s("g");
      copy.classList.add("ghost");
      return copy;
    },
  };
}
