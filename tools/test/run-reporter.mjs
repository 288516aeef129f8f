import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { seconds, timeReport, timesOf } from './times.mjs';

/** @typedef {import('@jest/test-result').TestResult} TestResult */

/** Names the file that receives Jest's results. */
export const resultsVariable = 'VAULTSVC_TEST_RESULTS';

const progressEveryMs = 30_000;

/**
 * Jest's output in a run of everything: a failed file in full, now and then how far it is, and where the time went.
 */
export default class RunReporter {
  #begun = Date.now();
  #saidAt = Date.now();
  /** @type {import('./times.mjs').FileTimes[]} */
  #files = [];
  /** @type {string} */
  #root;

  /** @param {{ rootDir: string }} config */
  constructor({ rootDir }) {
    this.#root = rootDir;
  }

  /**
   * @param {import('@jest/test-result').Test} test
   * @param {TestResult} result
   * @param {import('@jest/test-result').AggregatedResult} totals
   */
  onTestResult(test, result, totals) {
    const path = relative(this.#root, test.path);
    this.#files.push(timesOf(result, path));
    if (result.failureMessage)
      say(`\n  FAILED  ${path}\n${consoleText(result.console)}${result.failureMessage}`);
    if (Date.now() - this.#saidAt < progressEveryMs) return;
    this.#saidAt = Date.now();
    const { numPassedTests, numFailedTests, numTotalTestSuites } = totals;
    const files = `${this.#files.length} of ${numTotalTestSuites} files`;
    say(
      `  tests   ${files}, ${numPassedTests} passed, ${numFailedTests} failed  ${seconds(this.#saidAt - this.#begun)}`,
    );
  }

  /**
   * @param {unknown} _contexts
   * @param {import('@jest/test-result').AggregatedResult} totals
   */
  onRunComplete(_contexts, results) {
    const { runExecError } = results;
    const path = process.env[resultsVariable];
    if (path) writeFileSync(path, JSON.stringify(results, countsOnly));
    if (runExecError) say(`\n  FAILED  ${runExecError.stack ?? runExecError.message}\n`);
    say(['', ...timeReport(this.#files)].map((line) => `  ${line}`.trimEnd()).join('\n'));
  }
}

/**
 * @param {string} key
 * @param {unknown} value
 */
function countsOnly(key, value) {
  return key === '' || typeof value === 'number' ? value : undefined;
}

/**
 * The output of a failed file.
 * @param {TestResult['console']} entries
 */
function consoleText(entries) {
  return (entries ?? []).map(({ message }) => `    ${message.replaceAll('\n', '\n    ')}\n`).join('');
}

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`);
}
