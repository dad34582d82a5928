// Looking again and again, modestly: soon while something runs, seldom
// otherwise, never in a hidden tab, and only as long as the view is there.

import { toast } from "../dom.js";

const SOON = 2000;
const SELDOM = 10000;

let views = 0;

/**
 * @param {HTMLElement} main
 * @param {() => Promise<any>} ask
 * @param {(found: any) => boolean} show draws it and says whether something runs
 */
export async function keepLooking(main, ask, show) {
  const view = views += 1;
  const mine = main.className;
  let last = "";
  let running = false;
  for (;;) {
    if (!document.hidden) {
      try {
        const found = await ask();
        if (view !== views || main.className !== mine) return;
        const next = JSON.stringify(found);
        // Nothing new: leave focus, selection and scrolling alone.
        if (next !== last) {
          last = next;
          running = show(found);
        }
      } catch (error) {
        if (view !== views || main.className !== mine) return;
        if (last === "") toast(/** @type {Error} */ (error).message);
        last ||= "?";
      }
    }
    await new Promise((resolve) => { setTimeout(resolve, running ? SOON : SELDOM); });
    if (view !== views || main.className !== mine) return;
  }
}
