import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import type { Test } from '@jest/test-result';
import { workspace } from '../stack/settings.ts';

// Required: the declarations of the package describe its CommonJS file only.
const { default: DefaultSequencer } = createRequire(import.meta.url)(
  '@jest/test-sequencer',
) as typeof import('@jest/test-sequencer');

/** Seconds per kind of file on two quiet cores, for files that this machine has not run yet. The first match counts. */
const secondsByKind = [
  [/upload-races|value-release|structured\.race|cluster\.spec/, 60],
  [/\.e2e\.ts$|races\/|canary|objects\.spec|container\.spec/, 30],
  [/\.race\.spec\.ts$|process\.spec|invitations|create-ingot-link/, 20],
  [/^apps\//, 5],
] as const;

/** Spec files that start before the first end-to-end file: the stack starts beside them. */
const filesBeforeEndToEnd = 4;

/** Jest's order of files, kept together with their durations of the last run. */
export default class FileOrder extends DefaultSequencer {
  override async sort(tests: Test[]): Promise<Test[]> {
    const known = await super.sort(tests);
    return stackLater(longAmongShort([...known], (test) => test.duration ?? estimatedMs(test)));
  }
}

/** Longer files wait for servers and browsers most of their time, shorter ones need the processor. */
const LONG_MS = 15_000;

/** The share of the run in which all long files start, so that none of them is still running when all others have ended. */
const SHARE_OF_LONG = 0.8;

/** @returns long files among short ones, which use the processor while those wait; of both kinds the longest first */
export function longAmongShort<T>(tests: readonly T[], durationOf: (test: T) => number): T[] {
  const sorted = tests.toSorted((a, b) => durationOf(b) - durationOf(a));
  const isLong = (test: T) => durationOf(test) >= LONG_MS;
  const long = startsOf(sorted.filter(isLong), durationOf, SHARE_OF_LONG);
  const short = startsOf(
    sorted.filter((test) => !isLong(test)),
    durationOf,
    1,
  );
  return [...long, ...short].toSorted((a, b) => a.start - b.start).map(({ test }) => test);
}

/** @returns when each starts, from 0 to a share of the run, if they run one after another */
function startsOf<T>(tests: readonly T[], durationOf: (test: T) => number, share: number) {
  const totalMs = tests.reduce((sum, test) => sum + durationOf(test), 0);
  let beforeMs = 0;
  return tests.map((test) => {
    const start = (share * beforeMs) / totalMs;
    beforeMs += durationOf(test);
    return { test, start };
  });
}

/** @returns by its kind, and among files of a kind by its size */
export function estimatedMs({ path }: { path: string }): number {
  const name = relative(workspace, path);
  const seconds = secondsByKind.find(([kind]) => kind.test(name))?.[1] ?? 1;
  return seconds * 1_000 + statSync(path).size / 10;
}

/** @returns the same order, but the first few are no end-to-end files where there are others */
export function stackLater<T extends { path: string }>(tests: T[]): T[] {
  const first = tests.filter(({ path }) => !path.endsWith('.e2e.ts')).slice(0, filesBeforeEndToEnd);
  return [...first, ...tests.filter((test) => !first.includes(test))];
}
