// Drawing again without taking the keyboard away from who uses it.

/** Attributes by which an element is known again. */
const NAMES = ["data-key", "data-game", "data-do", "href", "name", "id", "aria-label"];

/** @param {Element} element */
function selector(element) {
  const name = NAMES.find((one) => element.hasAttribute(one));
  if (!name) return null;
  return `${element.tagName}[${name}="${CSS.escape(element.getAttribute(name) ?? "")}"]`;
}

/**
 * Draws, and gives the focus to what stands in the place of the element that had it;
 * what is open and what was typed stays, too.
 * @param {HTMLElement} container
 * @param {() => void} draw
 */
export function keepFocus(container, draw) {
  const active = document.activeElement;
  const known = active && container.contains(active) ? selector(active) : null;
  // Of several alike, such as links to one address, the same one.
  const place = known && active ? [...container.querySelectorAll(known)].indexOf(active) : -1;
  const open = [...container.querySelectorAll("details[open]")].map((one) => one.className);
  const typed = [...container.querySelectorAll("textarea")].map((one) => one.value);
  const scrolled = [...container.querySelectorAll(".scroll")].map((one) => one.scrollLeft);
  draw();
  for (const details of container.querySelectorAll("details")) {
    details.open ||= open.includes(details.className);
  }
  container.querySelectorAll("textarea").forEach((one, i) => {
    one.value ||= typed[i] ?? "";
  });
  container.querySelectorAll(".scroll").forEach((one, i) => {
    one.scrollLeft = scrolled[i] ?? 0;
  });
  if (!known) return;
  const same = container.querySelectorAll(known);
  const next = /** @type {HTMLElement|undefined} */ (same[place] ?? same[0]);
  next?.focus({ preventScroll: true });
}
