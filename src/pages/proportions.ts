/** Proportions of cards. CSP forbids inline styles, so the ratio of width to height is a class of the card, in steps of 5 %. */

const NARROWEST = 0.7;
const STEP = 1.05;
export const MOST_STEPS = 23;

export const proportionOf = (step: number): number => NARROWEST * STEP ** step;

/** Also below 0 and above `MOST_STEPS`. */
export const stepOf = (proportion: number): number =>
  Math.round(Math.log(proportion / NARROWEST) / Math.log(STEP));

export const PROPORTIONS = Array.from(
  { length: MOST_STEPS + 1 },
  (_, step) => `.p${step}{--p:${proportionOf(step).toFixed(3)}}`,
).join("\n");
