// Which view the address asks for.

import { arena } from "./arena/list.js";
import { openMatch } from "./arena/match.js";
import { openReport } from "./arena/report.js";
import { put } from "./dom.js";
import { disconnect } from "./events.js";
import { openGame } from "./game.js";
import { contestForm } from "./contest.js";
import { home, openLink } from "./home.js";
import { t } from "./i18n.js";
import { reset } from "./state.js";
import { topBar } from "./top.js";

const main = /** @type {HTMLElement} */ (document.getElementById("main"));

/** Goes to an address of this page. @param {string} path @param {boolean} [replace] */
export function go(path, replace = false) {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  show();
}

export async function show() {
  disconnect();
  reset();
  document.title = `${t("title")} 博弈`;
  topBar(show);
  const { pathname, search } = location;
  const game = pathname.match(/^\/g\/([a-z0-9]+)$/);
  const match = pathname.match(/^\/arena\/([0-9a-f]+)\/(\d+)$/);
  const report = pathname.match(/^\/arena\/report\/([0-9a-f]+)$/);
  main.className = "";
  put(main);
  if (game) openGame(main, game[1]);
  else if (pathname === "/contest") await contestForm(main);
  else if (match) await openMatch(main, match[1], match[2]);
  else if (report) await openReport(main, report[1]);
  else if (pathname.startsWith("/arena")) await arena(main);
  else if (new URLSearchParams(search).has("game")) await openLink(main, new URLSearchParams(search));
  else await home(main);
}

// Links inside the page do not load it again.
document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest?.("a[href^='/']");
  if (!link || link.hasAttribute("download") || link.hasAttribute("target") || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(/** @type {string} */ (link.getAttribute("href")));
});
window.addEventListener("popstate", show);
show();
