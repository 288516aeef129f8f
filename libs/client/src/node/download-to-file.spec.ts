import { randomBytes } from 'node:crypto';
import {
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  lstatSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeVault, type FakeIngot } from '../testing/fake-vault.js';
import { downloadToFile, type FileDownloadOptions } from './download-to-file.js';

let vault: FakeVault;
let ingot: FakeIngot;
let folder: string;
let path: string;
const content = randomBytes(3_000_000);

beforeAll(async () => void (vault = await FakeVault.start()));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'download-spec-'));
  path = join(folder, 'got.bin');
  ingot = vault.store('a.bin', content);
  vault.namesVersions = vault.hasHashes = true;
  delete vault.faults.onSent;
});
afterAll(() => vault.stop());

const state = () => join(folder, 'state');
const save = (options: FileDownloadOptions = {}, to = path) =>
  downloadToFile(vault.access, ingot.id, to, { stateFolder: state(), ...options });
const files = () => readdirSync(folder).filter((name) => name !== 'state');
const parts = () => files().filter((name) => name.endsWith('.part'));
const notes = () =>
  readdirSync(state(), { recursive: true }).filter((name) => String(name).endsWith('.json'));

/** Ends a download when most of it is on the disk. */
async function interrupt(): Promise<string> {
  const control = new AbortController();
  const onProgress = ({ bytes }: { bytes: number }) => void (bytes > 2_000_000 && control.abort());
  await expect(save({ signal: control.signal, onProgress })).rejects.toThrow();
  return join(folder, parts()[0] ?? '');
}

describe('a download to a file', () => {
  it('SDK-09: has its name when it is complete and verified, with access for its owner, and leaves nothing else', async () => {
    vault.faults.onSent = () => {
      expect(parts().map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600]);
      return undefined;
    };
    expect(await save()).toMatchObject({ path, size: content.length, verified: true });
    expect(readFileSync(path).equals(content)).toBe(true);
    expect([files(), statSync(path).mode & 0o777, notes()]).toEqual([['got.bin'], 0o600, []]);
  });

  it('SDK-09 ING-43: has the modification time of the file that was uploaded', async () => {
    ingot = vault.store('a.bin', content, 1_234_567_890);
    expect(await save()).toMatchObject({ modifiedAt: 1_234_567_890 });
    expect(statSync(path).mtime.toISOString()).toBe('2009-02-13T23:31:30.000Z');
  });

  it('SDK-09 ING-43: has that time before it has its name', async () => {
    ingot = vault.store('a.bin', content, 1_234_567_890);
    vault.faults.onSent = () => void writeFileSync(path, 'of another program');
    await expect(save()).rejects.toThrow('The content is in');
    const [part = ''] = parts();
    expect(statSync(join(folder, part)).mtime.toISOString()).toBe('2009-02-13T23:31:30.000Z');
    expect(statSync(path).mtimeMs).toBeGreaterThan(1_600_000_000_000);
  });

  it('SDK-09 ING-43: has the time of the download if the vault knows none', async () => {
    expect(await save()).toMatchObject({ modifiedAt: null });
    expect(statSync(path).mtimeMs).toBeGreaterThan(1_600_000_000_000);
    vault.namesVersions = false;
    expect(await save({}, join(folder, 'older.bin'))).toMatchObject({ modifiedAt: null });
  });

  it('SDK-09: goes on with what an earlier call left', async () => {
    await interrupt();
    const progress: number[] = [];
    await save({ onProgress: ({ bytes }) => progress.push(bytes) });
    expect(progress[0]).toBeGreaterThan(1_500_000);
    expect(readFileSync(path).equals(content)).toBe(true);
    expect(files()).toEqual(['got.bin']);
  });

  it.each([
    ['changed', (part: string) => writeFileSync(part, randomBytes(2_000_000))],
    [
      'changed, with its times put back',
      (part: string) => {
        const { atime, mtime } = statSync(part);
        const bytes = readFileSync(part);
        bytes[1_000] = (bytes[1_000] ?? 0) ^ 1;
        writeFileSync(part, bytes);
        utimesSync(part, atime, mtime);
      },
    ],
    ['extended', (part: string) => writeFileSync(part, Buffer.concat([content, content]))],
    ['truncated', (part: string) => writeFileSync(part, '')],
    ['deleted', (part: string) => rmSync(part)],
  ])('SDK-09: notices that what an earlier call left was %s', async (_, change) => {
    change(await interrupt());
    expect(await save()).toMatchObject({ verified: true });
    expect(readFileSync(path).equals(content)).toBe(true);
  });

  it('SDK-09: starts over if the file in the vault was replaced meanwhile', async () => {
    await interrupt();
    const other = randomBytes(content.length);
    vault.store('a.bin', other);
    await save();
    expect(readFileSync(path).equals(other)).toBe(true);
    expect(files()).toEqual(['got.bin']);
  });

  it('SDK-09: without hashes goes on with no byte that cannot be compared', async () => {
    vault.hasHashes = false;
    const part = await interrupt();
    const bytes = readFileSync(part);
    bytes.fill(0);
    writeFileSync(part, bytes);
    expect(await save()).toMatchObject({ verified: false });
    expect(readFileSync(path).equals(content)).toBe(true);
  });

  it('SDK-09: deletes a wrong content, and says so', async () => {
    const wrong = Buffer.from(content);
    wrong[5] = (wrong[5] ?? 0) ^ 1;
    const answerWrong = (request: Request) => {
      Object.assign(ingot.version as object, { content: wrong });
      return fetch(request);
    };
    await expect(save({ fetch: answerWrong })).rejects.toThrow('its hash is another one');
    expect(files()).not.toContain('got.bin');
  });
});

