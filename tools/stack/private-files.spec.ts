import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { releaseLock, acquireLock } from './lock.ts';
import { readJson, writePrivateJson } from './private-files.ts';
import { processStart } from './servers/children.ts';
import { loadSecrets } from './secrets.ts';
import { readSettings } from './settings.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaultsvc-files-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('stack.json', () => {
  it('is complete at every read during writes', async () => {
    const path = join(folder, 'stack.json');
    const module = pathToFileURL(join(process.cwd(), 'tools/stack/private-files.ts')).href;
    const program = `import { writePrivateJson } from '${module}';
      for (let n = 0; ; n++) writePrivateJson('${path}', { n, filling: 'x'.repeat(20000) });`;
    const writer = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' });
    const ended = once(writer, 'exit');
    const seen = new Set<number>();
    try {
      while (seen.size < 300 && writer.exitCode === null) {
        const value = readJson<{ n: number; filling: string }>(path);
        if (value) seen.add(value.n);
        if (value) expect(value.filling).toHaveLength(20000);
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      writer.kill('SIGKILL');
    }
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(seen.size).toBe(300);
  });

  it('is readable only by its owner, and leaves no temporary file', () => {
    const path = join(folder, 'stack.json');
    writePrivateJson(path, { pid: 1 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['stack.json']);
  });
});

describe('The lock of a stack', () => {
  it('returns its running owner to a second start', () => {
    const path = join(folder, 'launcher.json');
    expect(acquireLock(path)).toBeUndefined();
    expect(acquireLock(path)).toEqual({ pid: process.pid, startedAt: processStart(process.pid) });
    releaseLock(path);
    expect(acquireLock(path)).toBeUndefined();
  });

  it('is acquired from a killed launcher, even when its pid was reused', () => {
    const path = join(folder, 'launcher.json');
    writeFileSync(path, JSON.stringify({ pid: process.pid, startedAt: 'another time' }));
    expect(acquireLock(path)).toBeUndefined();
    expect(readJson<{ n: number; filling: string }>(path)).toEqual({
      pid: process.pid,
      startedAt: processStart(process.pid),
    });
    expect(readdirSync(folder)).toEqual(['launcher.json']);
  });
});

describe('OPEN-51: the secrets of a stack', () => {
  const paths = () => readSettings({ VAULTSVC_DIR: folder }, []).paths;

  it('are generated once: keys of 32 random bytes, a password per service, mode 0600', () => {
    const secrets = loadSecrets(paths());
    const { CURSOR_KEY, CREDENTIAL_RECORD_KEY, POOL_SNAPSHOT_KEY } = secrets;
    const ofCalls = Object.values(secrets.keys.calls).flat();
    const keys = [CURSOR_KEY, CREDENTIAL_RECORD_KEY, POOL_SNAPSHOT_KEY, ...ofCalls];
    for (const key of keys) expect(Buffer.from(key, 'base64')).toHaveLength(32);
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(Object.values(secrets.database_passwords)).size).toBe(7);
    expect(statSync(paths().secrets).mode & 0o777).toBe(0o600);
    expect(loadSecrets(paths())).toEqual(secrets);
  });

  it('are completed, and otherwise kept, where an earlier release made them', () => {
    const { redis_passwords, kms_secrets, POOL_SNAPSHOT_KEY, ...earlier } = loadSecrets(paths());
    writeFileSync(paths().postgres, '');
    writePrivateJson(paths().secrets, { ...earlier, redis_passwords: { auth: 'kept' } });
    const secrets = loadSecrets(paths());
    expect(secrets).toMatchObject({ ...earlier, redis_passwords: { auth: 'kept' } });
    expect(Object.keys(secrets.redis_passwords)).toEqual(Object.keys(redis_passwords));
    expect(Object.keys(secrets.kms_secrets)).toEqual(Object.keys(kms_secrets));
    expect(secrets.POOL_SNAPSHOT_KEY).not.toBe(POOL_SNAPSHOT_KEY);
    expect(loadSecrets(paths())).toEqual(secrets);
  });

  it('are not replaced silently when they are missing but data exists', () => {
    writeFileSync(paths().postgres, '');
    expect(() => loadSecrets(paths())).toThrow(/secrets\.json is missing.*--fresh/s);
  });
});
