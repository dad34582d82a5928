// The tab's one event stream. The browser reconnects by itself; after a restart
// of the server the stream begins with the whole game again.

import * as api from "./api.js";
import { changed, setSide, spot, state } from "./state.js";

const randomName = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (n) =>
    n.toString(16).padStart(2, "0"),
  ).join("");

/** This tab's name for the server. */
export const tab = (sessionStorage.tab ||= randomName());

/** @type {EventSource|null} */
let source = null;
let retry = 0;
/** @type {(before: Api.Head|null, lines: boolean) => void} */
let onGame = () => {};
let onOpen = () => {};

/**
 * @param {string} id
 * @param {(before: Api.Head|null, lines: boolean) => void} game called after each change of the
 *   game; `lines` says whether its side lines or comments changed
 * @param {() => void} open called when the stream is there (again)
 */
export function connect(id, game, open) {
  onGame = game;
  onOpen = open;
  attach(id);
}

export function disconnect() {
  clearTimeout(retry);
  source?.close();
  source = null;
}

/** @param {string} id */
function attach(id) {
  disconnect();
  const stream = new EventSource(`/api/games/${id}/events?tab=${tab}`);
  source = stream;
  stream.addEventListener("board", (event) => {
    const geometry = JSON.parse(event.data);
    if (JSON.stringify(geometry) !== JSON.stringify(state.geometry)) state.geometry = geometry;
    state.game = [];
    state.plies = state.game;
    state.connected = true;
    state.analysis = null;
    changed();
    onOpen();
  });
  stream.addEventListener("game", (event) => {
    const { from, plies, head, tree } = /** @type {Api.GameEvent} */ (JSON.parse(event.data));
    const before = state.head;
    state.game.length = from;
    state.game.push(...plies);
    if (tree) state.tree = tree;
    setSide(state.side);
    for (const ply of [...state.seen.keys()]) if (ply > from) state.seen.delete(ply);
    // Who only watches has an analysis of their own.
    const study = before && !state.rights.owns ? before.study : head.study;
    state.head = { ...head, study, at: performance.now() };
    if (head.thinking === null) state.thought = null;
    onGame(before, tree !== undefined);
    changed();
  });
  stream.addEventListener("access", (event) => {
    state.rights = JSON.parse(event.data);
    changed();
  });
  stream.addEventListener("analysis", (event) => {
    state.analysis = JSON.parse(event.data);
    const { analysis } = state;
    if (analysis && !analysis.threat && spot(analysis.ply).node === null) {
      state.seen.set(analysis.ply, analysis.first);
    }
    changed();
  });
  stream.addEventListener("thought", (event) => {
    state.thought = JSON.parse(event.data);
    changed();
  });
  stream.addEventListener("review", (event) => {
    state.review = JSON.parse(event.data);
    changed();
  });
  stream.addEventListener("sample", (event) => {
    state.sample = JSON.parse(event.data);
    changed();
  });
  stream.onerror = () => {
    state.connected = false;
    changed();
    if (stream.readyState === EventSource.CLOSED && source === stream) refused(id);
  };
}

/**
 * A browser gives up after a refusal: there is no such game, or the server is
 * just starting.
 * @param {string} id
 */
async function refused(id) {
  const found = await api.legal(id, { ply: 0, node: null }).catch((error) => error);
  if (state.id !== id) return;
  if (found instanceof api.ApiError && found.status === 404) {
    disconnect();
    state.missing = true;
    changed();
  } else {
    clearTimeout(retry);
    retry = window.setTimeout(() => attach(id), 1000);
  }
}

/** Ends the stream until the page is looked at again. */
function rest() {
  disconnect();
  state.connected = false;
  changed();
}

const wake = () => state.id && source === null && attach(state.id);

// A tab in the background needs no stream, and browsers allow a server only six
// connections. A contest stays connected: it speaks.
let away = 0;
document.addEventListener("visibilitychange", () => {
  clearTimeout(away);
  if (!state.id) return;
  if (!document.hidden) wake();
  else if (!state.head?.contest) away = window.setTimeout(rest, 30000);
});

// A browser keeps a page that was left, with its stream: a few of them would take
// all connections, and the next page would wait for seconds.
window.addEventListener("pagehide", () => source && rest());
window.addEventListener("pageshow", ({ persisted }) => persisted && wake());
