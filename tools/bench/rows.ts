// @ts-nocheck
// Rows that several benchmarks print.

/** Cells of a measurement: requests/s, p50, p99, errors. */
export function figures({ perSecond, p50, p99, errors }) {
  return [perSecond.toFixed(0), p50.toFixed(2), p99.toFixed(2), errors];
}

/** The pids by name, from the services or servers of `stack.json`. */
export function pidsOf(all) {
  return Object.fromEntries(Object.entries(all).map(([name, { pid }]) => [name, pid]));
}

/** The processor time of all processes. */
export function sum(cpu) {
  return Object.values(cpu).reduce((all, us) => all + us, 0);
}
