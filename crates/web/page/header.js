// The bar at the top: navigation, sound, theme, language.

import { h, icon, put } from "./dom.js";
import { choose, current, t } from "./i18n.js";
import { refresh } from "./router.js";

const THEMES = ["auto", "light", "dark"];

const ICONS = {
  auto: "M12 4a8 8 0 1 0 0 16V4M12 4a8 8 0 0 1 0 16",
  light:
    "M12 4V2M12 22v-2M4 12H2m20 0h-2M6 6 4.600 4.600M19.400 19.400 18 18" +
    "M6 18l-1.400 1.400M19.400 4.600 18 6M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8",
  dark: "M20 14.500A8 8 0 0 1 9.500 4a8 8 0 1 0 10.500 10.500",
  sound:
    "M4 9.500v5h3.500L12 18.500v-13L7.500 9.500H4M15.500 9a4 4 0 0 1 0 6M18 6.500a8 8 0 0 1 0 11",
  mute: "M4 9.500v5h3.500L12 18.500v-13L7.500 9.500H4M16 9.500l5 5M21 9.500l-5 5",
};

/** @returns {"auto"|"light"|"dark"} */
const theme = () => (THEMES.includes(localStorage.theme) ? localStorage.theme : "auto");

function applyTheme() {
  document.documentElement.dataset.theme = theme();
}
applyTheme();

/**
 * @param {string} href
 * @param {string} text
 * @param {boolean} current
 */
const link = (href, text, current) => h("a", { href, "aria-current": current && "page" }, text);

function soundButton() {
  const on = localStorage.sound === "on";
  const toggle = () => {
    localStorage.sound = on ? "off" : "on";
    drawHeader();
  };
  const label = t("nav.sound");
  return h(
    "button",
    {
      class: "quiet",
      id: "sound",
      "aria-label": label,
      title: label,
      "aria-pressed": String(on),
      onclick: toggle,
    },
    icon(on ? ICONS.sound : ICONS.mute),
  );
}

function themeButton() {
  const next = () => {
    localStorage.theme = THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length];
    applyTheme();
    drawHeader();
  };
  const label = `${t("nav.theme")}: ${t(`theme.${theme()}`)}`;
  return h(
    "button",
    { class: "quiet", id: "theme", "aria-label": label, title: label, onclick: next },
    icon(ICONS[theme()]),
  );
}

function languageButton() {
  const other = current() === "zh" ? "en" : "zh";
  const change = () => {
    choose(other);
    refresh();
  };
  return h(
    "button",
    { class: "quiet", id: "language", lang: other === "zh" ? "zh-CN" : "en", onclick: change },
    t("nav.language"),
  );
}

export function drawHeader() {
  const bar = /** @type {HTMLElement} */ (document.getElementById("top"));
  const { pathname } = location;
  const logo = new URL("./icon.svg", import.meta.url).pathname;
  put(
    bar,
    h("a", { class: "skip", href: "#main" }, t("skip")),
    h(
      "a",
      { class: "brand", href: "/" },
      h("img", { src: logo, alt: "", width: 26, height: 26 }),
      h("span", {}, t("title")),
    ),
    h(
      "nav",
      {},
      link("/", t("nav.new"), pathname === "/"),
      link("/games", t("nav.games"), pathname === "/games"),
      link("/contest", t("nav.contest"), /^\/(contest|events?)\b/.test(pathname)),
      link("/arena", t("nav.arena"), pathname.startsWith("/arena")),
    ),
    h("div", { class: "tools" }, soundButton(), themeButton(), languageButton()),
  );
}
