import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeVault, hashOfContent, type FakeIngot } from '../testing/fake-vault.js';
import { download } from './download.js';

let vault: FakeVault;
let ingot: FakeIngot;
const content = randomBytes(2_000_000);
const other = randomBytes(content.length);

beforeAll(async () => void (vault = await FakeVault.start()));
beforeEach(() => {
  ingot = vault.store('a.bin', content);
  vault.namesVersions = vault.hasHashes = true;
  delete vault.faults.onSent;
});
afterAll(() => vault.stop());

const bytesOf = async (body: ReadableStream<Uint8Array>) =>
  Buffer.from(await new Response(body).arrayBuffer());

/** Cuts the connection once in the middle; `act` happens then. */
function cutOnce(act: () => void): void {
  let isCut = false;
  vault.faults.onSent = (bytes) => {
    if (isCut || bytes < 1_000_000) return undefined;
    isCut = true;
    act();
    return 'cut';
  };
}

describe('a download', () => {
  it('SDK-09: has the version and the hash of the content, with which it is compared', async () => {
    const { versionId, contentHash, verified, body } = await download(vault.access, ingot.id);
    expect([versionId, contentHash, verified]).toEqual([ingot.version?.id, hashOfContent(content), true]);
    expect((await bytesOf(body)).equals(content)).toBe(true);
  });

  it('SDK-09: of two chunks is compared with the hash over theirs', async () => {
    const large = randomBytes(52_428_800 + 7);
    const { body } = await download(vault.access, vault.store('large.bin', large).id);
    expect((await bytesOf(body)).equals(large)).toBe(true);
  });

  it('SDK-09: fails before its end if the content is another than that of the version', async () => {
    const { body } = await download(vault.access, ingot.id);
    Object.assign(ingot.version as object, { content: other });
    let received = 0;
    const reading = (async () => {
      for await (const piece of body as unknown as AsyncIterable<Uint8Array>) received += piece.length;
    })();
    await expect(reading).rejects.toThrow('its hash is another one');
    expect(received).toBeLessThan(content.length);
  });

  it('SDK-09: refuses a splice of two versions of the same size, whose URL ended between them', async () => {
    cutOnce(() => {
      vault.store('a.bin', other);
      vault.endUrls();
    });
    const { body } = await download(vault.access, ingot.id);
    await expect(bytesOf(body)).rejects.toThrow('The file was replaced');
  });

  it('SDK-09: goes on with another URL of the same version', async () => {
    cutOnce(() => vault.endUrls());
    const { body } = await download(vault.access, ingot.id);
    expect((await bytesOf(body)).equals(content)).toBe(true);
  });

  it('SDK-09: refuses a response that names another version, also without a hash', async () => {
    vault.hasHashes = false;
    cutOnce(() => Object.assign(ingot.version as object, { id: 'ver_other', content: other }));
    const { body, verified } = await download(vault.access, ingot.id);
    await expect(bytesOf(body)).rejects.toThrow('The file was replaced');
    expect(verified).toBe(false);
  });

  it('SDK-09: of a range, or without a hash, is not verified', async () => {
    const range = await download(vault.access, ingot.id, { start: 5, end: 50 });
    expect(range.verified).toBe(false);
    expect((await bytesOf(range.body)).equals(content.subarray(5, 50))).toBe(true);
    vault.namesVersions = false;
    const { verified, contentHash, body } = await download(vault.access, ingot.id);
    expect([verified, contentHash]).toEqual([false, null]);
    expect((await bytesOf(body)).equals(content)).toBe(true);
  });

  it('SDK-09: goes on with no other URL of a server that does not name versions', async () => {
    vault.namesVersions = false;
    cutOnce(() => vault.endUrls());
    const { body } = await download(vault.access, ingot.id);
    await expect(bytesOf(body)).rejects.toThrow('does not tell whether');
  });
});
