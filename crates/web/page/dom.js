// Making elements. Text is always text: nothing here parses HTML.

const SVG = "http://www.w3.org/2000/svg";

/** @param {Element} element @param {Dom.Attributes} attributes */
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

/** @param {Element} element @param {Dom.Child[]} children */
function append(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(element, child);
    else if (child !== null && child !== undefined && child !== false) {
      element.append(typeof child === "number" ? String(child) : child);
    }
  }
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Dom.Attributes} [attributes]
 * @param {...Dom.Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Dom.Attributes} [attributes]
 * @param {...Dom.Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function s(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElementTagNameMap[T]} */ (document.createElementNS(SVG, tag));
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

/**
 * Replaces the children of an element.
 * @param {Element} element
 * @param {...Dom.Child} children
 */
export function put(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/**
 * An icon drawn by strokes.
 * @param {string} d the data of its path, in a square of 24
 */
export function icon(d) {
  return s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d }));
}

/**
 * Has a screen reader say a text.
 * @param {string} text
 */
export function announce(text) {
  const region = document.getElementById("announce");
  if (region && text) region.textContent = text;
}

let toastTimer = 0;

/** How long a text is shown, in milliseconds: at least, and by its letters. */
const [SHORTEST, PER_LETTER] = [4000, 60];

/**
 * Shows a text for a moment.
 * @param {string} text
 */
export function toast(text) {
  const element = document.getElementById("toast");
  if (!element) return;
  // Above a dialog too, which covers everything outside it.
  (document.querySelector("dialog[open]") ?? document.body).append(element);
  element.textContent = text;
  element.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = window.setTimeout(
    () => {
      element.hidden = true;
    },
    Math.max(SHORTEST, text.length * PER_LETTER),
  );
}

/**
 * Shows an error for a moment.
 * @param {unknown} error
 */
export function toastError(error) {
  toast(error instanceof Error ? error.message : String(error));
}

/** Whether the reader asked for little motion. */
export function reducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
