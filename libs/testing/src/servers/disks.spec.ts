import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { heldUnder } from './disks.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaultsvc-disks-'));
});
afterEach(() => rmSync(folder, { recursive: true, maxRetries: 5 }));

it('a search of a disk skips folders that are deleted while it runs', async () => {
  writeFileSync(join(folder, 'kept'), 'a canary');
  const program = `const { mkdirSync, rmSync } = require('node:fs');
    console.log('up');
    const parent = process.ppid;
    // Jest may kill its worker, whose children must then end by themselves.
    while (process.ppid === parent) { mkdirSync('a/b/c', { recursive: true }); rmSync('a', { recursive: true }); }`;
  const other = spawn(process.execPath, ['-e', program], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(other, 'exit');
  await once(other.stdout, 'data');
  try {
    for (let round = 0; round < 500; round++)
      expect(heldUnder(folder, ['canary', 'absent'])).toEqual(['canary']);
  } finally {
    other.kill('SIGKILL');
    await ended;
  }
});

it('a search of texts made since a time reads each file that was written since, and no other', () => {
  const since = Date.now() - 60_000;
  for (const name of ['former', 'changed']) {
    writeFileSync(join(folder, name), `canary of ${name}`);
    utimesSync(join(folder, name), since / 1_000 - 1, since / 1_000 - 1);
  }
  const sought = ['canary of former', 'canary of changed', 'a later one'];
  expect(heldUnder(folder, sought)).toEqual(expect.arrayContaining(sought.slice(0, 2)));
  expect(() => heldUnder(folder, sought, since)).toThrow('no files');
  appendFileSync(join(folder, 'changed'), 'a later one');
  expect(heldUnder(folder, sought, since)).toEqual(['canary of changed', 'a later one']);
});

it('a search of folders without a file throws', () => {
  mkdirSync(join(folder, 'empty'));
  for (const nothing of [folder, join(folder, 'absent')])
    expect(() => heldUnder(nothing, ['canary'])).toThrow('no files');
});
