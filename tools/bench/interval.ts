// The ratio of two sides that were measured in pairs, with its confidence interval.

/** Quantiles of Student's t, two-sided 95 %, by degrees of freedom; between two entries the larger one is taken. */
const tQuantiles: readonly (readonly [degrees: number, quantile: number])[] = [
  [1, 12.71],
  [2, 4.3],
  [4, 2.78],
  [9, 2.26],
  [19, 2.09],
  [29, 2.05],
  [Infinity, 1.96],
];

/** One measurement of each side, in the same unit. */
export interface Pair {
  own: number;
  other: number;
}

/** Geometric mean of own to other, and its 95 % confidence interval: those of the logarithms of the ratios. */
export function ratioOf(pairs: readonly Pair[]) {
  const logs = pairs.map(({ own, other }) => Math.log(own / other));
  const mean = logs.reduce((all, log) => all + log, 0) / logs.length;
  const variance = logs.reduce((all, log) => all + (log - mean) ** 2, 0) / (logs.length - 1);
  const margin = quantile(logs.length - 1) * Math.sqrt(variance / logs.length);
  return { ratio: Math.exp(mean), low: Math.exp(mean - margin), high: Math.exp(mean + margin) };
}

function quantile(degrees: number) {
  const below = tQuantiles.filter(([entry]) => entry <= degrees);
  const [, quantile] = below.at(-1) ?? tQuantiles[0] ?? [];
  return quantile ?? Number.NaN;
}
