import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { uploadFinalized } from '@vaultsvc/contracts/forge';
import { listIngots, openSharedFile, readIngot, sealVault } from '@vaultsvc/contracts/vaults';
import { internalContext, reasonOf } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { useSharingPlatform, type SharingFixture } from '../testing/sharing.js';

const platform = useSharingPlatform();
let fixture: SharingFixture;
beforeAll(async () => {
  fixture = await platform.newSharingFixture();
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const read = (ingot_id: string, on = fixture) =>
  on.call(readIngot, { params: { vault_id: on.vault_id, ingot_id } });
/** The content hash of a read and of a download. */
const shown = async (ingot_id: string, on = fixture) => [
  (await read(ingot_id, on)).content_hash,
  (await on.download(ingot_id)).content_hash,
];

interface Version {
  readonly [column: string]: unknown;
  readonly id: string;
  readonly sealed_hash: Buffer | null;
}
const versionOf = async (ingot_id: string) =>
  (
    await platform.sql<Version>(
      `SELECT v.* FROM ingot_versions v JOIN ingots i ON i.current_version = v.id WHERE i.id = $1`,
      [ingot_id],
    )
  )[0] as Version;
const setHash = (versionId: string, hash: Buffer | null) =>
  platform.sql(`UPDATE ingot_versions SET sealed_hash = $2 WHERE id = $1`, [versionId, hash]);

/** Opens the only link of an ingot as sparks does, with the code of a one-time link. */
async function opened(ingot_id: string, link_code: string | null) {
  const table = link_code === null ? 'ingot_shares' : 'link_keys';
  const text = `SELECT link_id FROM ${table} WHERE ingot_id = $1`;
  const [row] = await platform.sql<{ link_id: string }>(text, [ingot_id]);
  const { account_id, vault_id } = fixture.ref(ingot_id, '');
  const body = { account_id, vault_id, ingot_id, link_id: row?.link_id ?? '', link_code, describe: false };
  const context = internalContext();
  return platform.harness.bus.call(openSharedFile, { body }, context);
}

describe('FRG-37 ING-24: the hash of a content', () => {
  it('is shown with its version to holders of a token that may read', async () => {
    const ingot_id = await fixture.stored('hello');
    expect(await shown(ingot_id)).toEqual([sha256('hello'), sha256('hello')]);
    const { id } = await versionOf(ingot_id);
    expect((await read(ingot_id)).version_id).toBe(id);
    expect((await fixture.download(ingot_id)).version_id).toBe(id);
    const params = { vault_id: fixture.vault_id, ingot_id };
    const reader = await platform.call(readIngot, { params }, fixture.at('read'));
    expect(reader.content_hash).toBe(sha256('hello'));
  });

  it('changes with the content, and is null before there is one', async () => {
    const { ingot_id } = await fixture.create({ size_bytes: 5 });
    expect(await read(ingot_id)).toMatchObject({ version_id: null, content_hash: null });
    await fixture.overwrite(ingot_id, 'first');
    const first = await read(ingot_id);
    await fixture.overwrite(ingot_id, 'other');
    const second = await read(ingot_id);
    expect([first.content_hash, second.content_hash]).toEqual([sha256('first'), sha256('other')]);
    expect(second.version_id).not.toBe(first.version_id);
  });

  it('is null for a content that an older Forge received', async () => {
    expect(await shown(await fixture.filled({ size_bytes: 5 }))).toEqual([null, null]);
  });

  it('is added by the event if an older instance of vaults had activated the version', async () => {
    const ingot_id = await fixture.stored('late');
    const { id, sealed_hash: sealed } = await versionOf(ingot_id);
    await setHash(id, null);
    const fact = { ...fixture.ref(ingot_id, id), size_bytes: 4, sealed_hash: sealed?.toString('hex') };
    await platform.publish(uploadFinalized, fact);
    await eventually(
      () => shown(ingot_id),
      ([hash]) => hash === sha256('late'),
    );
    // A second event changes nothing.
    await platform.publish(uploadFinalized, { ...fact, sealed_hash: '00'.repeat(129) });
    await eventually(
      () => read(ingot_id),
      ({ total_bandwidth_bytes: bytes }) => bytes >= 12,
    );
    expect(await shown(ingot_id)).toEqual([sha256('late'), sha256('late')]);
  });

  it('that was changed, or moved from another version, is refused and never shown as missing', async () => {
    const [one, two] = [await fixture.stored('aaaaa'), await fixture.stored('bbbbb')];
    const [mine, moved] = [await versionOf(one), await versionOf(two)];
    const changed = Buffer.from(mine.sealed_hash as Buffer);
    changed[128]! ^= 1;
    for (const hash of [changed, moved.sealed_hash, Buffer.alloc(129), Buffer.from('x')]) {
      await setHash(mine.id, hash);
      expect(await reasonOf(read(one))).toBe('INTERNAL_ERROR');
      expect(await reasonOf(fixture.download(one))).toBe('INTERNAL_ERROR');
    }
    await setHash(mine.id, mine.sealed_hash);
    await platform.sql(`UPDATE ingots SET size_bytes = 4 WHERE id = $1`, [one]);
    expect(await reasonOf(read(one))).toBe('INTERNAL_ERROR');
  });

  it('is not stored unsealed, nor shown in lists or to callers without a token', async () => {
    const ingot_id = await fixture.stored('unsealed');
    const hash = sha256('unsealed');
    const version = await versionOf(ingot_id);
    expect((version.sealed_hash as Buffer).includes(Buffer.from(hash, 'hex'))).toBe(false);
    const list = await fixture.call(listIngots, { params: { vault_id: fixture.vault_id }, query: {} });
    expect(JSON.stringify(list)).not.toContain(hash);
    expect(JSON.stringify(await fixture.events())).not.toContain(hash);
    const own = await platform.newSharingFixture();
    const sealed = await own.stored('sealed');
    await own.call(sealVault, { params: { vault_id: own.vault_id } });
    expect(await reasonOf(read(sealed, own))).toBe('AUTHENTICATION_ERROR');
  });
});

describe('FRG-37 OPEN-22: the file of a link', () => {
  it('comes with version and hash of its content; that of a one-time link stays after a replacement', async () => {
    const ingot_id = await fixture.stored('then');
    const { version_id } = await read(ingot_id);
    const { link_code } = await fixture.link(ingot_id);
    await fixture.overwrite(ingot_id, 'and now');
    const file = await opened(ingot_id, link_code);
    expect(file).toMatchObject({ size_bytes: 4, version_id, content_hash: sha256('then') });
  });

  it('of a durable link is the current one', async () => {
    const ingot_id = await fixture.stored('first');
    await fixture.share(ingot_id);
    await fixture.overwrite(ingot_id, 'second');
    const { version_id } = await read(ingot_id);
    const file = await opened(ingot_id, null);
    expect(file).toMatchObject({ size_bytes: 6, version_id, content_hash: sha256('second') });
    const old = await fixture.filled({ size_bytes: 5 });
    await fixture.share(old);
    expect((await opened(old, null)).content_hash).toBeNull();
  });

  it('is refused if its hash was changed', async () => {
    const ingot_id = await fixture.stored('whole');
    await fixture.share(ingot_id);
    await setHash((await versionOf(ingot_id)).id, Buffer.alloc(129));
    expect(await reasonOf(opened(ingot_id, null))).toBe('INTERNAL_ERROR');
  });
});
