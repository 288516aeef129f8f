import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  dvakRevoked,
  ingotDeleted,
  vaultDeleted,
  vaultSealed,
  versionDropped,
  versionReleased,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { readReason } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { CleanupFixture, type OpenUpload } from '../testing/cleanup-fixture.js';
import type { MintedTransfer, TransferOptions } from '../testing/transfers.js';
import { TransferRevoker } from './transfer-revoker.js';
import { UploadLifecycle } from './upload-lifecycle.js';

let kept: CleanupFixture;
beforeAll(async () => {
  kept = await CleanupFixture.start();
});
afterAll(() => kept.stop());

const actor = { actor_type: 'api_key', actor_id: 'key_1' } as const;
const download = (of: Partial<MintedTransfer>, wish: TransferOptions = {}) =>
  kept.mint({ ...of, operation: 'decrypt', sealEpoch: 0, ...wish });
const live = (transfers: readonly MintedTransfer[]) => Promise.all(transfers.map((one) => kept.isLive(one)));
const becomes = <T>(read: () => Promise<T>, wish: T) =>
  eventually(read, (value) => JSON.stringify(value) === JSON.stringify(wish));
const statuses = (uploads: readonly MintedTransfer[]) =>
  Promise.all(uploads.map((one) => kept.statusOf(one)));
const emptied = (uploads: readonly OpenUpload[]) =>
  becomes(async () => (await Promise.all(uploads.map((one) => kept.keysOf(one)))).flat(), []);
const refOf = ({ accountId, vaultId, ingotId, versionId }: MintedTransfer) => ({
  account_id: accountId,
  vault_id: vaultId,
  ingot_id: ingotId,
  version_id: versionId,
});

/** How a change of vaults reaches forge: by the call, or, where that did not arrive, by the event alone. */
type Way = 'call' | 'event';
const ways: [Way][] = [['call'], ['event']];

describe.each(ways)('a seal that comes by %s', (way) => {
  it('TRAP 98: ends the downloads minted before it, and nothing else', async () => {
    const vaultId = newId('vlt_');
    const minted = await Promise.all([
      download({ vaultId }, { sealEpoch: 1 }),
      download({ vaultId }, { sealEpoch: 1, mode: 'stream' }),
      download({ vaultId }, { sealEpoch: 2 }),
      download({ vaultId }, { sealEpoch: null }),
      kept.mint({ vaultId, sealEpoch: 1 }),
      download({}, { sealEpoch: 1 }),
    ]);
    const upload = await kept.open({ vaultId, sealEpoch: 1 });
    if (way === 'call')
      expect(await kept.revoke({ scope: 'seal', vault_id: vaultId, seal_epoch: 2 })).toBe(2);
    else
      await kept.publish([
        vaultSealed,
        { vault_id: vaultId, account_id: minted[0].accountId, seal_epoch: 2, ...actor },
      ]);
    await becomes(() => live(minted), [false, false, true, true, true, true]);
    expect(await kept.statusOf(upload)).toBe('open');
  });
});

describe.each(ways)('a delegated key whose revocation comes by %s', (way) => {
  it('TRAP 98: takes the downloads with it that were minted through it, and nothing else', async () => {
    const [vaultId, dvakId] = [newId('vlt_'), newId('dvk_')];
    const minted = await Promise.all([
      download({ vaultId }, { dvakId }),
      download({ vaultId }, { dvakId, mode: 'stream' }),
      download({ vaultId }, { dvakId: newId('dvk_') }),
      download({ vaultId }),
      kept.mint({ vaultId, dvakId }),
    ]);
    if (way === 'call')
      expect(await kept.revoke({ scope: 'dvak', vault_id: vaultId, subject_id: dvakId })).toBe(2);
    else
      await kept.publish([
        dvakRevoked,
        { vault_id: vaultId, account_id: minted[0].accountId, dvak_id: dvakId, ...actor },
      ]);
    await becomes(() => live(minted), [false, false, true, true, true]);
  });
});

