import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  newKeys,
  openKeysFile,
  passphraseOf,
  retired,
  rotated,
  sealKeysFile,
  writeKeysFile,
} from './index.js';
import { Kms, Tampered, type FileSettings, type KmsUnavailable } from '../index.js';

const context = { svc: 'sparks', purpose: 'links', kid: '202611' };
/** Scrypt for tests, which seal and open often. */
const CHEAP = { N: 1_024, r: 8, p: 1 };
const dir = mkdtempSync(join(tmpdir(), 'vaultsvc-file-kms-'));
const passphrase = randomBytes(24).toString('base64');
afterAll(() => rm(dir, { recursive: true }));

let file: string;
let passphraseFile: string;
beforeEach(async () => {
  const folder = join(dir, randomBytes(4).toString('hex'));
  await mkdir(folder);
  [file, passphraseFile] = [join(folder, 'kms.keys'), join(folder, 'kms-passphrase')];
  await writeFile(passphraseFile, `${passphrase}\n`, { mode: 0o600 });
  await write(newKeys(['vk-root', 'vk-system']));
});

async function write(keys: ReturnType<typeof newKeys>): Promise<void> {
  await writeKeysFile(file, await sealKeysFile(keys, Buffer.from(passphrase), CHEAP));
}

async function change(by: (keys: ReturnType<typeof newKeys>) => ReturnType<typeof newKeys>): Promise<void> {
  await write(by(await openKeysFile(await readFile(file, 'utf8'), Buffer.from(passphrase))));
}

function connect(settings: Partial<FileSettings> = {}): Kms {
  const key = {
    provider: 'file',
    file,
    passphraseFile,
    isSystemdCredential: false,
    keyName: 'vk-root',
  } as const;
  return new Kms({ key: { ...key, ...settings } });
}

const reasonOf = (kms = connect()) =>
  kms.generateDataKey(context).then(
    () => 'none',
    (error: KmsUnavailable) => error.reason,
  );

describe('OPEN-45: the keys file', () => {
  it('gives no random data: there is no hardware', async () => {
    await expect(connect().generateRandom(16)).rejects.toMatchObject({
      name: 'KmsUnavailable',
      reason: 'NoHardwareSource',
    });
  });

  it('holds no key in clear, and has mode 0600', async () => {
    const keys = newKeys(['vk-root']);
    await write(keys);
    const text = await readFile(file, 'utf8');
    expect(keys['vk-root']).toHaveLength(1);
    for (const { material } of keys['vk-root'] ?? [])
      for (const encoding of ['base64', 'hex'] as const)
        expect(text).not.toContain(material.toString(encoding));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(file, '..'))).toHaveLength(2);
  });

  it('is refused with another passphrase, and with changed bytes', async () => {
    await writeFile(passphraseFile, 'another passphrase of length');
    expect(await reasonOf()).toBe('WrongPassphrase');
    await writeFile(passphraseFile, passphrase);
    const stored = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    const sealed = Buffer.from(stored['sealed'] as string, 'base64');
    sealed.writeUInt8(sealed.readUInt8(sealed.length - 1) ^ 1, sealed.length - 1);
    await writeFile(file, JSON.stringify({ ...stored, sealed: sealed.toString('base64') }));
    expect(await reasonOf()).toBe('KeysFileUnreadable');
    await writeFile(file, '{}');
    expect(await reasonOf()).toBe('KeysFileUnreadable');
  });

  it('without the named key is refused', async () => {
    expect(await reasonOf(connect({ keyName: 'vk-other' }))).toBe('KeyNotInFile');
    expect(await reasonOf(connect({ keyName: 'vk-system' }))).toBe('none');
  });

  it('that is missing is refused, and used once it is there', async () => {
    const text = await readFile(file, 'utf8');
    await rm(file);
    const kms = connect();
    expect(await reasonOf(kms)).toBe('ENOENT');
    await writeKeysFile(file, text);
    expect(await reasonOf(kms)).toBe('none');
  });

  it.each([0o640, 0o604, 0o660])('that others of the machine may read is refused, mode %i', async (mode) => {
    await chmod(file, mode);
    expect(await reasonOf()).toBe('FileModeTooOpen');
    await chmod(file, 0o600);
    await chmod(passphraseFile, mode);
    expect(await reasonOf()).toBe('FileModeTooOpen');
  });

  it('of another user is refused', async () => {
    const stranger = 54_321;
    if (process.getuid?.() === 0) await chown(file, stranger, stranger);
    else jest.spyOn(process, 'getuid').mockReturnValue(stranger);
    expect(await reasonOf()).toBe('FileOfAnotherOwner');
    jest.restoreAllMocks();
  });

  it('opens with a credential of systemd, whose mode shows the mask of an ACL', async () => {
    await chmod(passphraseFile, 0o440);
    expect(await reasonOf()).toBe('FileModeTooOpen');
    expect(await reasonOf(connect({ isSystemdCredential: true }))).toBe('none');
    await chmod(passphraseFile, 0o444);
    expect(await reasonOf(connect({ isSystemdCredential: true }))).toBe('FileModeTooOpen');
  });

  it('costs 32 MiB and three rounds for each guess of the passphrase', async () => {
    const text = await sealKeysFile(newKeys(['vk-root']), Buffer.from(passphrase));
    expect(JSON.parse(text)).toMatchObject({ kdf: { name: 'scrypt', N: 32_768, r: 8, p: 3 } });
    await writeKeysFile(file, text);
    expect(Object.keys(await openKeysFile(text, Buffer.from(passphrase)))).toEqual(['vk-root']);
  });

  it('is not sealed by a short passphrase', async () => {
    await expect(sealKeysFile(newKeys(['vk-root']), Buffer.from('123456789012345'))).rejects.toThrow(
      RangeError,
    );
  });

  it('has a passphrase without the line break of an editor', () => {
    for (const text of ['secret', 'secret\n', 'secret\r\n'])
      expect(passphraseOf(Buffer.from(text)).toString()).toBe('secret');
  });
});

describe('SPK-50: the versions of a key in a file', () => {
  it('are all readable after a rotation, and new data keys are wrapped with the newest one', async () => {
    const { plaintext, wrapped } = await connect().generateDataKey(context);
    await change(rotated);
    const kms = connect();
    expect(await kms.decrypt(wrapped, context)).toEqual(plaintext);
    const rewrapped = (await kms.rewrap(wrapped, context)) as Buffer;
    expect(await kms.rewrap(rewrapped, context)).toBeUndefined();
    await change(retired);
    expect(await connect().decrypt(rewrapped, context)).toEqual(plaintext);
    await expect(connect().decrypt(wrapped, context)).rejects.toThrow(Tampered);
  });

  it('are found by a process that was started before the rotation', async () => {
    const earlier = connect();
    await earlier.generateDataKey(context);
    await change(rotated);
    const { plaintext, wrapped } = await connect().generateDataKey(context);
    expect(await earlier.decrypt(wrapped, context)).toEqual(plaintext);
  });

  it('are loaded again after `close`, and nothing is ever wrapped with a wiped key', async () => {
    const kms = connect();
    const first = kms.generateDataKey(context);
    kms.close();
    const { plaintext, wrapped } = await first;
    expect(await connect().decrypt(wrapped, context)).toEqual(plaintext);
  });
});
