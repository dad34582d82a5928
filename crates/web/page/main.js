// The entry: loads the catalogue and says which view an address shows.

import { openArena } from "./arena/list.js";
import { openMatch } from "./arena/match.js";
import { openReport } from "./arena/report.js";
import { loadCatalogue } from "./catalogue.js";
import { put, toastError } from "./dom.js";
import { openEvent } from "./event/event.js";
import { openEvents } from "./event/list.js";
import { drawHeader } from "./header.js";
import { t } from "./i18n.js";
import { start } from "./router.js";
import { reset } from "./state.js";
import { disconnect } from "./stream.js";
import { openContestForm } from "./views/contest.js";
import { openGame } from "./views/game.js";
import { openGames } from "./views/games.js";
import { openHome, openLink } from "./views/home.js";

const main = /** @type {HTMLElement} */ (document.getElementById("main"));

// Views that few visits need are fetched when they are opened.
const editor = () => import("./views/editor.js");
const learn = () => import("./views/learn.js");

/** Views by address; what the expression captures is what the view is given. */
const ROUTES = /** @type {[RegExp, (...parts: string[]) => unknown][]} */ ([
  [/^\/g\/([a-z0-9]+)$/, (id) => openGame(main, id)],
  [/^\/games$/, () => openGames(main)],
  [/^\/edit$/, async () => (await editor()).openEditor(main, new URLSearchParams(location.search))],
  [/^\/rules\/([a-z-]+)$/, async (name) => (await learn()).openRules(main, name)],
  [/^\/learn\/([a-z-]+)$/, async (name) => (await learn()).openLesson(main, name)],
  [/^\/contest$/, () => openContestForm(main, new URLSearchParams(location.search))],
  [/^\/events$/, () => openEvents(main)],
  [/^\/event\/([^/]+)$/, (id) => openEvent(main, id)],
  [/^\/arena\/([0-9a-f]+)\/(\d+)$/, (store, number) => openMatch(main, store, number)],
  [/^\/arena\/report\/([0-9a-f]+)$/, (id) => openReport(main, id)],
  [/^\/arena/, () => openArena(main)],
]);

function show() {
  disconnect();
  reset();
  document.title = `${t("title")} 博弈`;
  drawHeader();
  main.className = "";
  put(main);
  for (const [pattern, open] of ROUTES) {
    const found = location.pathname.match(pattern);
    if (found) {
      open(...found.slice(1));
      return;
    }
  }
  const query = new URLSearchParams(location.search);
  if (query.has("game")) openLink(main, query);
  else openHome(main);
}

drawHeader();
loadCatalogue()
  .then(() => start(show))
  .catch(toastError);
