// A modal form: a title, some fields, and buttons. The browser's own dialog keeps
// the focus inside, closes by Escape and gives the focus back.

import { h } from "./dom.js";
import { t } from "./i18n.js";

/**
 * @typedef {object} DialogAction
 * @property {string} name of the button, for scripts
 * @property {string} text
 * @property {() => boolean|void|Promise<boolean|void>} run keeps the dialog open if it
 *   gives false
 */

/**
 * Opens a dialog. The form's own button runs `submit`.
 * @param {object} options
 * @param {string} options.name for scripts
 * @param {string} options.title
 * @param {Dom.Child} options.body
 * @param {DialogAction|null} options.submit none for a dialog that only tells something
 * @param {(DialogAction|null)[]} [options.others]
 */
export function openDialog({ name, title, body, submit, others = [] }) {
  const heading = h("h2", { id: `dialog-${name}` }, title);
  const done = async (/** @type {DialogAction} */ action) => {
    if ((await action.run()) !== false) dialog.close();
  };
  const button = (/** @type {DialogAction} */ action) =>
    h(
      "button",
      { type: "button", "data-do": action.name, onclick: () => done(action) },
      action.text,
    );
  const form = h(
    "form",
    { method: "dialog" },
    heading,
    body,
    h(
      "div",
      { class: "actions" },
      submit &&
        h("button", { type: "submit", class: "primary", "data-do": submit.name }, submit.text),
      others.map((action) => action && button(action)),
      h(
        "button",
        { type: "button", "data-do": "close", onclick: () => dialog.close() },
        t(submit ? "dialog.close" : "dialog.done"),
      ),
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (submit) done(submit);
  });
  const dialog = h("dialog", { class: `dialog ${name}`, "aria-labelledby": heading.id }, form);
  dialog.addEventListener("close", () => {
    const told = dialog.querySelector("#toast");
    if (told) document.body.append(told);
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
