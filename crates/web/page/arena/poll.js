// Asking again and again: soon while something runs, seldom otherwise, never in a
// hidden tab, and only as long as the view is there.

import { toastError } from "../dom.js";
import { keepFocus } from "../focus.js";

const [SOON, SELDOM] = [2000, 10000];

let views = 0;

/** @param {number} milliseconds @returns {Promise<void>} */
const sleep = (milliseconds) =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/**
 * @template T
 * @param {HTMLElement} main
 * @param {() => Promise<T>} ask
 * @param {(found: T) => boolean} show draws it, and gives whether something runs
 */
export async function poll(main, ask, show) {
  const view = (views += 1);
  const name = main.className;
  const left = () => view !== views || main.className !== name;
  let last = "";
  let running = false;
  while (!left()) {
    if (!document.hidden) {
      try {
        const found = await ask();
        if (left()) return;
        const next = JSON.stringify(found);
        // Nothing new: leave selection and scrolling alone.
        if (next !== last) {
          last = next;
          running = false;
          keepFocus(main, () => {
            running = show(found);
          });
        }
      } catch (error) {
        if (left()) return;
        if (last === "") toastError(error);
        last ||= "?";
      }
    }
    await sleep(running ? SOON : SELDOM);
  }
}
