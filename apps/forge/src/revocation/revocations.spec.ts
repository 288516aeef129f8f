import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { userRemoved } from '@vaultsvc/contracts/auth';
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
import { UploadLifecycle } from '../cleanup/upload-lifecycle.js';
import { CleanupFixture, type OpenUpload } from '../testing/cleanup-fixture.js';
import type { MintedTransfer, TransferOptions } from '../testing/transfers.js';
import { TransferRevoker } from './transfer-revoker.js';

let fixture: CleanupFixture;
beforeAll(async () => {
  fixture = await CleanupFixture.start();
});
afterAll(() => fixture.stop());

const actor = { actor_type: 'api_key', actor_id: 'key_1' } as const;
const download = (of: Partial<MintedTransfer>, options: TransferOptions = {}) =>
  fixture.mint({ ...of, operation: 'decrypt', sealEpoch: 0, ...options });
const live = (transfers: readonly MintedTransfer[]) =>
  Promise.all(transfers.map((one) => fixture.isLive(one)));
const becomes = <T>(read: () => Promise<T>, expected: T) =>
  eventually(read, (value) => JSON.stringify(value) === JSON.stringify(expected));
const statuses = (uploads: readonly MintedTransfer[]) =>
  Promise.all(uploads.map((one) => fixture.statusOf(one)));
const untilEmpty = (uploads: readonly OpenUpload[]) =>
  becomes(async () => (await Promise.all(uploads.map((one) => fixture.keysOf(one)))).flat(), []);
const refOf = ({ accountId, vaultId, ingotId, versionId }: MintedTransfer) => ({
  account_id: accountId,
  vault_id: vaultId,
  ingot_id: ingotId,
  version_id: versionId,
});

/** How a change of vaults reaches forge: by the call, or by the event alone when the call failed. */
type Way = 'call' | 'event';
const ways: [Way][] = [['call'], ['event']];

describe.each(ways)('a seal, applied by %s,', (way) => {
  it('TRAP 98: revokes only the downloads minted before it, and a running upload finishes', async () => {
    const vaultId = newId('vlt_');
    const minted = await Promise.all([
      download({ vaultId }, { sealEpoch: 1 }),
      download({ vaultId }, { sealEpoch: 1, mode: 'stream' }),
      download({ vaultId }, { sealEpoch: 2 }),
      download({ vaultId }, { sealEpoch: null }),
      fixture.mint({ vaultId, sealEpoch: 1 }),
      download({}, { sealEpoch: 1 }),
    ]);
    const upload = await fixture.open({ vaultId, sealEpoch: 1 });
    expect(await fixture.append(upload, 10)).toBe('stored');
    if (way === 'call')
      expect(await fixture.revoke({ scope: 'seal', vault_id: vaultId, seal_epoch: 2 })).toBe(2);
    else
      await fixture.publish([
        vaultSealed,
        { vault_id: vaultId, account_id: minted[0].accountId, seal_epoch: 2, ...actor },
      ]);
    await becomes(() => live(minted), [false, false, true, true, true, true]);
    expect(await fixture.append(upload, upload.sizeBytes - 10)).toBe('finalized');
  });
});