describe('the target of a download', () => {
  it.each([
    ['exists', () => writeFileSync(path, 'mine')],
    ['is a dangling symbolic link', () => symlinkSync(join(folder, 'none'), path)],
  ])('SDK-09: is not touched if it %s', async (_, make) => {
    make();
    const before = lstatSync(path).ino;
    await expect(save()).rejects.toMatchObject({ problem: 'EXISTS' });
    expect([lstatSync(path).ino, files()]).toEqual([before, ['got.bin']]);
  });

  it.each([
    ['a file', () => writeFileSync(path, 'mine')],
    ['a dangling symbolic link', () => symlinkSync(join(folder, 'none'), path)],
  ])('SDK-09: is not touched if it becomes %s meanwhile; the content is kept and named', async (_, make) => {
    let isMade = false;
    vault.faults.onSent = () => {
      if (!isMade) make();
      isMade = true;
      return undefined;
    };
    const error = await save().catch((thrown: unknown) => thrown);
    const [part = ''] = parts();
    expect(error).toMatchObject({ problem: 'EXISTS', kept: join(folder, part) });
    expect(readFileSync(join(folder, part)).equals(content)).toBe(true);
    expect(lstatSync(path).isSymbolicLink() || readFileSync(path, 'utf8') === 'mine').toBe(true);
    // A later call deletes neither.
    await expect(save()).rejects.toMatchObject({ problem: 'EXISTS' });
    expect(files().sort()).toEqual([part, 'got.bin'].sort());
  });

  it('SDK-09: may have a name of 255 bytes, and files called .part beside it, which are not ours', async () => {
    const name = 'ä'.repeat(127) + 'b';
    writeFileSync(`${path}.part`, 'not ours');
    await save({}, join(folder, name));
    await save();
    expect(readFileSync(join(folder, name)).equals(content)).toBe(true);
    expect(readFileSync(`${path}.part`, 'utf8')).toBe('not ours');
  });

  it('SDK-09: is written by one call at a time; the other says which process does', async () => {
    const outcomes = await Promise.allSettled([save(), save(), save()]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({
          message: expect.stringMatching(new RegExp(`process ${process.pid}|exists already`)),
        });
    expect(readFileSync(path).equals(content)).toBe(true);
    expect(files()).toEqual(['got.bin']);
  });

  it('SDK-09: is complete if the earlier call ended right after it gave the file its name', async () => {
    const part = await interrupt();
    writeFileSync(part, content);
    linkSync(part, path);
    expect(await save()).toMatchObject({ verified: true });
    expect([files(), notes()]).toEqual([['got.bin'], []]);
    await expect(save()).rejects.toMatchObject({ problem: 'EXISTS' });
  });

  it('SDK-09: must be in a folder that exists', async () => {
    await expect(save({}, join(folder, 'none/got'))).rejects.toThrow('its folder does not exist');
    expect(notes()).toEqual([]);
  });
});
