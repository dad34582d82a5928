// The Connect Four board: a plate with round windows, stones that fall behind
// it, perhaps a cell that stays closed. A column is one place to touch.

import { s } from "../dom.js";
import { t } from "../i18n.js";
import { worthShort, worthValue } from "./worth.js";

/** First's stone has a dot, Second's a ring. @param {string} owner */
export function stone(owner) {
  return s("g", { class: `stone stone-${owner}` },
    s("circle", { class: "body", r: 0.4 }),
    owner === "1" ? s("circle", { class: "sign", r: 0.12 }) : s("circle", { class: "sign", r: 0.2 }));
}

/** @param {import("./board.js").Frame} frame @returns {import("./board.js").Drawing} */
export function four({ geometry, at, places, layers }) {
  const { columns, rows } = geometry;
  const centre = (/** @type {number} */ cell) => at({ x: (cell % columns) + 0.5, y: Math.floor(cell / columns) + 0.5 });
  /** @type {Map<string, number>} */
  let landings = new Map();

  return {
    margin: { top: 0.62 },

    base() {
      layers.base.append(s("rect", { class: "plate", x: 0.02, y: 0.02, width: columns - 0.04, height: rows - 0.04, rx: 0.22 }));
      for (let cell = 0; cell < columns * rows; cell += 1) {
        const { x, y } = centre(cell);
        layers.base.append(s("circle", { class: "window", cx: x, cy: y, r: 0.4 }));
      }
    },

    hit(place) {
      const { x } = at(place);
      const hit = s("rect", { x: x - 0.5, y: -0.6, width: 1, height: rows + 0.6, rx: 0.2 });
      const show = (/** @type {boolean} */ on) => () => {
        layers.drag.querySelectorAll(".shadow").forEach((one) => one.remove());
        const cell = landings.get(place.id);
        if (!on || cell === undefined) return;
        const middle = centre(cell);
        layers.drag.append(s("circle", { class: "shadow", cx: middle.x, cy: middle.y, r: 0.4 }));
      };
      hit.addEventListener("pointerenter", show(true));
      hit.addEventListener("focus", show(true));
      hit.addEventListener("pointerleave", show(false));
      hit.addEventListener("blur", show(false));
      return hit;
    },

    draw(ply, animate) {
      const { cells, landed, four: won } = ply.view;
      layers.pieces.replaceChildren();
      layers.under.replaceChildren();
      layers.drag.querySelectorAll(".shadow").forEach((one) => one.remove());
      [...cells].forEach((owner, cell) => {
        if (owner === ".") return;
        const { x, y } = centre(cell);
        if (owner === "#") {
          layers.pieces.append(s("g", { class: "hole", transform: `translate(${x} ${y})` },
            s("circle", { r: 0.4 }), s("path", { d: "M-0.17 -0.17L0.17 0.17M0.17 -0.17L-0.17 0.17" })));
          return;
        }
        const element = stone(owner);
        const place = s("g", { transform: `translate(${x} ${y})` }, element);
        if (cell === landed) {
          element.append(s("circle", { class: "newest", r: 0.4 }));
          if (animate) {
            element.animate(
              [{ transform: `translateY(${-(y + 0.6)}px)` }, { transform: "translateY(0)" }],
              { duration: 140 + 70 * Math.sqrt(y) * 2, easing: "cubic-bezier(.55,0,.85,.6)" });
          }
        }
        if (won?.includes(cell)) element.classList.add("won");
        layers.pieces.append(place);
      });
    },

    targets(_, moves) {
      landings = new Map(moves.map(([id, , cell]) => [id, Number(cell)]));
    },

    marks(report, { scores }) {
      layers.over.replaceChildren();
      if (!scores || !report) return;
      const most = Math.max(1, ...report.lines.map((/** @type {any} */ one) => one.visits));
      const best = report.lines[0];
      for (const line of report.lines) {
        const place = places.get(line.places[0]);
        if (!place) continue;
        const { x } = at(place);
        const top = line === best || worthValue(line.score) >= worthValue(best.score);
        layers.over.append(
          s("rect", { class: `mark share${top ? " best" : ""}`, x: x - 0.4, y: -0.1, width: (0.8 * line.visits) / most, height: 0.06, rx: 0.03 }),
          s("text", { class: `mark column-worth${top ? " best" : ""}`, x, y: -0.2 }, worthShort(line.score)));
      }
    },

    label(place, ply) {
      const column = Number.parseInt(place.id, 13) - 1;
      const full = ![...ply.view.cells].some((owner, cell) => cell % columns === column && owner === ".");
      const name = t("place.column", { name: place.name });
      return full ? `${name}, ${t("place.full")}` : name;
    },
  };
}
