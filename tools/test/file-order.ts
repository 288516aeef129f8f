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
  [/upload-races|value-release|structured\.race/, 60],
  [/\.e2e\.ts$|races\/|canary|objects\.spec|container\.spec/, 30],
  [/\.race\.spec\.ts$|process\.spec|invitations|create-ingot-link/, 20],
  [/^apps\//, 5],
] as const;

/** Spec files that start before the first end-to-end file: the stack starts beside them. */
const filesBeforeEndToEnd = 4;

/** Jest's order of files, kept together with their durations of the last run. */
export default class FileOrder extends DefaultSequencer {
  /** @returns the longest first, so that none of them is still running when all others have ended */
  override async sort(tests: Test[]): Promise<Test[]> {
    const known = await super.sort(tests);
    return stackLater(longestFirst(known, (test) => test.duration ?? estimatedMs(test)));
  }
}

export function longestFirst<T>(tests: Iterable<T>, durationOf: (test: T) => number): T[] {
  return [...tests].sort((a, b) => durationOf(b) - durationOf(a));
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
