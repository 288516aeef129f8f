/** For specs: the p-value of Pearson's chi-square test, that uniform symbols have counts at least as uneven as these. */
export function uniformity(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const statistic = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  return chiSquareTail(statistic, counts.length - 1);
}

/** The survival function of the chi-square distribution: the probability of a value above `statistic`. */
export function chiSquareTail(statistic: number, freedom: number): number {
  return upperGamma(freedom / 2, statistic / 2);
}

const STEPS_MAX = 10_000;
const PRECISION = 1e-15;
/** Replaces a zero divisor. */
const TINY = 1e-300;

/** The regularized upper incomplete gamma function Q(a, x), by the expansion that converges faster (DLMF 8.11, 8.9). */
function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1;
  const scale = Math.exp(a * Math.log(x) - x - logGamma(a));
  return x < a + 1 ? 1 - scale * series(a, x) : scale * continuedFraction(a, x);
}

/** The sum of x^n / (a (a+1) … (a+n)). */
function series(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let n = 1; n < STEPS_MAX && term > sum * PRECISION; n += 1) {
    term *= x / (a + n);
    sum += term;
  }
  return sum;
}

/** 1/(x+1-a- 1(1-a)/(x+3-a- 2(2-a)/(x+5-a- …))), by the method of Lentz. */
function continuedFraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = 1 / TINY;
  let d = 1 / b;
  let value = d;
  for (let n = 1; n < STEPS_MAX; n += 1) {
    const factor = n * (a - n);
    b += 2;
    d = 1 / (factor * d + b || TINY);
    c = b + factor / c || TINY;
    value *= c * d;
    if (Math.abs(c * d - 1) < PRECISION) break;
  }
  return value;
}

/** Lanczos's approximation with g = 7, accurate to 15 digits for z of at least 0.5. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

function logGamma(z: number): number {
  const sum = LANCZOS.reduce((total, part, index) => total + (index === 0 ? part : part / (z - 1 + index)));
  const t = z + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (z - 0.5) * Math.log(t) - t + Math.log(sum);
}
