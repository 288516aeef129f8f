import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writePrivateJson } from './private-files.ts';
import { reportRunningStack } from './running-stack.ts';
import { processStart } from './servers/children.ts';
import { readSettings } from './settings.ts';

let folder: string;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'vaultsvc-running-')), 'state');
  mkdirSync(folder);
});

afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

/** A start beside a stack of this process. */
function startBeside(running: { postgres_shard_url?: string }, ...args: string[]) {
  const settings = readSettings({ VAULTSVC_DIR: folder }, args);
  // Nothing listens on port 1.
  writePrivateJson(settings.paths.descriptor, {
    pid: process.pid,
    api_url: 'http://127.0.0.1:1',
    ...running,
  });
  return reportRunningStack({ pid: process.pid, startedAt: processStart(process.pid) ?? '' }, settings);
}

describe('npm start beside a running stack of the same folder', () => {
  it('refuses --clusters where the stack has none', async () => {
    await expect(startBeside({}, '--clusters')).rejects.toThrow(
      `This stack is already running without --clusters (pid ${process.pid}). Start another one in another folder, on other ports: VAULTSVC_DIR=… VAULTSVC_PORT=… npm start -- --clusters`,
    );
  });

  it('refuses to show a stack with clusters to a start without', async () => {
    await expect(startBeside({ postgres_shard_url: 'postgres://' })).rejects.toThrow(
      /already running with --clusters .* npm start$/,
    );
  });

  it.each([
    [{}, []],
    [{ postgres_shard_url: 'postgres://' }, ['--clusters']],
  ])('goes on to the health of the stack where both agree: %j', async (running, args) => {
    await expect(startBeside(running, ...args)).rejects.toThrow(/\/v1\/health does not answer/);
  });
});
