import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { postgresDir, postgresDirs, removeStandby } from './postgres-folders.ts';
import { stackPaths } from './settings.ts';

let folder: string;
const paths = () => stackPaths({ VAULTSVC_DIR: folder });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaultsvc-folders-'));
});

afterEach(() => {
  for (const dir of [...postgresDirs(paths()), folder]) rmSync(dir, { recursive: true, force: true });
});

describe('The folders of PostgreSQL', () => {
  it('are those of both shards and their standbys, and of unfinished copies', () => {
    const first = postgresDir(paths());
    const suffixes = postgresDirs(paths()).map((dir) => dir.replace(first, ''));
    expect(suffixes).toEqual(expect.arrayContaining(['', '-standby', '-shard', '-shard-standby']));
    expect(suffixes).toEqual(expect.arrayContaining(['-standby.new', '-shard-standby.new']));
  });

  it('lose a standby without its primary and the other standby', () => {
    for (const server of ['standby', 'shard', 'shard-standby'] as const)
      mkdirSync(postgresDir(paths(), server), { recursive: true });
    removeStandby(paths(), 'standby');
    expect(() => mkdirSync(postgresDir(paths(), 'standby'))).not.toThrow();
    for (const server of ['shard', 'shard-standby'] as const)
      expect(() => mkdirSync(postgresDir(paths(), server))).toThrow(/EEXIST/);
  });
});
