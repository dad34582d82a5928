// For students: a look inside the search. (Filled in by its own server call.)

import { h } from "./dom.js";

export function insidePanel() {
  const element = h("section", { hidden: true });
  return { element, render() {} };
}
