import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { isOwnRun, newRunFolder, placeOfRuns, reapAbandonedRuns, removeRun } from './run-folder.ts';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'vaultsvc-places-'));
});
afterEach(() => rmSync(place, { recursive: true }));

/** No process has started at this time. */
const ended = JSON.stringify({ pid: process.pid, startedAt: 'never' });

describe('The folder of a run', () => {
  it.each(['/proc', '/a folder that no machine has'])(
    'is among the temporary files instead of %s',
    (memory) => {
      expect(placeOfRuns(memory)).toBe(tmpdir());
    },
  );

  it('is removed by the next run if its own was killed', async () => {
    const folder = newRunFolder(place);
    writeFileSync(join(folder, 'owner.json'), ended);
    await reapAbandonedRuns([join(place, 'absent'), place]);
    expect(existsSync(folder)).toBe(false);
  });

  it('stays while its run goes on, and while it is being made', async () => {
    const folder = newRunFolder(place);
    const unfinished = mkdtempSync(join(place, 'vaultsvc-test-'));
    const ofOthers = mkdtempSync(join(place, 'other-'));
    writeFileSync(join(ofOthers, 'owner.json'), ended);
    await reapAbandonedRuns([place]);
    expect([folder, unfinished, ofOthers].map((path) => existsSync(path))).toEqual([true, true, true]);
    expect([isOwnRun(folder), isOwnRun(unfinished)]).toEqual([true, false]);
    await removeRun(folder);
    expect(existsSync(folder)).toBe(false);
  });
});
