// The entry: loads the catalogue and says which view an address shows. A view's
// script is fetched when the view is first opened.

import { loadCatalogue } from "./catalogue.js";
import { put, toastError } from "./dom.js";
import { drawHeader } from "./header.js";
import { t } from "./i18n.js";
import { start } from "./router.js";
import { reset } from "./state.js";
import { disconnect } from "./stream.js";

/** @typedef {(main: HTMLElement, ...parts: any[]) => unknown} View */

const main = /** @type {HTMLElement} */ (document.getElementById("main"));

/**
 * Views by address. They are given what the expression captures, and the query.
 * @type {[RegExp, () => Promise<View>][]}
 */
const ROUTES = [
  [/^\/g\/([a-z0-9]+)$/, async () => (await import("./views/game.js")).openGame],
  [/^\/games$/, async () => (await import("./views/games.js")).openGames],
  [/^\/edit$/, async () => (await import("./views/editor.js")).openEditor],
  [/^\/rules\/([a-z-]+)$/, async () => (await import("./views/learn.js")).openRules],
  [/^\/learn\/([a-z-]+)$/, async () => (await import("./views/learn.js")).openLesson],
  [/^\/contest$/, async () => (await import("./views/contest.js")).openContestForm],
  [/^\/events$/, async () => (await import("./event/list.js")).openEvents],
  [/^\/event\/([^/]+)$/, async () => (await import("./event/event.js")).openEvent],
  [/^\/arena\/([0-9a-f]+)\/(\d+)$/, async () => (await import("./arena/match.js")).openMatch],
  [/^\/arena\/report\/([0-9a-f]+)$/, async () => (await import("./arena/report.js")).openReport],
  [/^\/arena$/, async () => (await import("./arena/list.js")).openArena],
  [/^\/$/, async () => (await import("./views/home.js")).openHome],
  [/^/, async () => (await import("./views/missing.js")).openMissing],
];

/** Counts addresses, so that a view that comes late is not put over a later one. */
let shown = 0;

async function show() {
  shown += 1;
  const mine = shown;
  disconnect();
  reset();
  document.title = `${t("title")} 博弈`;
  drawHeader();
  main.className = "";
  put(main);
  const { pathname, search } = location;
  for (const [pattern, load] of ROUTES) {
    const found = pathname.match(pattern);
    if (!found) continue;
    const open = await load();
    if (mine === shown) open(main, ...found.slice(1), new URLSearchParams(search));
    return;
  }
}

drawHeader();
loadCatalogue()
  .then(() => start(() => show().catch(toastError)))
  .catch(toastError);
