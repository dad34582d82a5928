// Addresses of this page. Views go elsewhere through here, and need not know the
// other views; main.js says which view an address shows.

let show = () => {};

/**
 * Shows the view of the present address, now and after each change of it.
 * @param {() => void} view
 */
export function start(view) {
  show = view;
  window.addEventListener("popstate", () => show());
  // Links inside the page do not load it again.
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest?.("a[href^='/']");
    if (!link || link.hasAttribute("download") || link.hasAttribute("target")) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(link.getAttribute("href") ?? "/");
  });
  show();
}

/**
 * Goes to an address of this page.
 * @param {string} path
 * @param {boolean} [replace] whether the present address is left out of the history
 */
export function go(path, replace = false) {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  show();
}

/** Shows the present view again, as after a change of language. */
export function refresh() {
  show();
}
