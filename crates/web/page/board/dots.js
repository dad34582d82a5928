// The Dots and Boxes board. Each edge is touched anywhere in the diamond between
// its two dots and the middles of the boxes beside it, so there are no gaps.

import { s } from "../dom.js";
import { t } from "../i18n.js";
import { worthShort, worthValue } from "./worth.js";

/** The sign of a box's owner: First a disc, Second a diamond. @param {string} owner */
function sign(owner) {
  if (owner === "1") return s("circle", { r: 0.17 });
  if (owner === "2") return s("path", { d: "M0 -0.22L0.22 0L0 0.22L-0.22 0Z" });
  return s("circle", { r: 0.06 });
}

/** @param {import("./board.js").Frame} frame @returns {import("./board.js").Drawing} */
export function dots({ geometry, at, places, layers }) {
  const half = (/** @type {any} */ place) => (place.across ? [0.5, 0] : [0, 0.5]);
  const middle = (/** @type {number} */ box) => at({ x: (box % geometry.columns) + 1, y: Math.floor(box / geometry.columns) + 1 });

  /** @param {any} place @param {string} name @param {Record<string, any>} [more] */
  function line(place, name, more = {}) {
    const { x, y } = at(place);
    const [dx, dy] = half(place);
    return s("line", { class: name, x1: x - dx, y1: y - dy, x2: x + dx, y2: y + dy, ...more });
  }

  return {
    base() {
      for (const place of places.values()) layers.base.append(line(place, "gap"));
    },

    hit(place) {
      const { x, y } = at(place);
      return s("path", { d: `M${x - 0.5} ${y}L${x} ${y - 0.5}L${x + 0.5} ${y}L${x} ${y + 0.5}Z` });
    },

    draw(ply, animate) {
      const { cells, edges, last } = ply.view;
      layers.pieces.replaceChildren();
      layers.under.replaceChildren();
      [...cells].forEach((owner, box) => {
        if (owner === ".") return;
        const { x, y } = middle(box);
        layers.under.append(
          s("g", { class: `box box-${owner === "#" ? "0" : owner}`, transform: `translate(${x} ${y})` },
            s("rect", { class: "tint", x: -0.46, y: -0.46, width: 0.92, height: 0.92, rx: 0.06 }), sign(owner)));
      });
      [...edges].forEach((drawn, i) => {
        if (drawn !== "1") return;
        const id = String(i);
        const fresh = last?.[0] === id;
        layers.pieces.append(line(places.get(id), `edge${fresh ? ` last by-${ply.by + 1}` : ""}${fresh && animate ? " drawing" : ""}`));
      });
      for (let r = 0; r <= geometry.rows; r += 1) {
        for (let c = 0; c <= geometry.columns; c += 1) {
          const { x, y } = at({ x: c + 0.5, y: r + 0.5 });
          layers.pieces.append(s("circle", { class: "dot", cx: x, cy: y, r: 0.075 }));
        }
      }
    },

    targets() {},

    marks(report, { scores, chains, ply }) {
      layers.over.replaceChildren();
      layers.under.querySelectorAll(".mark").forEach((one) => one.remove());
      if (chains && ply?.view.chains) {
        for (const chain of ply.view.chains) {
          const group = s("g", { class: `chain${chain.long ? " long" : ""}${chain.ring ? " ring" : ""}${chain.open ? " opened" : ""}` });
          for (const box of chain.boxes) {
            const a = middle(box);
            for (const id of chain.edges) {
              const b = at(/** @type {any} */ (places.get(id)));
              if (Math.hypot(a.x - b.x, a.y - b.y) < 0.6) group.append(s("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y }));
            }
            group.append(s("circle", { cx: a.x, cy: a.y, r: 0.09 }));
          }
          layers.over.append(group);
        }
      }
      if (!scores || !report) return;
      const lines = report.lines;
      const most = Math.max(1, ...lines.map((/** @type {any} */ one) => one.visits));
      const best = lines[0];
      for (const one of lines) {
        const place = places.get(one.places[0]);
        if (!place) continue;
        const top = worthValue(one.score) >= worthValue(best.score) - 1e-9 || one === best;
        layers.under.append(line(place, `mark heat${top ? " best" : ""}`, { "stroke-opacity": (0.12 + 0.8 * (one.visits / most)).toFixed(2) }));
      }
      const few = lines.length <= 31 ? lines : lines.slice(0, 12);
      for (const one of few) {
        const place = places.get(one.places[0]);
        if (!place) continue;
        const { x, y } = at(place);
        layers.over.append(s("text", { class: "mark small-worth", x, y: y + 0.07 }, worthShort(one.score)));
      }
    },

    label(place, ply) {
      const drawn = ply.view.edges[Number(place.id)] === "1";
      return `${t("place.edge", { name: place.name })}, ${t(drawn ? "place.drawn" : "place.empty")}`;
    },
  };
}
