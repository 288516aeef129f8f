import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { admitTransfer } from '@vaultsvc/contracts/forge';
import { newId } from '@vaultsvc/crypto/encoding';
import { lookupHash, parseBearer } from '@vaultsvc/crypto/tokens';
import { Database, type Queryable } from '@vaultsvc/database';
import { internalContext, stopSchedule } from '@vaultsvc/testing/harness';
import { startDownloadFixture, type DownloadFixture } from '../testing/download-fixture.js';
import { type MintedTransfer, mintTransfer, type TransferOptions } from '../testing/transfers.js';
import {
  type IssueSelection,
  IstkRevocationRepository,
  type SealSelection,
  type TransferSelection,
} from './istk-revocation.repository.js';
import { IstkRepository } from './istk.repository.js';
import { DeleteExpiredIstks } from './delete-expired-istks.job.js';

let downloads: DownloadFixture;
beforeAll(async () => {
  downloads = await startDownloadFixture();
  await stopSchedule(downloads.service);
});
afterAll(() => downloads.harness.stop());

const mint = (options?: TransferOptions) => mintTransfer(downloads.harness, options);
const get = <T>(token: new (...dependencies: never[]) => T) => downloads.service.context.get(token);
const inTransaction = <T>(work: (tx: Queryable) => Promise<T>) => get(Database).transaction(work);
const consume = ({ lookup }: MintedTransfer) =>
  inTransaction((tx) => get(IstkRepository).consumeForUpload(tx, lookup));
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'consumed',
    (error: { details?: { code?: string } }) => error.details?.code,
  );
const stateOf = async ({ lookup }: MintedTransfer) => {
  const [row] = await downloads.sql(
    'SELECT used_at IS NOT NULL AS used, revoked_at IS NOT NULL AS revoked, wrapped_key IS NOT NULL AS wrapped FROM istks WHERE lookup = $1',
    [lookup],
  );
  return row;
};

describe('forge.admit-transfer', () => {
  it('is idempotent, and does not make a used ISTK usable again', async () => {
    const istk = await mint();
    await consume(istk);
    const [row] = (await downloads.sql('SELECT * FROM istks WHERE lookup = $1', [istk.lookup])) as [
      Record<string, unknown>,
    ];
    const repeated = {
      account_id: istk.accountId,
      vault_id: istk.vaultId,
      ingot_id: istk.ingotId,
      version_id: istk.versionId,
      lookup: istk.lookup.toString('base64url'),
      wrapped_key: Buffer.alloc(129, 1).toString('base64url'),
      operation: 'encrypt',
      mode: 'once',
      bytes_max: 1_000,
      expires_at: istk.terms.expiresAt,
      size_bytes: 1_000,
      content_type: 'text/plain',
      filename: 'x',
      dvak_id: null,
      seal_epoch: null,
    } as const;
    await downloads.harness.bus.call(admitTransfer, { body: repeated }, internalContext());
    expect(await downloads.sql('SELECT * FROM istks WHERE lookup = $1', [istk.lookup])).toEqual([row]);
  });

  it('MISC-03 FRG-30: stores neither the ISTK nor the file key', async () => {
    const istk = await mint();
    expect(istk.istk).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const [row] = (await downloads.sql('SELECT * FROM istks WHERE lookup = $1', [istk.lookup])) as [
      Record<string, unknown>,
    ];
    const secret = parseBearer(istk.istk) as Buffer;
    const stored = Buffer.concat(Object.values(row).filter(Buffer.isBuffer));
    expect([stored.includes(secret), stored.includes(istk.fileKey)]).toEqual([false, false]);
    expect(JSON.stringify(row)).not.toContain(istk.istk);
    expect(lookupHash('istk', secret)).toEqual(row['lookup']);
  });
});

describe('an ISTK for an upload', () => {
  it('FRG-25 MISC-08: is consumed by one of 30 concurrent uses, which deletes the wrapped key', async () => {
    const istk = await mint();
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => codeOf(consume(istk))));
    expect(outcomes.filter((outcome) => outcome === 'consumed')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'ISTK_USED')).toHaveLength(29);
    expect(await stateOf(istk)).toEqual({ used: true, revoked: false, wrapped: false });
  });

  it('FRG-25: is refused when it is marked as used, and when it has lost its wrapped key', async () => {
    const [used, wiped] = [await mint(), await mint()];
    await downloads.sql('UPDATE istks SET used_at = now() WHERE lookup = $1', [used.lookup]);
    await downloads.sql('UPDATE istks SET wrapped_key = NULL WHERE lookup = $1', [wiped.lookup]);
    expect([await codeOf(consume(used)), await codeOf(consume(wiped))]).toEqual([
      'ISTK_USED',
      'ISTK_INVALID',
    ]);
  });

  it('returns its wrapped key, terms and ids when it is consumed', async () => {
    const istk = await mint({ sizeBytes: 5 });
    const { accountId, vaultId, ingotId, versionId, terms } = istk;
    const consumed = await consume(istk);
    expect(consumed).toMatchObject({
      accountId,
      vaultId,
      ingotId,
      versionId,
      terms,
      sizeBytes: 5,
      isUsed: true,
    });
    expect(consumed.wrappedKey).toHaveLength(129);
  });

  it('is unused after its transaction fails', async () => {
    const istk = await mint();
    const failing = inTransaction(async (tx) => {
      await get(IstkRepository).consumeForUpload(tx, istk.lookup);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await codeOf(consume(istk))).toBe('consumed');
  });

  it('FRG-26 FRG-36 AMB-29: is refused with its code when expired, unknown, for downloads or revoked', async () => {
    const [expired, download, revoked] = [await mint(), await mint({ operation: 'decrypt' }), await mint()];
    await downloads.sql('UPDATE istks SET expires_at = now() WHERE lookup = $1', [expired.lookup]);
    await inTransaction((tx) =>
      get(IstkRevocationRepository).revokeAll(tx, { versionId: revoked.versionId }),
    );
    expect(await codeOf(consume(expired))).toBe('ISTK_EXPIRED');
    expect(await codeOf(consume(download))).toBe('ISTK_INVALID');
    expect(await codeOf(consume(revoked))).toBe('ISTK_INVALID');
    expect(await codeOf(consume({ ...expired, lookup: Buffer.alloc(32) }))).toBe('ISTK_INVALID');
  });
});

