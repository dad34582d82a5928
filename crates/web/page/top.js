// The bar at the top: where to go, language, theme, sound.

import { h, put, s } from "./dom.js";
import { choose, current, t } from "./i18n.js";

const THEMES = ["auto", "light", "dark"];

function applyTheme() {
  const theme = localStorage.theme ?? "auto";
  document.documentElement.dataset.theme = theme;
}
applyTheme();

/** A small drawing. @param {string} d */
export function icon(d) {
  return s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d }));
}

const SUN = "M12 4V2M12 22v-2M4 12H2m20 0h-2M6 6 4.600 4.600M19.400 19.400 18 18M6 18l-1.400 1.400M19.400 4.600 18 6M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8";
const MOON = "M20 14.500A8 8 0 0 1 9.500 4a8 8 0 1 0 10.500 10.500";
const HALF = "M12 4a8 8 0 1 0 0 16V4M12 4a8 8 0 0 1 0 16";
const SOUND = "M4 9.500v5h3.500L12 18.500v-13L7.500 9.500H4M15.500 9a4 4 0 0 1 0 6M18 6.500a8 8 0 0 1 0 11";
const MUTE = "M4 9.500v5h3.500L12 18.500v-13L7.500 9.500H4M16 9.500l5 5M21 9.500l-5 5";

/** @param {() => void} again draws the whole page */
export function topBar(again) {
  const bar = /** @type {HTMLElement} */ (document.getElementById("top"));
  const theme = localStorage.theme ?? "auto";
  const sound = localStorage.sound === "on";
  put(bar,
    h("a", { class: "skip", href: "#main" }, t("skip")),
    h("a", { class: "brand", href: "/" }, h("img", { src: "/page/icon.svg", alt: "", width: 26, height: 26 }), h("span", {}, t("title"))),
    h("nav", {},
      h("a", { href: "/", "aria-current": location.pathname === "/" && "page" }, t("nav.new")),
      h("a", { href: "/contest", "aria-current": location.pathname === "/contest" && "page" }, t("nav.contest")),
      h("a", { href: "/arena", "aria-current": location.pathname.startsWith("/arena") && "page" }, t("nav.arena"))),
    h("div", { class: "tools" },
      h("button", {
        class: "quiet", id: "sound", "aria-label": t("nav.sound"), title: t("nav.sound"), "aria-pressed": String(sound),
        onclick: () => { localStorage.sound = sound ? "off" : "on"; topBar(again); },
      }, icon(sound ? SOUND : MUTE)),
      h("button", {
        class: "quiet", id: "theme", "aria-label": `${t("nav.theme")}: ${t(`theme.${theme}`)}`, title: `${t("nav.theme")}: ${t(`theme.${theme}`)}`,
        onclick: () => {
          localStorage.theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
          applyTheme();
          topBar(again);
        },
      }, icon(theme === "light" ? SUN : theme === "dark" ? MOON : HALF)),
      h("button", {
        class: "quiet", id: "language", lang: current() === "zh" ? "en" : "zh-CN",
        onclick: () => { choose(current() === "zh" ? "en" : "zh"); again(); },
      }, t("nav.language"))));
}
