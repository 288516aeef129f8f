import { mkdtempSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Kms } from '@vaultsvc/crypto/kms';
import { openKeysFile, passphraseOf } from '@vaultsvc/crypto/kms/file';
import { runKmsKeys } from './kms-keys.js';

const dir = mkdtempSync(join(tmpdir(), 'vaultsvc-provision-'));
const file = join(dir, 'kms.keys');
const passphraseFile = join(dir, 'kms-passphrase');
const args = ['--file', file, '--passphrase-file', passphraseFile];
const context = { svc: 'sparks' };
let output = '';
beforeEach(() => {
  output = '';
  for (const stream of [process.stdout, process.stderr])
    jest.spyOn(stream, 'write').mockImplementation((text) => {
      output += String(text);
      return true;
    });
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => rm(dir, { recursive: true }));

const connect = (keyName = 'vk-root') =>
  new Kms({ key: { provider: 'file', file, passphraseFile, isSystemdCredential: false, keyName } });

async function versionsOf(): Promise<Record<string, number>> {
  const keys = await openKeysFile(await readFile(file, 'utf8'), passphraseOf(await readFile(passphraseFile)));
  return Object.fromEntries(Object.entries(keys).map(([name, versions]) => [name, versions.length]));
}

describe('OPEN-45: npm run provision -- kms-keys', () => {
  it('makes both root keys and a passphrase, in files of their owner alone, and prints no secret', async () => {
    expect(await runKmsKeys(args)).toBe(0);
    expect(output).toBe(`${file}: vk-root (versions: 1), vk-system (versions: 1)\n`);
    for (const path of [file, passphraseFile]) expect((await stat(path)).mode & 0o777).toBe(0o600);
    const passphrase = passphraseOf(await readFile(passphraseFile)).toString();
    expect(Buffer.from(passphrase, 'base64')).toHaveLength(32);
    for (const name of ['vk-root', 'vk-system']) {
      const { plaintext, wrapped } = await connect(name).generateDataKey(context);
      expect(await connect(name).decrypt(wrapped, context)).toEqual(plaintext);
    }
    expect((await readdir(dir)).toSorted()).toEqual(['kms-passphrase', 'kms.keys']);
  });

  it('keeps the keys when it is run again, and adds those that are named', async () => {
    const { plaintext, wrapped } = await connect().generateDataKey(context);
    expect(await runKmsKeys([...args, '--key', 'vk-root', '--key', 'vk-next'])).toBe(0);
    expect(await versionsOf()).toEqual({ 'vk-root': 1, 'vk-system': 1, 'vk-next': 1 });
    expect(await connect().decrypt(wrapped, context)).toEqual(plaintext);
  });

  it('rotates all keys, and retires the former versions', async () => {
    const { plaintext, wrapped } = await connect().generateDataKey(context);
    expect(await runKmsKeys([...args, '--rotate'])).toBe(0);
    expect(await versionsOf()).toEqual({ 'vk-root': 2, 'vk-system': 2, 'vk-next': 2 });
    expect(await connect().decrypt(wrapped, context)).toEqual(plaintext);
    const rewrapped = (await connect().rewrap(wrapped, context)) as Buffer;
    expect(await runKmsKeys([...args, '--retire'])).toBe(0);
    expect(await versionsOf()).toEqual({ 'vk-root': 1, 'vk-system': 1, 'vk-next': 1 });
    expect(await connect().decrypt(rewrapped, context)).toEqual(plaintext);
  });

  it('changes nothing with another passphrase, and makes none for keys that are there', async () => {
    const before = await readFile(file);
    const other = join(dir, 'other-passphrase');
    await writeFile(other, 'another passphrase of some length', { mode: 0o600 });
    expect(await runKmsKeys(['--file', file, '--passphrase-file', other, '--rotate'])).toBe(1);
    expect(await runKmsKeys(['--file', file, '--passphrase-file', join(dir, 'none')])).toBe(1);
    expect(await readFile(file)).toEqual(before);
    expect(await readdir(dir)).not.toContain('none');
  });

  it('refuses what it does not understand, with its usage', async () => {
    for (const wrong of [[], ['--file', file], [...args, '--rotate', '--retire'], [...args, '--force']])
      expect(await runKmsKeys(wrong)).toBe(2);
    expect(output).toContain('Usage: npm run provision -- kms-keys');
  });
});
