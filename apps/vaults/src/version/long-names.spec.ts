import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { listFolders, readIngot, searchIngots, updateIngot } from '@vaultsvc/contracts/vaults';
import { sendContent, useUploadPlatform, type UploadFixture } from '../testing/uploads.js';

const platform = useUploadPlatform();
let fixture: UploadFixture;
beforeAll(async () => {
  fixture = await platform.newVaultFixture();
});

/** The file name in a header of RFC 6266, which readers of `filename*` see. */
function filenameIn(headers: Headers): string {
  const encoded = /filename\*=UTF-8''(\S+)$/.exec(headers.get('content-disposition') ?? '')?.[1];
  return decodeURIComponent(encoded ?? '');
}

/** By their bytes in UTF-8; file systems allow 255 bytes, the API 255 characters. */
const longNames: readonly [string, number][] = [
  ['n'.repeat(255), 255],
  [`${'ä'.repeat(125)}x.txt`, 255],
  [`${'é'.repeat(251)}.pdf`, 506],
  ['漢'.repeat(255), 765],
  ['🔥'.repeat(255), 1_020],
];

describe('ING-01 ING-04: a name of 255 characters', () => {
  it.each(longNames)('is uploaded, found and downloaded: %#', async (name, bytes) => {
    expect(Buffer.byteLength(name)).toBe(bytes);
    const { vault_id } = fixture;
    const content = randomBytes(77);
    const folder_path = Array.from({ length: 3 }, () => name).join('/');
    const upload = await fixture.create({ name, original_filename: name, size_bytes: 77, folder_path });
    await sendContent(upload.forge_url, content);
    const { download_url } = await fixture.download(`:${name}`);
    const answer = await fetch(download_url);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
    expect(filenameIn(answer.headers)).toBe(name);
    // Reverse proxies buffer 4,096 bytes of headers unless they are told otherwise.
    const headers = [...answer.headers].map(([field, value]) => `${field}: ${value}\r\n`).join('');
    expect(headers.length).toBeLessThan(4_096);
    const found = await fixture.call(searchIngots, { params: { vault_id }, query: { q: name } });
    expect(found.ingots.map(({ ingot_id }) => ingot_id)).toEqual([upload.ingot_id]);
    const { folders } = await fixture.call(listFolders, { params: { vault_id }, query: { limit: 500 } });
    expect(folders.map(({ path }) => path)).toContain(folder_path);
    const params = { vault_id, ingot_id: upload.ingot_id };
    const swapped = [...name].toReversed().join('');
    expect(await fixture.call(updateIngot, { params, body: { name: swapped } })).toMatchObject({
      name: swapped,
    });
    expect(await fixture.call(readIngot, { params: { vault_id, ingot_id: `:${swapped}` } })).toMatchObject({
      name: swapped,
    });
  });
});
