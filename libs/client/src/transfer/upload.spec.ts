import { randomBytes } from 'node:crypto';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  openSync,
  writeSync,
  closeSync,
  chmodSync,
  renameSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FileResumeStore } from '../node/file-resume-store.js';
import { fileSource } from '../node/file-source.js';
import { FakeVault, hashOfContent } from '../testing/fake-vault.js';
import { CHUNK_BYTES } from './chunk-size.js';
import { SourceError } from './source-error.js';
import { upload } from './upload.js';
import type { UploadSource } from './upload-source.js';

let vault: FakeVault;
let folder: string;
let path: string;
const good = randomBytes(600_000);

beforeAll(async () => void (vault = await FakeVault.start()));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'upload-spec-'));
  path = join(folder, 'a.bin');
  writeFileSync(path, good);
  vault.ingots.clear();
  vault.calls.length = 0;
  delete vault.faults.onReceived;
  vault.faults.refusals.length = 0;
});
afterAll(() => vault.stop());

const former = Buffer.from('the good content of before');
const active = (name = 'a.bin') =>
  [...vault.ingots.values()].find((ingot) => ingot.name === name)?.version?.content;
const called = (start: string) => vault.calls.filter((call) => call.startsWith(start)).length;

/** A source of a file whose first piece is read before something happens to it. */
async function meanwhile(act: () => void): Promise<UploadSource> {
  const source = await fileSource(path);
  let isDone = false;
  return {
    ...source,
    slice: async (start, end) => {
      const bytes = (await source.slice(start, end)) as AsyncIterable<Uint8Array>;
      return (async function* () {
        for await (const piece of bytes) {
          yield piece;
          if (!isDone) act();
          isDone = true;
        }
      })();
    },
  };
}

/** Writes bytes into a file, and puts its times back. */
function overwrite(at: number, bytes: Buffer): void {
  const { atime, mtime } = statSync(path);
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
  utimesSync(path, atime, mtime);
}

describe('an upload', () => {
  it('SDK-08: names the hash of what it sent, which is that of the vault', async () => {
    const { ingotId, contentHash, verified } = await upload(vault.access, await fileSource(path));
    expect([contentHash, verified]).toEqual([hashOfContent(good), true]);
    expect(vault.ingots.get(ingotId)?.version?.content.equals(good)).toBe(true);
    vault.hasHashes = false;
    expect(await upload(vault.access, 'a text', { name: 'b' })).toMatchObject({ verified: false });
    vault.hasHashes = true;
  });

  const sentTime = () => [...vault.ingots.values()][0]?.modifiedAt;

  it('SDK-08 ING-43: gives the modification time of a file, in whole seconds', async () => {
    utimesSync(path, 0, 1_234_567_890.75);
    await upload(vault.access, await fileSource(path));
    expect(sentTime()).toBe(1_234_567_890);
    const file = new File(['x'], 'b.bin', { lastModified: 1_000_000_000_999 });
    vault.ingots.clear();
    await upload(vault.access, file);
    expect(sentTime()).toBe(1_000_000_000);
  });

  it('SDK-08 ING-43: gives none of content that has none, or that the API does not keep', async () => {
    for (const content of ['a text', new Blob(['x'])]) await upload(vault.access, content, { name: 'a.bin' });
    expect(sentTime()).toBeUndefined();
    utimesSync(path, 0, new Date(-1_000));
    await upload(vault.access, await fileSource(path));
    expect(sentTime()).toBeUndefined();
  });

  it('ING-02: of an empty file, or of one that is too large, is refused at once', async () => {
    writeFileSync(path, '');
    await expect(upload(vault.access, await fileSource(path))).rejects.toThrow('1 byte at least');
    const large = { size: 5_497_558_138_881, fingerprint: 'x', name: 'x', slice: async () => good };
    await expect(upload(vault.access, large)).rejects.toThrow('at most');
    expect(vault.calls).toEqual([]);
  });

  it('SDK-08: of a source that cannot be read is an error of the call, at once and with its cause', async () => {
    const source = await fileSource(path);
    rmSync(path);
    await expect(upload(vault.access, source)).rejects.toMatchObject({
      name: 'SourceError',
      message: expect.stringContaining('ENOENT'),
      cause: expect.objectContaining({ code: 'ENOENT' }),
    });
    const failing: UploadSource = {
      size: 500_000,
      fingerprint: 'failing',
      name: 'a.bin',
      slice: async () =>
        (async function* () {
          yield good.subarray(0, 300_000);
          throw new Error('the disk was pulled out');
        })(),
    };
    await expect(upload(vault.access, failing)).rejects.toThrow('the disk was pulled out');
    expect([active(), called('HEAD')]).toEqual([undefined, 0]);
  });

  it.each([
    ['fewer', 100],
    ['more', 900],
  ])('SDK-08: of a source that gives %s bytes than it announced is an error at once', async (what, given) => {
    vault.store('a.bin', former);
    const source = {
      size: 500,
      fingerprint: 'x',
      name: 'a.bin',
      slice: async () => [good.subarray(0, given)],
    };
    await expect(upload(vault.access, source)).rejects.toThrow(`${what} bytes than the 500`);
    expect([active(), called('HEAD')]).toEqual([former, 0]);
  });

  it.each([
    ['rewritten', () => overwrite(0, randomBytes(50))],
    ['truncated', () => writeFileSync(path, good.subarray(0, 400_000))],
    ['extended', () => writeFileSync(path, Buffer.concat([good, good]))],
    ['replaced by another file', () => (writeFileSync(`${path}2`, good), renameSync(`${path}2`, path))],
  ])(
    'SDK-08: of a file that is %s meanwhile leaves the former content, and nothing of itself',
    async (_, act) => {
      vault.store('a.bin', former);
      await expect(upload(vault.access, await meanwhile(act))).rejects.toBeInstanceOf(SourceError);
      expect([active(), called('DELETE /encrypt')]).toEqual([former, 1]);
    },
  );

  it('SDK-08: of a file that is rewritten behind what was sent is that of the file as it is then', async () => {
    await upload(vault.access, await meanwhile(() => overwrite(590_000, randomBytes(50))));
    expect(active()?.equals(readFileSync(path))).toBe(true);
  });

  it('SDK-08: of a file whose times alone change is complete', async () => {
    await upload(vault.access, await meanwhile(() => chmodSync(path, 0o600)));
    expect(active()?.equals(good)).toBe(true);
  });

  it('SDK-08: of bytes that their owner changes meanwhile is refused', async () => {
    const bytes = randomBytes(3_000_000);
    vault.faults.onReceived = () => void bytes.fill(7);
    const sent = Buffer.from(bytes);
    const outcome = await upload(vault.access, bytes, { name: 'c' }).catch((error: unknown) => error);
    if (outcome instanceof Error) expect(active('c')).toBeUndefined();
    else expect(active('c')?.equals(sent)).toBe(true);
  });

  it('SDK-08: of which the vault stores something else is an error that names what is stored', async () => {
    const store = {
      load: async () => undefined,
      save: async () => {},
      remove: async () => void vault.store('a.bin', former),
    };
    await expect(upload(vault.access, await fileSource(path), { resume: store })).rejects.toThrow(
      hashOfContent(former),
    );
  });
});

