import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { AggregatedResult, Test, TestResult } from '@jest/test-result';
import { seconds, timeReport, timesOf, type FileTimes } from './times.ts';

/** Names the file that receives Jest's results. */
export const resultsVariable = 'VAULTSVC_TEST_RESULTS';

const progressEveryMs = 30_000;

/** Jest's output in a run of everything: a failed file in full, now and then how far it is, and where the time went. */
export default class RunReporter {
  #begun = Date.now();
  #saidAt = Date.now();
  #files: FileTimes[] = [];
  #failures: string[] = [];
  #root: string;

  constructor({ rootDir }: { rootDir: string }) {
    this.#root = rootDir;
  }

  onTestResult(test: Test, result: TestResult, totals: AggregatedResult) {
    const path = relative(this.#root, test.path);
    this.#files.push(timesOf(result, path));
    if (result.failureMessage) {
      this.#failures.push(...failuresOf(result, path));
      say(`\n  FAILED  ${path}\n${consoleText(result.console)}${result.failureMessage}`);
    }
    if (Date.now() - this.#saidAt < progressEveryMs) return;
    this.#saidAt = Date.now();
    const { numPassedTests, numFailedTests, numTotalTestSuites } = totals;
    const files = `${this.#files.length} of ${numTotalTestSuites} files`;
    say(
      `  tests   ${files}, ${numPassedTests} passed, ${numFailedTests} failed  ${seconds(this.#saidAt - this.#begun)}`,
    );
  }

  onRunComplete(_contexts: unknown, results: AggregatedResult) {
    const { runExecError } = results;
    const path = process.env[resultsVariable];
    if (path) writeFileSync(path, JSON.stringify(results, countsOnly));
    if (runExecError) say(`\n  FAILED  ${runExecError.stack ?? runExecError.message}\n`);
    const failures = this.#failures.length > 0 ? ['', 'Failed:', ...this.#failures] : [];
    say(['', ...timeReport(this.#files), ...failures].map((line) => `  ${line}`.trimEnd()).join('\n'));
  }
}

function countsOnly(key: string, value: unknown) {
  return key === '' || typeof value === 'number' ? value : undefined;
}

/** A line for each failed test, to be read again below the totals, where nobody scrolls for it. */
function failuresOf({ testResults, testExecError }: TestResult, path: string) {
  const failed = testResults.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return [`  ${path}: ${(testExecError?.message ?? 'did not run').split('\n')[0]}`];
  return failed.map(({ fullName, failureMessages }) => {
    const reason = stripVTControlCharacters(failureMessages[0] ?? '').split('\n')[0];
    return `  ${path}: ${fullName}: ${reason}`;
  });
}

/** The output of a failed file. */
function consoleText(entries: TestResult['console']) {
  return (entries ?? []).map(({ message }) => `    ${message.replaceAll('\n', '\n    ')}\n`).join('');
}

function say(text: string) {
  process.stdout.write(`${text}\n`);
}
