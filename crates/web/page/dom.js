// Making elements. Text is always text: nothing here parses HTML.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Record<string, any>} Attributes */

/**
 * @param {Element} element
 * @param {Attributes} attributes `on…` are listeners; null and false are left out
 */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else {
      const text = value === true ? "" : String(value);
      if (element.getAttribute(name) !== text) element.setAttribute(name, text);
    }
  }
  return element;
}

/** @param {Element} element @param {any[]} children */
function fill(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}

/**
 * An HTML element.
 * @param {string} tag @param {Attributes} [attributes] @param {...any} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  fill(element, children);
  return element;
}

/**
 * An SVG element.
 * @param {string} tag @param {Attributes} [attributes] @param {...any} children
 * @returns {SVGElement}
 */
export function s(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  set(element, attributes);
  fill(element, children);
  return element;
}

/** Puts other children into an element. @param {Element} element @param {...any} children */
export function put(element, ...children) {
  element.replaceChildren();
  fill(element, children);
}

/** Tells people who listen. @param {string} text */
export function announce(text) {
  const place = document.getElementById("announce");
  if (place && text) place.textContent = text;
}

let toastTimer = 0;

/** Tells everybody, for a moment. @param {string} text */
export function toast(text) {
  const place = document.getElementById("toast");
  if (!place) return;
  place.textContent = text;
  place.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = window.setTimeout(() => { place.hidden = true; }, 4000);
}

/** Whether the reader asked for little motion. */
export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
