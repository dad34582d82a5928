// What stands at an address that has nothing.

import { h, put } from "../dom.js";
import { t } from "../i18n.js";

/**
 * @param {HTMLElement} main
 * @param {string} title what there is not
 */
export function showMissing(main, title) {
  main.className = "home";
  put(
    main,
    h(
      "div",
      { class: "intro" },
      h("h1", {}, title),
      h("p", {}, t("missing.lead")),
      h("p", {}, h("a", { href: "/" }, t("missing.home"))),
    ),
  );
}

/** @param {HTMLElement} main */
export const openMissing = (main) => showMissing(main, t("page.missing"));