describe('an upload whose version is not active yet', () => {
  it('SDK-08: is not verified, and no error', async () => {
    vault.store('a.bin', former);
    vault.forge.isSlow = true;
    expect(await upload(vault.access, await fileSource(path))).toMatchObject({ verified: false });
    vault.forge.isSlow = false;
    expect(active()).toEqual(former);
  });
});

describe('an upload of two chunks that was interrupted after the first', () => {
  const large = randomBytes(CHUNK_BYTES + 400_000);
  const resume = () => new FileResumeStore(join(folder, 'state'));

  async function interrupt(): Promise<void> {
    writeFileSync(path, large);
    const control = new AbortController();
    const onProgress = ({ bytes }: { bytes: number }) => void (bytes > CHUNK_BYTES && control.abort());
    const options = { resume: resume(), signal: control.signal, onProgress };
    vault.store('a.bin', former);
    await expect(upload(vault.access, await fileSource(path), options)).rejects.toThrow();
    expect(active()).toEqual(former);
    vault.calls.length = 0;
  }

  it('SDK-08: goes on after it, and compares what was sent', async () => {
    await interrupt();
    const compared: number[] = [];
    const onCompared = ({ bytes }: { bytes: number }) => void compared.push(bytes);
    const { verified } = await upload(vault.access, await fileSource(path), { resume: resume(), onCompared });
    expect([verified, compared.at(-1), called('PATCH'), called('POST /encrypt')]).toEqual([
      true,
      CHUNK_BYTES,
      1,
      0,
    ]);
    expect(active()?.equals(large)).toBe(true);
    expect(readdirSync(join(folder, 'state'))).toEqual([]);
  });

  it('SDK-08: starts over with a source that was rewritten, although its size and time are the same', async () => {
    await interrupt();
    overwrite(1_000, randomBytes(50));
    await upload(vault.access, await fileSource(path), { resume: resume() });
    expect([called('PATCH'), called('DELETE')]).toEqual([2, 1]);
    expect(active()?.equals(readFileSync(path))).toBe(true);
  });

  it('SDK-08: refuses to go on with a source that is rewritten while it is resumed', async () => {
    await interrupt();
    const source = await fileSource(path);
    let slices = 0;
    const rewritten: UploadSource = {
      ...source,
      slice: (start, end) => {
        if (++slices === 2) overwrite(1_000, randomBytes(50));
        return source.slice(start, end);
      },
    };
    await expect(upload(vault.access, rewritten, { resume: resume() })).rejects.toBeInstanceOf(SourceError);
    expect(active()).toEqual(former);
  });

  it('SDK-08: is refused while another call does the same, and says which process does', async () => {
    writeFileSync(path, large);
    let second: Promise<unknown> | undefined;
    const onProgress = () =>
      void (second ??= fileSource(path)
        .then((source) => upload(vault.access, source, { resume: resume() }))
        .catch((error: unknown) => error));
    await upload(vault.access, await fileSource(path), { resume: resume(), onProgress });
    expect(await second).toMatchObject({
      problem: 'BUSY',
      message: expect.stringContaining(`process ${process.pid}`),
    });
    expect(active()?.equals(large)).toBe(true);
  });
});
