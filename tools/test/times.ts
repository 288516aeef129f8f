import type { TestResult } from '@jest/test-result';

/** Of one spec file, in milliseconds. */
export interface FileTimes {
  /** From the workspace. */
  path: string;
  /** From its start to the start of its first test: modules, servers, services. */
  startMs: number;
  /** From then to its end. */
  testMs: number;
}

const slowestCount = 10;

export function timesOf({ perfStats: { start, end }, testResults }: TestResult, path: string): FileTimes {
  const starts = testResults.flatMap(({ startAt }) => (startAt ? [startAt] : []));
  const first = Math.min(end, ...starts);
  return { path, startMs: first - start, testMs: end - first };
}

/** Where the time of a run of Jest went, as lines. */
export function timeReport(files: readonly FileTimes[]): string[] {
  const start = sum(files.map(({ startMs }) => startMs));
  const test = sum(files.map(({ testMs }) => testMs));
  const slowest = [...files].sort((a, b) => totalOf(b) - totalOf(a)).slice(0, slowestCount);
  return [
    `Spec files took ${seconds(start + test)}: ${seconds(start)} before their first tests, ${seconds(test)} from then on.`,
    `The slowest of ${files.length}:`,
    ...slowest.map(
      (file) => `${seconds(totalOf(file)).padStart(9)}  (${seconds(file.startMs)} to start)  ${file.path}`,
    ),
  ];
}

export function seconds(ms: number) {
  return `${(ms / 1000).toFixed(1)} s`;
}

function totalOf({ startMs, testMs }: FileTimes) {
  return startMs + testMs;
}

function sum(values: number[]) {
  return values.reduce((total, value) => total + value, 0);
}