describe('revocation of ISTKs', () => {
  const revokeDownloads = (selection: SealSelection) =>
    inTransaction((tx) => get(IstkRevocationRepository).revokeDownloads(tx, selection));
  const revokeIssued = (selection: IssueSelection) =>
    inTransaction((tx) => get(IstkRevocationRepository).revokeIssued(tx, selection, null));
  const revokeAll = (selection: TransferSelection) =>
    inTransaction((tx) => get(IstkRevocationRepository).revokeAll(tx, selection));
  const isRevoked = async (istk: MintedTransfer) => (await stateOf(istk))?.['revoked'];

  it('VLT-22: by a seal ends downloads minted before it, but no upload, no later download and no link', async () => {
    const { vaultId } = await mint();
    const decrypt = { vaultId, operation: 'decrypt' } as const;
    const before = await mint({ ...decrypt, sealEpoch: 3 });
    const others = [
      await mint({ ...decrypt, sealEpoch: 4 }),
      await mint({ ...decrypt, sealEpoch: null }),
      await mint({ vaultId, operation: 'encrypt', sealEpoch: 3 }),
      await mint({ operation: 'decrypt', sealEpoch: 3 }),
    ];
    expect(await revokeDownloads({ vaultId, beforeEpoch: 4 })).toBe(1);
    expect(await stateOf(before)).toEqual({ used: false, revoked: true, wrapped: false });
    for (const other of others) expect(await isRevoked(other)).toBe(false);
    expect(await revokeDownloads({ vaultId, beforeEpoch: 4 })).toBe(0);
  });

  it('DVK-19: by a delegated key ends only its own downloads and unused uploads', async () => {
    const { vaultId } = await mint();
    const dvak = newId('dvk_');
    const own = await mint({ vaultId, operation: 'decrypt', dvakId: dvak, sealEpoch: 0 });
    const other = await mint({ vaultId, operation: 'decrypt', dvakId: newId('dvk_'), sealEpoch: 0 });
    const [unused, used] = [await mint({ vaultId, dvakId: dvak }), await mint({ vaultId, dvakId: dvak })];
    await consume(used);
    expect(await revokeIssued({ vaultId, dvakId: dvak })).toBe(2);
    expect(await Promise.all([own, unused, used, other].map(isRevoked))).toEqual([true, true, false, false]);
    expect(await revokeIssued({ vaultId, dvakId: dvak })).toBe(0);
  });

  it('by a version, an ingot or a vault ends all of its transfers', async () => {
    const one = await mint();
    const { vaultId, ingotId, versionId } = one;
    const download = await mint({ vaultId, ingotId, versionId, operation: 'decrypt' });
    const sibling = await mint({ vaultId, ingotId });
    const otherIngot = await mint({ vaultId });
    expect(await revokeAll({ versionId })).toBe(2);
    expect([await isRevoked(one), await isRevoked(download), await isRevoked(sibling)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await revokeAll({ vaultId, ingotId })).toBe(1);
    expect(await isRevoked(otherIngot)).toBe(false);
    expect(await revokeAll({ vaultId })).toBe(1);
  });

  it('by concurrent calls and events of one change counts each ISTK once', async () => {
    const { vaultId } = await mint();
    for (let count = 0; count < 30; count += 1) await mint({ vaultId });
    const counts = await Promise.all(Array.from({ length: 6 }, () => revokeAll({ vaultId })));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(31);
  });

  it('is ordered with a concurrent use: the ISTK is consumed, or revoked and the use refused', async () => {
    for (let round = 0; round < 20; round += 1) {
      const istk = await mint();
      const [outcome, count] = await Promise.all([
        codeOf(consume(istk)),
        revokeAll({ versionId: istk.versionId }),
      ]);
      expect([
        ['consumed', 0],
        ['ISTK_INVALID', 1],
      ]).toContainEqual([outcome, count]);
    }
  });
});

describe('OPEN-50: expired ISTKs', () => {
  it('lose their wrapped key at once, and their row after 30 days', async () => {
    const [expired, old, live] = [await mint(), await mint(), await mint()];
    const expire = (istk: MintedTransfer, days: number) =>
      downloads.sql(`UPDATE istks SET expires_at = now() - $2::int * interval '1 day' WHERE lookup = $1`, [
        istk.lookup,
        days,
      ]);
    await expire(expired, 29);
    await expire(old, 30);
    const job = get(DeleteExpiredIstks);
    await Promise.all([job.run(), job.run()]);
    expect(await stateOf(expired)).toMatchObject({ wrapped: false });
    expect(await stateOf(old)).toBeUndefined();
    expect(await stateOf(live)).toMatchObject({ wrapped: true });
  });
});
