// Panels whose scripts are fetched when they are first needed: most visits never
// open them.

import { h, toastError } from "../dom.js";
import { changed } from "../state.js";

/**
 * A panel that is fetched once it is needed.
 * @param {() => boolean} needed asked at each rendering until it is
 * @param {() => Promise<Dom.Panel>} load
 * @returns {Dom.Panel}
 */
export function latePanel(needed, load) {
  const element = h("div", { hidden: true });
  /** @type {Dom.Panel|null} */
  let panel = null;
  let asked = false;
  return {
    element,
    render() {
      if (panel || asked || !needed()) {
        panel?.render();
        return;
      }
      asked = true;
      load().then((loaded) => {
        panel = loaded;
        element.replaceWith(panel.element);
        panel.render();
      }, toastError);
    },
  };
}

/**
 * A panel behind a summary, fetched when it is first opened.
 * @param {string} name its class
 * @param {Dom.Child} summary
 * @param {() => boolean} offered whether it is there at all
 * @param {() => Promise<Dom.Panel>} load
 * @returns {Dom.Panel}
 */
export function foldedPanel(name, summary, offered, load) {
  const panel = latePanel(() => true, load);
  const element = h(
    "details",
    { class: `panel ${name}`, ontoggle: () => changed() },
    h("summary", {}, summary),
    panel.element,
  );
  return {
    element,
    render() {
      element.hidden = !offered();
      if (element.open) panel.render();
    },
  };
}
