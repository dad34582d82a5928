// The few form elements that the page needs.

import { h } from "./dom.js";
import { t } from "./i18n.js";

let count = 0;

/**
 * A control with its label.
 * @param {string} label
 * @param {HTMLElement} control
 */
export function field(label, control) {
  if (control.tagName === "FIELDSET") {
    control.prepend(h("legend", {}, label));
    return h("div", { class: "field" }, control);
  }
  const input = control.matches("input, select") ? control : control.querySelector("input, select");
  if (input) input.id ||= `field-${(count += 1)}`;
  return h("div", { class: "field" }, h("label", { for: input?.id }, label), control);
}

/**
 * One of a few, all visible.
 * @param {string} name
 * @param {string[][]} options value and text
 * @param {string} value
 * @param {(value: string) => void} change
 */
export function choice(name, options, value, change) {
  const option = (/** @type {string[]} */ [key, text]) =>
    h(
      "label",
      {},
      h("input", {
        type: "radio",
        name,
        value: key,
        checked: key === value,
        onchange: () => change(key),
      }),
      h("span", {}, text),
    );
  return h("fieldset", { class: "choice" }, h("div", { class: "segments" }, options.map(option)));
}

/** The value of the option after which anything can be typed. */
const OTHER = "\n";

/**
 * One of many, or anything else that the user types: `free` says whether that
 * is possible, and whether each key counts or only the whole text.
 * @param {string} name
 * @param {string[][]} options value and text
 * @param {string} value
 * @param {(value: string) => void} change
 * @param {"no"|"each key"|"whole text"} [free]
 */
export function pick(name, options, value, change, free = "no") {
  const known = options.some(([key]) => key === value);
  const input = h("input", {
    name: `${name}-text`,
    value: known ? "" : value,
    hidden: known,
    maxlength: 200,
    "aria-label": t("home.custom"),
    [free === "whole text" ? "onchange" : "oninput"]: () => change(input.value),
  });
  const select = h(
    "select",
    {
      name,
      onchange: () => {
        const other = select.value === OTHER;
        input.hidden = !other;
        if (other) input.focus();
        else change(select.value);
      },
    },
    options.map(([key, text]) => h("option", { value: key, selected: key === value }, text)),
    free !== "no" && h("option", { value: OTHER, selected: !known }, t("home.custom")),
  );
  return h("div", { class: "pick" }, select, free !== "no" && input);
}
