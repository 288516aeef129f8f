import { beforeAll, describe, expect, it } from '@jest/globals';
import type { LinkContent } from '@vaultsvc/contracts/sparks';
import { listIngots, readIngot, searchIngots, updateIngot } from '@vaultsvc/contracts/vaults';
import { useSharingPlatform, type SharingFixture } from '../testing/sharing.js';
import { sendContent } from '../testing/uploads.js';

const platform = useSharingPlatform();
let fixture: SharingFixture;
beforeAll(async () => {
  fixture = await platform.newSharingFixture();
});

/** 2009-02-13T23:31:30Z and 2001-09-09T01:46:40Z. */
const [THEN, EARLIER] = [1_234_567_890, 1_000_000_000];

/** The time of the only ingot of a vault in each answer that describes it. */
async function shown(own: SharingFixture, ingot_id: string) {
  const params = { vault_id: own.vault_id };
  const read = await own.call(readIngot, { params: { ...params, ingot_id } });
  const list = await own.call(listIngots, { params, query: {} });
  const search = await own.call(searchIngots, { params, query: {} });
  return [read, list.ingots[0], search.ingots[0]].map((ingot) => ingot?.modified_at);
}
const alike = (time: number | null) => [time, time, time];

async function overwrite(own: SharingFixture, ingotId: string, content: string, modified_at?: number) {
  const { forge_url } = await own.replace(ingotId, { size_bytes: content.length, modified_at });
  return () => sendContent(forge_url, Buffer.from(content));
}

describe('ING-43: the modification time of a file', () => {
  it('is shown by reads, lists, searches, changes and downloads as the upload gave it', async () => {
    const own = await platform.newSharingFixture();
    const ingot_id = await own.stored('old', { modified_at: 1_234_567_890 });
    expect(await shown(own, ingot_id)).toEqual(alike(THEN));
    expect(await own.download(ingot_id)).toMatchObject({ modified_at: THEN });
    const params = { vault_id: own.vault_id, ingot_id };
    const renamed = await own.call(updateIngot, { params, body: { name: 'renamed' } });
    expect(renamed.modified_at).toBe(THEN);
  });

  it('is null if the upload gave none', async () => {
    const own = await platform.newSharingFixture();
    const ingot_id = await own.stored('x');
    expect(await shown(own, ingot_id)).toEqual(alike(null));
    expect(await own.download(ingot_id)).toMatchObject({ modified_at: null });
    const other = await own.stored('x', { modified_at: null });
    expect(await own.download(other)).toMatchObject({ modified_at: null });
  });

  it('belongs to the content: that of a replacement applies when its upload is complete', async () => {
    const own = await platform.newSharingFixture();
    const ingot_id = await own.stored('old', { modified_at: THEN });
    const complete = await overwrite(own, ingot_id, 'older', EARLIER);
    expect(await shown(own, ingot_id)).toEqual(alike(THEN));
    await complete();
    expect(await shown(own, ingot_id)).toEqual(alike(EARLIER));
    // The content is another one, so the former time is not its own.
    await (
      await overwrite(own, ingot_id, 'new')
    )();
    expect(await shown(own, ingot_id)).toEqual(alike(null));
  });

  it('is that of the first upload until it is complete', async () => {
    const own = await platform.newSharingFixture();
    const { ingot_id } = await own.create({ size_bytes: 5, modified_at: THEN });
    expect(await shown(own, ingot_id)).toEqual(alike(THEN));
  });

  it.each([0, 99_999_999_999])('may be any from 1970 on below 100,000,000,000: %d', async (modified_at) => {
    expect(await fixture.download(await fixture.stored('x', { modified_at }))).toMatchObject({ modified_at });
  });

  // The last is 10000-01-01T00:00:00Z.
  it.each([-1, 1.5, '1234567890', '2009-02-13T23:31:30Z', true, {}, 1_234_567_890_000, 253_402_300_800])(
    'is 400 with the field if it is not whole seconds of that range: %j',
    async (time) => {
      const refusal = {
        reason: 'VALIDATION_ERROR',
        details: { fields: [expect.objectContaining({ field: 'modified_at' })] },
      };
      const modified_at = time as number;
      await expect(fixture.create({ modified_at })).rejects.toMatchObject(refusal);
      const ingotId = await fixture.filled();
      await expect(fixture.replace(ingotId, { modified_at })).rejects.toMatchObject(refusal);
    },
  );
});

describe('ING-43 OPEN-22: the modification time of the file of a link', () => {
  const timeOf = ({ modified_at }: LinkContent) => modified_at;

  it('is that of the content of the link: a one-time link keeps it after a replacement', async () => {
    const ingot_id = await fixture.stored('old', { modified_at: THEN });
    const { link_code } = await fixture.link(ingot_id);
    const durable = await fixture.share(ingot_id);
    expect(timeOf(await platform.visit(durable, 'files'))).toBe(THEN);
    await (
      await overwrite(fixture, ingot_id, 'new', EARLIER)
    )();
    expect(timeOf(await platform.visit(link_code, 'link'))).toBe(THEN);
    expect(timeOf(await platform.visit(durable, 'files', { resume: true }))).toBe(EARLIER);
  });

  it('is null if it is unknown, and no part of a description', async () => {
    const ingot_id = await fixture.stored('x');
    const durable = await fixture.share(ingot_id);
    expect(timeOf(await platform.visit(durable, 'files'))).toBeNull();
    expect(await platform.visit(durable, 'files', { describe: true })).not.toHaveProperty('modified_at');
  });
});
