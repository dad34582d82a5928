// Facts about a move as sentences. The server says what is certain; each kind of
// fact has its sentence in the words of the game's board script, or in the page's.

import { exactText } from "./board/score.js";
import { has, t } from "./i18n.js";
import { head } from "./state.js";

/** @param {Api.Fact} fact */
function sentence(fact) {
  const values = Object.fromEntries(
    Object.entries(fact).map(([name, value]) => {
      if (name === "exact" || name === "better") {
        return [name, typeof value === "object" && value ? exactText(value) : value];
      }
      // Words that stand in a sentence, such as the parity of a row.
      const word = `why.word.${value}`;
      return [name, typeof value === "string" && has(word) ? t(word) : value];
    }),
  );
  const one = fact.n === 1 ? ".one" : "";
  const own = `why.${head().name}.${fact.kind}`;
  const key = [own + one, own, `why.${fact.kind}${one}`].find(has) ?? `why.${fact.kind}`;
  return t(key, values);
}

/**
 * One or two sentences; empty if nothing is certain.
 * @param {Api.Fact[]|undefined} facts
 */
export const whyText = (facts) => (facts ?? []).map(sentence).join(t("why.between"));
