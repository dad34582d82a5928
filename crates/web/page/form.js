// The few form elements that the page needs.

import { h } from "./dom.js";
import { t } from "./i18n.js";

let number = 0;

/** A labelled element. @param {string} label @param {HTMLElement} control */
export function field(label, control) {
  if (control.tagName === "FIELDSET") {
    control.prepend(h("legend", {}, label));
    return h("div", { class: "field" }, control);
  }
  const input = /** @type {HTMLElement} */ (control.matches("input, select") ? control : control.querySelector("input, select"));
  input.id ||= `field-${number += 1}`;
  return h("div", { class: "field" }, h("label", { for: input.id }, label), control);
}

/**
 * One of a few, all visible.
 * @param {string} name @param {string[][]} options value and words @param {string} value @param {(value: string) => void} change
 */
export function choice(name, options, value, change) {
  return h("fieldset", { class: "choice" }, h("div", { class: "segments" }, options.map(([key, words]) => h("label", {},
    h("input", { type: "radio", name, value: key, checked: key === value, onchange: () => change(key) }), h("span", {}, words)))));
}

/**
 * One of many, or with `free` anything else that the user types.
 * @param {string} name @param {string[][]} options @param {string} value @param {(value: string) => void} change @param {boolean} [free]
 */
export function pick(name, options, value, change, free = false) {
  const known = options.some(([key]) => key === value);
  const input = /** @type {HTMLInputElement} */ (h("input", { name: `${name}-text`, value: known ? "" : value, hidden: known, maxlength: 200, "aria-label": t("home.custom"), oninput: () => change(input.value) }));
  const select = /** @type {HTMLSelectElement} */ (h("select", {
    name,
    onchange: () => {
      const other = select.value === "\n";
      input.hidden = !other;
      if (other) input.focus();
      else change(select.value);
    },
  }, options.map(([key, words]) => h("option", { value: key, selected: key === value }, words)),
  free && h("option", { value: "\n", selected: !known }, t("home.custom"))));
  return h("div", { class: "pick" }, select, free && input);
}
