/** Exact amounts in whole minor units. */
export interface Apportioned {
  /** One for each part, in the same order; they add up to `total`. */
  readonly amounts: readonly number[];
  readonly total: number;
  /** What the rounding left over, for the next call: from -denominator / 2 up to, but without, denominator / 2. */
  readonly carry: number;
}

/**
 * Rounds fractions of minor units so that nothing is lost: `total` is the sum of all parts and of the previous carry, rounded
 * half up, and the rest is carried on. The parts are rounded by the largest remainder: each down, then the missing units one
 * by one to those with the largest fraction, the earlier one of two equals. So the parts always add up to the total, and the
 * totals of any number of calls differ from the exact sum by half a unit at most.
 * @param numerators the parts, in units of 1 / denominator
 */
export function apportion(numerators: readonly bigint[], denominator: bigint, carry: number): Apportioned {
  const exact = numerators.reduce((sum, part) => sum + part, BigInt(carry));
  const total = floorDivide(2n * exact + denominator, 2n * denominator);
  const amounts = numerators.map((part) => floorDivide(part, denominator));
  const missing = Number(total - amounts.reduce((sum, amount) => sum + amount, 0n));
  const fraction = (index: number) =>
    (numerators[index] as bigint) - (amounts[index] as bigint) * denominator;
  const byFraction = numerators
    .map((_, index) => index)
    .sort((a, b) => Number(fraction(b) - fraction(a)) || a - b);
  const raised = new Set(byFraction.slice(0, missing));
  return {
    amounts: amounts.map((amount, index) => Number(amount) + (raised.has(index) ? 1 : 0)),
    total: Number(total),
    carry: Number(exact - total * denominator),
  };
}

/** BigInt division truncates towards zero. */
function floorDivide(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  return numerator % denominator < 0n ? quotient - 1n : quotient;
}
