// Rows that several benchmarks print.

/** What is shown of a measurement. */
export interface Figures {
  perSecond: number;
  p50: number;
  p99: number;
  errors: number;
}

/** Cells of a measurement: requests/s, p50, p99, errors. */
export function figures({ perSecond, p50, p99, errors }: Figures) {
  return [perSecond.toFixed(0), p50.toFixed(2), p99.toFixed(2), errors];
}

/** The pids by name, from the services or servers of `stack.json`. */
export function pidsOf(all: Record<string, { pid: number | null }>): Record<string, number> {
  return Object.fromEntries(Object.entries(all).map(([name, { pid }]) => [name, running(name, pid)]));
}

function running(name: string, pid: number | null): number {
  if (!pid) throw new Error(`${name} does not run`);
  return pid;
}

/** The processor time of all processes. */
export function sum(cpu: Record<string, number>) {
  return Object.values(cpu).reduce((all, us) => all + us, 0);
}
