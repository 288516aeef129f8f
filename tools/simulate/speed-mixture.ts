// The phases of a machine whose other guests take their share: it works faster and slower for longer than a request takes.

/** The middles of nine equal parts of the standard normal distribution. */
const PARTS = [-1.593, -0.967, -0.589, -0.282, 0, 0.282, 0.589, 0.967, 1.593];

export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

/**
 * The percentiles of these times on a machine whose slowness is lognormal. All phases last equally long, so a fast one has more requests; the
 * rate is that of a machine with a constant speed.
 * @param times at the mean speed
 * @param sigma of the logarithm of the slowness; 0: always the same
 */
export function percentilesOf(times: readonly number[], sigma: number): Percentiles {
  const parts = sigma === 0 ? [0] : PARTS;
  const slownesses = parts.map((part) => Math.exp(sigma * part));
  const fastness = slownesses.reduce((sum, slowness) => sum + 1 / slowness, 0) / slownesses.length;
  const weighted = slownesses.flatMap((slowness) =>
    times.map((time): [number, number] => [time * slowness * fastness, 1 / slowness]),
  );
  weighted.sort(([one], [other]) => one - other);
  const total = weighted.reduce((sum, [, weight]) => sum + weight, 0);
  const at = (share: number): number => {
    let sum = 0;
    for (const [time, weight] of weighted) if ((sum += weight) > share * total) return time;
    return weighted.at(-1)?.[0] ?? Number.NaN;
  };
  return { p50: at(0.5), p99: at(0.99) };
}
