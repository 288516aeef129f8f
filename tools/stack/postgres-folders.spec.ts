import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { assertSameServers, postgresDir, postgresDirs } from './postgres-folders.ts';
import { readSettings } from './settings.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaultsvc-folders-'));
});

afterEach(() => {
  const { paths } = settings();
  for (const dir of [...postgresDirs(paths), folder]) rmSync(dir, { recursive: true, force: true });
});

const settings = (...args: string[]) => readSettings({ VAULTSVC_DIR: folder }, args);

describe('npm start with data of an earlier start', () => {
  it('accepts any choice of --clusters while there is none', () => {
    for (const each of [settings(), settings('--clusters')])
      expect(() => assertSameServers(each)).not.toThrow();
  });

  it('refuses --clusters where the data was made without it', () => {
    mkdirSync(settings().paths.postgres);
    expect(() => assertSameServers(settings())).not.toThrow();
    expect(() => assertSameServers(settings('--clusters'))).toThrow(
      `The data in ${folder} was made without --clusters. Start without it, or in another folder (VAULTSVC_DIR), or delete the data with --fresh.`,
    );
  });

  it('refuses to go on without --clusters where accounts may be in the second shard', () => {
    const { paths } = settings();
    for (const dir of [paths.postgres, postgresDir(paths, 'shard')]) mkdirSync(dir, { recursive: true });
    expect(() => assertSameServers(settings('--clusters'))).not.toThrow();
    expect(() => assertSameServers(settings())).toThrow(/was made with --clusters\. Start with it,/);
  });
});