describe.each(ways)('an end that comes by %s', (way) => {
  it('of a version: no upload of it begins, and the one under way is over', async () => {
    const [minted, upload, other] = [await kept.mint(), await kept.open(), await kept.open()];
    await kept.append(upload, 10);
    for (const one of [minted, upload]) {
      const scope = { scope: 'version', vault_id: one.vaultId, subject_id: one.versionId } as const;
      if (way === 'call') await kept.revoke(scope);
      else await kept.publish([versionDropped, refOf(one)]);
    }
    await becomes(() => kept.isLive(minted), false);
    await becomes(() => statuses([upload, other]), ['dropped', 'open']);
    expect(await kept.eventsOf(upload)).toMatchObject([
      { payload: { reason: 'dropped', received_bytes: 10 } },
    ]);
    await emptied([upload]);
  });

  it('of an ingot: every version of it, whole or not, and every URL; other ingots stay', async () => {
    const of = { vaultId: newId('vlt_'), ingotId: newId('ing_') };
    const uploads = await Promise.all([kept.finished(of), kept.finished(of), kept.open(of)]);
    const others = await Promise.all([
      kept.finished({ vaultId: of.vaultId }),
      kept.finished({ ...of, vaultId: newId('vlt_') }),
    ]);
    const urls = await Promise.all([
      download(uploads[0]),
      download(uploads[1], { mode: 'stream' }),
      kept.mint(of),
      download(others[0]),
    ]);
    if (way === 'call')
      expect(await kept.revoke({ scope: 'ingot', vault_id: of.vaultId, subject_id: of.ingotId })).toBe(3);
    else
      await kept.publish([
        ingotDeleted,
        { vault_id: of.vaultId, account_id: newId('acc_'), ingot_id: of.ingotId, ...actor },
      ]);
    await becomes(() => live(urls), [false, false, false, true]);
    await becomes(
      () => statuses([...uploads, ...others]),
      ['dropped', 'dropped', 'dropped', 'finalized', 'finalized'],
    );
    await emptied(uploads);
    expect(await kept.keysOf(others[0])).toHaveLength(1);
  });

  it('VLT-24 OPEN-12: of a vault: URLs, uploads and every byte; other vaults stay', async () => {
    const vaultId = newId('vlt_');
    const uploads = await Promise.all([
      kept.finished({ vaultId }),
      kept.open({ vaultId }),
      kept.finished({ vaultId }),
    ]);
    const other = await kept.finished();
    const urls = await Promise.all([
      download(uploads[0]),
      download(uploads[2], { mode: 'stream' }),
      kept.mint({ vaultId }),
      download(other),
    ]);
    await kept.append(uploads[1], 10);
    if (way === 'call') expect(await kept.revoke({ scope: 'vault', vault_id: vaultId })).toBe(3);
    else await kept.publish([vaultDeleted, { vault_id: vaultId, account_id: newId('acc_'), ...actor }]);
    await becomes(() => live(urls), [false, false, false, true]);
    await becomes(() => statuses([...uploads, other]), ['dropped', 'dropped', 'dropped', 'finalized']);
    await emptied(uploads);
    // The rows go after the objects, so that a sweep that is broken off finds the rest.
    await becomes(
      () =>
        kept.sql(`SELECT 1 FROM chunks c JOIN uploads u USING (version_id) WHERE vault_id = $1`, [vaultId]),
      [],
    );
  });
});

describe('content that its ingot has no more', () => {
  const release = async (upload: OpenUpload, reason: 'replaced' | 'deleted') =>
    kept.publish([
      versionReleased,
      { ...refOf(upload), size_bytes: upload.sizeBytes, reason, kept_until: null },
    ]);

  it('TRAP 42: when it was replaced is kept for the downloads that have begun', async () => {
    const upload = await kept.finished();
    const url = await download(upload);
    await release(upload, 'replaced');
    await becomes(() => kept.statusOf(upload), 'replaced');
    expect([await kept.isLive(url), (await kept.keysOf(upload)).length]).toEqual([true, 1]);
    await release(upload, 'deleted');
    await becomes(() => kept.statusOf(upload), 'dropped');
    await release(upload, 'replaced');
    await emptied([upload]);
    expect([await kept.isLive(url), await kept.statusOf(upload)]).toEqual([false, 'dropped']);
  });

  it('when it was deleted is unreadable at once, and told of no second time', async () => {
    const upload = await kept.finished();
    const url = await download(upload, { mode: 'stream' });
    await release(upload, 'deleted');
    await becomes(() => kept.statusOf(upload), 'dropped');
    expect(await kept.isLive(url)).toBe(false);
    expect(await kept.eventNamesOf(upload)).toEqual(['forge.upload-finalized']);
  });
});

