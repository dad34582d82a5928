// A table of figures that scrolls sideways on a narrow screen.

import { h } from "../dom.js";

/**
 * @param {object} options
 * @param {string} options.label what a screen reader calls it
 * @param {string} [options.name] a further class
 * @param {{text: string, number?: boolean}[]} options.columns
 * @param {HTMLTableRowElement[]} options.rows
 */
export function figuresTable({ label, name = "", columns, rows }) {
  const heads = columns.map(({ text, number }) => h("th", { class: number && "n" }, text));
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
    h(
      "table",
      { class: `figures ${name}`.trim() },
      h("thead", {}, h("tr", {}, heads)),
      h("tbody", {}, rows),
    ),
  );
}
