import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { deleteLink } from '@vaultsvc/contracts/sparks';
import { deleteIngot, deleteVault, listDvaks, revokeDvak, sealVault } from '@vaultsvc/contracts/vaults';
import { until } from '@vaultsvc/testing/waiting';
import { useSharingPlatform, type SharingFixture } from '../testing/sharing.js';
import { istkOf } from '../testing/uploads.js';

const platform = useSharingPlatform();
const GIB = 1_073_741_824;
const HALF_DAY = 43_200;

/** A link whose opener has received a streaming URL. */
interface Opened {
  readonly own: SharingFixture;
  readonly ingot_id: string;
  readonly code: string;
  readonly url: string;
}
const CONTENT = 'resumable';

async function opened(kind: 'link' | 'files'): Promise<Opened> {
  const own = await platform.newSharingFixture();
  const ingot_id = await own.stored(CONTENT);
  const code = kind === 'link' ? (await own.link(ingot_id)).link_code : await own.share(ingot_id);
  const { download_url } = await platform.visit(code, kind, { resume: true });
  return { own, ingot_id, code, url: download_url as string };
}

async function read(url: string, range = 'bytes=0-'): Promise<string | number> {
  const answer = await fetch(url, { headers: { Range: range } });
  const text = await answer.text();
  return answer.status === 206 ? text : answer.status;
}

/** `call`: forge has revoked the URL when the caller is answered; `event`: soon after. */
interface End {
  /** The requirement. */
  readonly id: string;
  readonly name: string;
  readonly kind: 'link' | 'files';
  readonly by: 'call' | 'event';
  readonly end: (opened: Opened) => Promise<unknown>;
}

const withdraw = ({ own, code }: Opened) => own.call(deleteLink, { params: { link_code: code } });
const removeIngot = ({ own, ingot_id }: Opened) =>
  own.call(deleteIngot, { params: { vault_id: own.vault_id, ingot_id } });
const removeVault = ({ own }: Opened) => own.call(deleteVault, { params: { vault_id: own.vault_id } });
const unshare = ({ own, ingot_id }: Opened) => own.put(ingot_id, { shared: false });
const revokeShareKey = async ({ own }: Opened) => {
  const { vault_id } = own;
  const { dvaks } = await own.call(listDvaks, { params: { vault_id }, query: { limit: 100 } });
  const last4 = dvaks.find(({ system_purpose }) => system_purpose === 'sharing')?.last_4_chars as string;
  await own.call(revokeDvak, { params: { vault_id, last4 } });
};

const ends: readonly End[] = [
  {
    id: 'SHR-13 AMB-36',
    name: 'the withdrawal of the consumed link',
    kind: 'link',
    by: 'call',
    end: withdraw,
  },
  { id: 'ING-36', name: 'the deletion of its file', kind: 'link', by: 'call', end: removeIngot },
  { id: 'VLT-24', name: 'the deletion of its vault', kind: 'link', by: 'call', end: removeVault },
  { id: 'AMB-36', name: 'the withdrawal of the durable link', kind: 'files', by: 'call', end: withdraw },
  { id: 'SHR-07', name: 'the end of the share', kind: 'files', by: 'call', end: unshare },
  { id: 'ING-36', name: 'the deletion of the shared file', kind: 'files', by: 'call', end: removeIngot },
  {
    id: 'VLT-24',
    name: 'the deletion of the vault of the share',
    kind: 'files',
    by: 'call',
    end: removeVault,
  },
  {
    id: 'DVK-19',
    name: 'the revocation of the key of shares',
    kind: 'files',
    by: 'event',
    end: revokeShareKey,
  },
];

describe('OPEN-22: the streaming URL of a link', () => {
  it.each(ends)('$id: ends by $name', async ({ kind, by, end }) => {
    const link = await opened(kind);
    expect(await read(link.url, 'bytes=0-1')).toBe('re');
    await end(link);
    if (by === 'event') await until(async () => (await read(link.url)) === 401);
    expect(await read(link.url)).toBe(401);
  });

  it.each(['link', 'files'] as const)(
    'SHR-12 SHR-17 TRAP 100: gives the version of the opening after a seal and a replacement, as a %s link',
    async (kind) => {
      const { own, ingot_id, url } = await opened(kind);
      await own.overwrite(ingot_id, 'other');
      await own.call(sealVault, { params: { vault_id: own.vault_id } });
      expect([await read(url), await read(url, 'bytes=6-')]).toEqual([CONTENT, 'ble']);
    },
  );

  it('OPEN-22: comes with the version and the hash of its content, null for content from before hashes', async () => {
    const own = await platform.newSharingFixture();
    const ingot_id = await own.stored(CONTENT);
    const { version_id, content_hash } = await own.download(ingot_id);
    expect(content_hash).toBe(createHash('sha256').update(CONTENT).digest('hex'));
    const { link_code } = await own.link(ingot_id);
    const durable = await own.share(ingot_id);
    for (const [code, domain] of [
      [link_code, 'link'],
      [durable, 'files'],
    ] as const)
      expect(await platform.visit(code, domain, { resume: true })).toMatchObject({
        version_id,
        content_hash,
      });
    await own.withoutHash(ingot_id);
    expect(await platform.visit(durable, 'files', { resume: true })).toMatchObject({
      version_id,
      content_hash: null,
    });
  });

  it('OPEN-15 FRG-28: is bounded by twenty times its size or a GiB, and by 12 hours, with or without use', async () => {
    const { url } = await opened('link');
    const [row] = await platform.forgeSql(
      `SELECT mode, bytes_max, round(extract(epoch FROM expires_at - created_at))::int AS seconds,
              round(extract(epoch FROM idle_until - created_at))::int AS idle_seconds, user_id, seal_epoch
         FROM istks WHERE lookup = $1`,
      [istkOf(url).lookup],
    );
    expect(row).toMatchObject({ mode: 'stream', bytes_max: GIB, user_id: null, seal_epoch: null });
    for (const seconds of [row?.['seconds'], row?.['idle_seconds']])
      expect(Math.abs((seconds as number) - HALF_DAY)).toBeLessThan(10);
  });

  it('FRG-27: leaves an hour to streams of the API', async () => {
    const own = await platform.newSharingFixture();
    const { download_url } = await own.download(await own.stored(CONTENT), { stream: true });
    const [row] = await platform.forgeSql<{ idle_seconds: number }>(
      `SELECT round(extract(epoch FROM idle_until - created_at))::int AS idle_seconds FROM istks WHERE lookup = $1`,
      [istkOf(download_url).lookup],
    );
    expect(row).toEqual({ idle_seconds: 3_600 });
  });

  it('ING-19: draws the bandwidth of the owner for every byte that was sent', async () => {
    const { own, url } = await opened('link');
    await read(url);
    await read(url, 'bytes=0-3');
    await until(async () => {
      const [row] = await platform.forgeSql<{ bytes: number }>(
        `SELECT coalesce(sum((payload->>'bytes')::int), 0)::int AS bytes FROM recorded_events
          WHERE name = 'forge.bytes-sent' AND payload->>'vault_id' = $1`,
        [own.vault_id],
      );
      return row?.bytes === CONTENT.length + 4;
    });
  });
});