describe('a vault of thousands of versions', () => {
  const fill = async (vaultId: string, count: number) => {
    await kept.sql(
      `INSERT INTO uploads (version_id, lookup, account_id, vault_id, ingot_id, size_bytes, offset_bytes, status, wrapped_key)
       SELECT 'ver_' || md5(random()::text), sha256(random()::text::bytea), 'acc_1', $1, 'ing_' || i, 10,
              CASE WHEN i % 2 = 0 THEN 10 ELSE 4 END, CASE WHEN i % 2 = 0 THEN 'finalized' ELSE 'open' END,
              CASE WHEN i % 2 = 0 THEN NULL ELSE '\\x00'::bytea END
         FROM generate_series(1, $2::int) AS i`,
      [vaultId, count],
    );
  };
  const left = async (vaultId: string) =>
    (await kept.sql(`SELECT 1 FROM uploads WHERE vault_id = $1 AND status <> 'dropped'`, [vaultId])).length;
  const ended = (vaultId: string) =>
    kept.sql<{ ends: number; bytes: number }>(
      `SELECT count(*)::int AS ends, sum((payload->>'received_bytes')::int)::int AS bytes
         FROM outbox WHERE name = 'forge.upload-ended' AND payload->>'vault_id' = $1`,
      [vaultId],
    );

  it('VLT-24: ends in batches, by calls and events at once, and every open upload is told of once', async () => {
    const vaultId = newId('vlt_');
    await fill(vaultId, 3_000);
    const event = { vault_id: vaultId, account_id: 'acc_1', ...actor };
    await Promise.all([
      kept.revoke({ scope: 'vault', vault_id: vaultId }),
      kept.publish([vaultDeleted, event], [vaultDeleted, event]),
      kept.revoke({ scope: 'vault', vault_id: vaultId }),
    ]);
    await becomes(() => left(vaultId), 0);
    expect(await ended(vaultId)).toEqual([{ ends: 1_500, bytes: 6_000 }]);
  });

  it('a call whose caller waits no longer ends every URL all the same, and leaves bytes to the event', async () => {
    const vaultId = newId('vlt_');
    await fill(vaultId, 1_200);
    const url = await download({ vaultId });
    const revocations = kept.instances[0].context.get(TransferRevoker);
    const revocation = { scope: 'vault', vault_id: vaultId, seal_epoch: null, subject_id: null } as const;
    expect(await revocations.revoke(revocation, { requestId: null, deadlineMs: 0 })).toBe(1);
    expect([await kept.isLive(url), await left(vaultId)]).toEqual([false, 700]);
    expect(await revocations.revoke(revocation, { requestId: null })).toBe(0);
    expect([await left(vaultId), await ended(vaultId)]).toEqual([0, [{ ends: 600, bytes: 2_400 }]]);
  });

  it('endings of every kind at once never wait in a circle, and tell of each upload once', async () => {
    const vaultId = newId('vlt_');
    const ingots = Array.from({ length: 4 }, () => newId('ing_'));
    const uploads = await Promise.all(
      Array.from({ length: 80 }, (_, i) =>
        kept.open({ vaultId, ingotId: ingots[i % 4] as string, sizeBytes: 10 }),
      ),
    );
    const commits = await Promise.all(uploads.map((upload) => kept.stage(upload, 10)));
    const [ends, others] = kept.instances.map(({ context }) => context.get(UploadLifecycle)) as [
      UploadLifecycle,
      UploadLifecycle,
    ];
    await Promise.all([
      ...commits.slice(0, 20).map((commit) => commit()),
      ...uploads.slice(10, 40).map(({ versionId }) => ends.drop(versionId)),
      ...uploads.slice(30, 50).map(({ uploadLookup }) => others.cancel(uploadLookup).catch(readReason)),
      ...ingots.map((subject_id) => kept.revoke({ scope: 'ingot', vault_id: vaultId, subject_id })),
      kept.revoke({ scope: 'vault', vault_id: vaultId }),
      others.dropAll({ vaultId }, null),
      others.expire(),
    ]);
    expect(new Set(await statuses(uploads))).toEqual(new Set(['dropped']));
    for (const upload of uploads) expect(await kept.eventNamesOf(upload)).toHaveLength(1);
  });
});
