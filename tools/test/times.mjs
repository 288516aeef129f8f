/**
 * @typedef {object} FileTimes of one spec file, in milliseconds
 * @property {string} path from the workspace
 * @property {number} startMs from its start to the start of its first test: modules, servers, services
 * @property {number} testMs from then to its end
 */

const slowestCount = 10;

/**
 * @param {import('@jest/test-result').TestResult} result
 * @param {string} path
 * @returns {FileTimes}
 */
export function timesOf({ perfStats: { start, end }, testResults }, path) {
  const starts = testResults.flatMap(({ startAt }) => (startAt ? [startAt] : []));
  const first = Math.min(end, ...starts);
  return { path, startMs: first - start, testMs: end - first };
}

/**
 * Where the time of a run of Jest went, as lines.
 * @param {readonly FileTimes[]} files
 * @returns {string[]}
 */
export function timeReport(files) {
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

/** @param {number} ms */
export function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** @param {FileTimes} file */
function totalOf({ startMs, testMs }) {
  return startMs + testMs;
}

/** @param {number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
