import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild } from './children.ts';
import { jestTotals } from './jest-totals.ts';
import { resultsVariable } from './run-reporter.ts';
import { printStep, type Totals } from './steps.ts';

/** Jest's advice about what `--forceExit` and the kill of a worker are for: see below. */
const expected = /Force exiting Jest: Have you considered|A worker process has failed to exit gracefully/;

/**
 * All specs, races, the fuzzer and the journeys: one run of Jest, which starts the servers that they need.
 * @param options `onStart`: called with the process id of Jest; `titles`: what the titles of the tests that run have in common
 */
export async function runJest(
  paths: string[],
  { onStart, titles }: { onStart?: (pid: number) => void; titles?: string } = {},
): Promise<Totals> {
  const begunMs = Date.now();
  const results = join(tmpdir(), `vaultsvc-results-${process.pid}.json`);
  const named = titles === undefined ? [] : [`--testNamePattern=${titles}`];
  // `--` before the paths: without it Jest would read them as more reporters.
  const reporter = '--reporters=<rootDir>/tools/test/run-reporter.ts';
  // Jest kills workers that use much memory. A process that such a worker has started keeps its output open, for which Jest
  // would wait for ever after the last test.
  const { code } = await runChild(['jest', reporter, '--forceExit', ...named, '--', ...paths], {
    // Short-lived objects: a tenth of a worker's time was the collection of a small young generation.
    NODE_OPTIONS: '--experimental-vm-modules --no-warnings --max-semi-space-size=64',
    env: { [resultsVariable]: results },
    hidden: expected,
    onStart,
  });
  const totals = jestTotals(read(results), code, titles !== undefined);
  rmSync(results, { force: true });
  printStep('tests', totals.failed === 0, begunMs);
  return totals;
}

function read(path: string) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // Jest ended before it could report; its exit code counts as the failure.
  }
}
