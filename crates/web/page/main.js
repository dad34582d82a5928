// Which view the address asks for.

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
  main.className = "";
  put(main);
  if (game) openGame(main, game[1]);
  else if (pathname === "/contest") await contestForm(main);
  else if (new URLSearchParams(search).has("game")) await openLink(main, new URLSearchParams(search));
  else await home(main);
}

// Links inside the page do not load it again.
document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest?.("a[href^='/']");
  if (!link || link.hasAttribute("download") || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(/** @type {string} */ (link.getAttribute("href")));
});
window.addEventListener("popstate", show);
show();