describe.each(ways)('the revocation of a delegated key, applied by %s,', (way) => {
  const revokeDvak = async (vaultId: string, dvakId: string) => {
    if (way === 'call') return fixture.revoke({ scope: 'dvak', vault_id: vaultId, subject_id: dvakId });
    const event = { vault_id: vaultId, account_id: newId('acc_'), dvak_id: dvakId, ...actor };
    return fixture.publish([dvakRevoked, event]);
  };

  it('TRAP 98 DVK-19: revokes the downloads and the unused upload minted through it, and no others', async () => {
    const [vaultId, dvakId] = [newId('vlt_'), newId('dvk_')];
    const minted = await Promise.all([
      download({ vaultId }, { dvakId }),
      download({ vaultId }, { dvakId, mode: 'stream' }),
      fixture.mint({ vaultId, dvakId }),
      download({ vaultId }, { dvakId: newId('dvk_') }),
      download({ vaultId }),
      fixture.mint({ vaultId }),
    ]);
    await revokeDvak(vaultId, dvakId);
    await becomes(() => live(minted), [false, false, false, true, true, true]);
    await expect(fixture.create(minted[2])).rejects.toMatchObject({ details: { code: 'ISTK_INVALID' } });
  });

  it('ends the upload of an unused URL once, which releases its storage, and lets a running upload finish', async () => {
    const [vaultId, dvakId] = [newId('vlt_'), newId('dvk_')];
    const unused = await fixture.mint({ vaultId, dvakId });
    const running = await fixture.open({ vaultId, dvakId });
    await fixture.append(running, 10);
    await Promise.all([revokeDvak(vaultId, dvakId), revokeDvak(vaultId, dvakId)]);
    await becomes(() => fixture.isLive(unused), false);
    await revokeDvak(vaultId, dvakId);
    await becomes(() => fixture.eventNamesOf(unused), ['forge.upload-ended']);
    expect(await fixture.eventsOf(unused)).toMatchObject([
      { payload: { ...refOf(unused), reason: 'dropped', received_bytes: 0 } },
    ]);
    expect(await fixture.append(running, running.sizeBytes - 10)).toBe('finalized');
  });

  it('is ordered with a concurrent creation: the upload is refused, or not ended', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [vaultId, dvakId] = [newId('vlt_'), newId('dvk_')];
      const minted = await fixture.mint({ vaultId, dvakId });
      const [upload] = await Promise.all([
        fixture.create(minted).catch(() => undefined),
        revokeDvak(vaultId, dvakId),
      ]);
      const names = upload ? [] : ['forge.upload-ended'];
      await becomes(() => fixture.eventNamesOf(minted), names);
      if (upload) expect(await fixture.append(upload, upload.sizeBytes)).toBe('finalized');
    }
  });
});

describe('the removal of a user', () => {
  const remove = (accountId: string, userId: string) =>
    fixture.publish([userRemoved, { account_id: accountId, user_id: userId, actor_id: newId('usr_') }]);

  it('revokes the URLs that the user got in this account, however the vault was unsealed, and lets a running upload finish', async () => {
    const [accountId, userId] = [newId('acc_'), newId('usr_')];
    const minted = await Promise.all([
      download({ accountId }, { userId }),
      download({ accountId }, { userId, mode: 'stream' }),
      fixture.mint({ accountId, userId }),
      download({ accountId }, { userId: newId('usr_') }),
      download({ accountId }, { userId: null }), // by an API key
      download({ accountId }), // by vaults of the previous release
      download({}, { userId }), // of another account
    ]);
    const running = await fixture.open({ accountId, userId });
    await fixture.append(running, 10);
    await remove(accountId, userId);
    await becomes(() => live(minted), [false, false, false, true, true, true, true]);
    await remove(accountId, userId);
    await becomes(() => fixture.eventNamesOf(minted[2]), ['forge.upload-ended']);
    expect(await fixture.append(running, running.sizeBytes - 10)).toBe('finalized');
  });
});

