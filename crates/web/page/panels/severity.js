// How bad a move was, by what it cost.

/** The usual signs, by severity. */
export const SIGNS = ["", "?!", "?", "??"];

/**
 * 0 for no mistake, 1 for an inaccuracy, 2 for a mistake, 3 for a blunder.
 * @param {number|null|undefined} cost of the mover's chance to win, from 0 to 1
 */
export function severity(cost) {
  if (!cost || cost < 0.08) return 0;
  if (cost < 0.15) return 1;
  return cost < 0.3 ? 2 : 3;
}
