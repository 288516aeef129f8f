import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PostgresOptions } from './postgres.ts';
import { prepareStandby, standbyEnvironment, unfinishedCopy, untilSynchronous } from './postgres-standby.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaultsvc-standby-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const primary = (port: number, postgres = '') =>
  ({ port, password: 'p', binaries: { postgres } }) as PostgresOptions;

describe('A standby with a copy of its primary', () => {
  it('follows its primary to another port', async () => {
    const path = join(folder, 'postgresql.auto.conf');
    const settings = (port: number) =>
      `# Do not edit\nprimary_conninfo = 'user=postgres password=port host=127.0.0.1 port=${port} application_name=standby'\n`;
    writeFileSync(join(folder, 'PG_VERSION'), '15\n');
    writeFileSync(path, settings(9320));
    await prepareStandby(primary(9520), folder);
    expect(readFileSync(path, 'utf8')).toBe(settings(9520));
  });
});

describe('A standby without a copy of its primary', () => {
  const dataDir = () => join(folder, 'data');

  /** Copies by a script instead of pg_basebackup, whose fourth argument is the folder of the copy. */
  function copyBy(script: string) {
    // The script runs as the user of PostgreSQL.
    chmodSync(folder, 0o711);
    const program = join(folder, 'bin');
    mkdirSync(program);
    writeFileSync(join(program, 'postgres'), '');
    writeFileSync(join(program, 'pg_basebackup'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return prepareStandby(primary(1, join(program, 'postgres')), dataDir());
  }

  it('gets a whole one, also after an interrupted one', async () => {
    const unfinished = unfinishedCopy(dataDir());
    mkdirSync(unfinished);
    writeFileSync(join(unfinished, 'left'), '');
    await copyBy('echo 15 > "$4/PG_VERSION"');
    expect(readdirSync(folder)).toEqual(['bin', 'data']);
    expect(readdirSync(dataDir())).toEqual(['PG_VERSION']);
  });

  it('has no data after a copy that was not completed', async () => {
    await expect(copyBy('echo 15 > "$4/PG_VERSION"; exit 1')).rejects.toThrow(/pg_basebackup/);
    expect(readdirSync(folder)).toEqual(['bin', 'data.new']);
  });

  it("is copied with the primary's password and no other setting of libpq", async () => {
    process.env.PGHOSTADDR = '10.0.0.1';
    try {
      await copyBy('env > "$4/environment"');
    } finally {
      delete process.env.PGHOSTADDR;
    }
    const environment = readFileSync(join(dataDir(), 'environment'), 'utf8');
    expect(environment.match(/^PG.*$/gm)).toEqual(['PGPASSWORD=p']);
  });
});

describe('The environment of a standby', () => {
  it('has no settings of libpq, which would lead to another primary', () => {
    const env = { PATH: '/bin', LANG: 'C', PGHOSTADDR: '10.0.0.1', PGSSLMODE: 'require' };
    expect(standbyEnvironment(env)).toEqual({ PATH: '/bin', LANG: 'C' });
  });
});

describe('The wait for a synchronous standby', () => {
  const admin = (rowCount: number) => ({ query: () => Promise.resolve({ rowCount }) }) as never;
  const standby = (pid: number) => {
    const logPath = join(folder, 'log');
    writeFileSync(logPath, 'FATAL: the primary is gone\n');
    return { name: 'postgres-standby', pid, plan: { logPath } } as never;
  };

  it('ends when the standby is synchronous', async () => {
    await expect(untilSynchronous(admin(1), standby(7))).resolves.toBeUndefined();
  });

  it('fails with the name and the log of a standby that is late', async () => {
    await expect(untilSynchronous(admin(0), standby(7), 100)).rejects.toThrow(
      /^postgres-standby is not synchronous after 0\.1 s\n.*the primary is gone/,
    );
  });

  it('fails at once with the name and the log of a standby that has ended', async () => {
    await expect(untilSynchronous(admin(0), standby(0))).rejects.toThrow(
      /^postgres-standby ended before it was synchronous\n.*the primary is gone/,
    );
  });
});
