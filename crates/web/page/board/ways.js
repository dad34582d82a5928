// The ways of the piece under the pointer, or of the one that is selected: which
// they are comes from the server, how they look from the game's script.

import { targets } from "./state.js";

/** How long a pointer rests on a place before its ways are asked for. */
const REST = 40;

/**
 * @param {import("./render.js").Renderer} renderer
 * @param {(position: string) => Promise<Api.Trail[]>} ask for the ways in a position
 * @param {string[]} pinned pieces whose ways are shown while none is pointed at
 */
export function bindWays(renderer, ask, pinned) {
  const { board, svg } = renderer;
  /** @type {string|null} */
  let hovered = null;
  let drawn = "";
  /** The ways of the position that was asked about last. */
  let known = { position: "", trails: /** @type {Promise<Api.Trail[]>} */ (Promise.resolve([])) };

  /** @param {string} position */
  function trailsOf(position) {
    if (known.position !== position) {
      const trails = ask(position).catch(() => []);
      known = { position, trails };
    }
    return known.trails;
  }

  async function draw() {
    const { ply, selected } = board;
    const aim =
      hovered !== null && selected !== null && targets(board).has(hovered) ? hovered : null;
    const from = aim !== null ? selected : (hovered ?? selected);
    const key = JSON.stringify([ply?.position, from, aim, board.flipped]);
    if (key === drawn) return;
    drawn = key;
    const shown = from === null ? pinned : [from];
    if (shown.length === 0 || !ply?.position) {
      renderer.drawing.ways?.([], null);
      return;
    }
    const trails = await trailsOf(ply.position);
    if (key !== drawn) return;
    renderer.drawing.ways?.(
      trails.filter(({ places }) => shown.includes(places[0])),
      aim,
    );
  }

  let timer = 0;
  /** @param {string|null} id */
  function point(id) {
    hovered = id;
    clearTimeout(timer);
    timer = window.setTimeout(draw, REST);
  }
  /** @param {Event} event */
  const placeOf = (event) =>
    /** @type {Element} */ (event.target).getAttribute?.("data-place") ?? null;
  svg.addEventListener("pointerover", (event) => point(placeOf(event)));
  svg.addEventListener("pointerleave", () => point(null));
  svg.addEventListener("focusin", (event) => point(placeOf(event)));
  svg.addEventListener("focusout", () => point(null));
  renderer.afterRefresh = () => {
    // The layers may be new.
    drawn = "";
    draw();
  };
}