describe.each(ways)('a deletion, applied by %s,', (way) => {
  it('of a version revokes its unused ISTK and drops its open upload', async () => {
    const [minted, upload, other] = [await fixture.mint(), await fixture.open(), await fixture.open()];
    await fixture.append(upload, 10);
    for (const one of [minted, upload]) {
      const scope = { scope: 'version', vault_id: one.vaultId, subject_id: one.versionId } as const;
      if (way === 'call') await fixture.revoke(scope);
      else await fixture.publish([versionDropped, refOf(one)]);
    }
    await becomes(() => fixture.isLive(minted), false);
    await becomes(() => statuses([upload, other]), ['dropped', 'open']);
    expect(await fixture.eventsOf(upload)).toMatchObject([
      { payload: { reason: 'dropped', received_bytes: 10 } },
    ]);
    await untilEmpty([upload]);
  });

  it('of an ingot drops all its uploads and revokes all its ISTKs, but none of other ingots', async () => {
    const of = { vaultId: newId('vlt_'), ingotId: newId('ing_') };
    const uploads = await Promise.all([fixture.finished(of), fixture.finished(of), fixture.open(of)]);
    const others = await Promise.all([
      fixture.finished({ vaultId: of.vaultId }),
      fixture.finished({ ...of, vaultId: newId('vlt_') }),
    ]);
    const urls = await Promise.all([
      download(uploads[0]),
      download(uploads[1], { mode: 'stream' }),
      fixture.mint(of),
      download(others[0]),
    ]);
    if (way === 'call')
      expect(await fixture.revoke({ scope: 'ingot', vault_id: of.vaultId, subject_id: of.ingotId })).toBe(3);
    else
      await fixture.publish([
        ingotDeleted,
        { vault_id: of.vaultId, account_id: newId('acc_'), ingot_id: of.ingotId, ...actor },
      ]);
    await becomes(() => live(urls), [false, false, false, true]);
    await becomes(
      () => statuses([...uploads, ...others]),
      ['dropped', 'dropped', 'dropped', 'finalized', 'finalized'],
    );
    await untilEmpty(uploads);
    expect(await fixture.keysOf(others[0])).toHaveLength(1);
  });

  it('VLT-24 OPEN-12: of a vault revokes its ISTKs and deletes its content, but none of other vaults', async () => {
    const vaultId = newId('vlt_');
    const uploads = await Promise.all([
      fixture.finished({ vaultId }),
      fixture.open({ vaultId }),
      fixture.finished({ vaultId }),
    ]);
    const other = await fixture.finished();
    const urls = await Promise.all([
      download(uploads[0]),
      download(uploads[2], { mode: 'stream' }),
      fixture.mint({ vaultId }),
      download(other),
    ]);
    await fixture.append(uploads[1], 10);
    if (way === 'call') expect(await fixture.revoke({ scope: 'vault', vault_id: vaultId })).toBe(3);
    else await fixture.publish([vaultDeleted, { vault_id: vaultId, account_id: newId('acc_'), ...actor }]);
    await becomes(() => live(urls), [false, false, false, true]);
    await becomes(() => statuses([...uploads, other]), ['dropped', 'dropped', 'dropped', 'finalized']);
    await untilEmpty(uploads);
    // The rows are deleted after the objects, so that an interrupted cleanup finds the rest.
    await becomes(
      () =>
        fixture.sql(`SELECT 1 FROM chunks c JOIN uploads u USING (version_id) WHERE vault_id = $1`, [
          vaultId,
        ]),
      [],
    );
  });
});

describe('the release of a version', () => {
  const release = async (upload: OpenUpload, reason: 'replaced' | 'deleted') =>
    fixture.publish([
      versionReleased,
      { ...refOf(upload), size_bytes: upload.sizeBytes, reason, kept_until: null },
    ]);

  it('TRAP 42: as replaced keeps it for existing downloads', async () => {
    const upload = await fixture.finished();
    const url = await download(upload);
    await release(upload, 'replaced');
    await becomes(() => fixture.statusOf(upload), 'replaced');
    expect([await fixture.isLive(url), (await fixture.keysOf(upload)).length]).toEqual([true, 1]);
    await release(upload, 'deleted');
    await becomes(() => fixture.statusOf(upload), 'dropped');
    await release(upload, 'replaced');
    await untilEmpty([upload]);
    expect([await fixture.isLive(url), await fixture.statusOf(upload)]).toEqual([false, 'dropped']);
  });

  it('as deleted revokes its downloads at once, without another event', async () => {
    const upload = await fixture.finished();
    const url = await download(upload, { mode: 'stream' });
    await release(upload, 'deleted');
    await becomes(() => fixture.statusOf(upload), 'dropped');
    expect(await fixture.isLive(url)).toBe(false);
    expect(await fixture.eventNamesOf(upload)).toEqual(['forge.upload-finalized']);
  });
});

describe('the deletion of a vault with thousands of versions', () => {
  const fill = async (vaultId: string, count: number) => {
    await fixture.sql(
      `INSERT INTO uploads (version_id, lookup, account_id, vault_id, ingot_id, size_bytes, offset_bytes, status, wrapped_key)
       SELECT 'ver_' || md5(random()::text), sha256(random()::text::bytea), 'acc_1', $1, 'ing_' || i, 10,
              CASE WHEN i % 2 = 0 THEN 10 ELSE 4 END, CASE WHEN i % 2 = 0 THEN 'finalized' ELSE 'open' END,
              CASE WHEN i % 2 = 0 THEN NULL ELSE '\\x00'::bytea END
         FROM generate_series(1, $2::int) AS i`,
      [vaultId, count],
    );
  };
  const left = async (vaultId: string) =>
    (await fixture.sql(`SELECT 1 FROM uploads WHERE vault_id = $1 AND status <> 'dropped'`, [vaultId]))
      .length;
  const endEvents = (vaultId: string) =>
    fixture.sql<{ ends: number; bytes: number }>(
      `SELECT count(*)::int AS ends, sum((payload->>'received_bytes')::int)::int AS bytes
         FROM recorded_events WHERE name = 'forge.upload-ended' AND payload->>'vault_id' = $1`,
      [vaultId],
    );

  it('VLT-24: runs in batches, by concurrent calls and events, and publishes each open upload once', async () => {
    const vaultId = newId('vlt_');
    await fill(vaultId, 3_000);
    const event = { vault_id: vaultId, account_id: 'acc_1', ...actor };
    await Promise.all([
      fixture.revoke({ scope: 'vault', vault_id: vaultId }),
      fixture.publish([vaultDeleted, event], [vaultDeleted, event]),
      fixture.revoke({ scope: 'vault', vault_id: vaultId }),
    ]);
    await becomes(() => left(vaultId), 0);
    expect(await endEvents(vaultId)).toEqual([{ ends: 1_500, bytes: 6_000 }]);
  });

  it('revokes every ISTK even after the deadline of its caller, and leaves the bytes to the event', async () => {
    const vaultId = newId('vlt_');
    await fill(vaultId, 1_200);
    const url = await download({ vaultId });
    const revoker = fixture.instances[0].context.get(TransferRevoker);
    const revocation = { scope: 'vault', vault_id: vaultId, seal_epoch: null, subject_id: null } as const;
    expect(await revoker.revoke(revocation, { requestId: null, deadlineMs: 0 })).toBe(1);
    expect([await fixture.isLive(url), await left(vaultId)]).toEqual([false, 700]);
    expect(await revoker.revoke(revocation, { requestId: null })).toBe(0);
    expect([await left(vaultId), await endEvents(vaultId)]).toEqual([0, [{ ends: 600, bytes: 2_400 }]]);
  });

  it('does not deadlock with concurrent changes of every kind, and publishes each upload once', async () => {
    const vaultId = newId('vlt_');
    const ingots = Array.from({ length: 4 }, () => newId('ing_'));
    const uploads = await Promise.all(
      Array.from({ length: 80 }, (_, i) =>
        fixture.open({ vaultId, ingotId: ingots[i % 4] as string, sizeBytes: 10 }),
      ),
    );
    const commits = await Promise.all(uploads.map((upload) => fixture.stage(upload, 10)));
    const [lifecycle, other] = fixture.instances.map(({ context }) => context.get(UploadLifecycle)) as [
      UploadLifecycle,
      UploadLifecycle,
    ];
    await Promise.all([
      ...commits.slice(0, 20).map((commit) => commit()),
      ...uploads.slice(10, 40).map(({ versionId }) => lifecycle.drop(versionId)),
      ...uploads.slice(30, 50).map(({ uploadLookup }) => other.cancel(uploadLookup).catch(readReason)),
      ...ingots.map((subject_id) => fixture.revoke({ scope: 'ingot', vault_id: vaultId, subject_id })),
      fixture.revoke({ scope: 'vault', vault_id: vaultId }),
      other.dropAll({ vaultId }, null),
      other.expire(),
    ]);
    expect(new Set(await statuses(uploads))).toEqual(new Set(['dropped']));
    for (const upload of uploads) expect(await fixture.eventNamesOf(upload)).toHaveLength(1);
  });
});
