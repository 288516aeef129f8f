import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharingDisabled, versionReleased } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { until } from '@vaultsvc/testing/waiting';
import { randomUUID } from 'node:crypto';
import { CleanupFixture } from '../testing/cleanup-fixture.js';
import { mintDownload } from '../testing/transfers.js';
import { DropReplacedVersions } from './drop-replaced-versions.job.js';

let fixture: CleanupFixture;
beforeAll(async () => {
  fixture = await CleanupFixture.start();
});
afterAll(() => fixture.stop());

const actor = { actor_type: 'api_key', actor_id: 'key_1' } as const;

describe('downloads of links', () => {
  it('SHR-07: are revoked when sharing ends, but no others', async () => {
    const finished = await fixture.finished({ vaultId: newId('vlt_') });
    const link_id = randomUUID();
    const [ofLink, ofOther, ofOwner] = await Promise.all([
      mintDownload(fixture.harness, finished, { dvakId: link_id, sealEpoch: null }),
      mintDownload(fixture.harness, finished, { dvakId: randomUUID(), sealEpoch: null }),
      mintDownload(fixture.harness, finished),
    ]);
    const ids = { vault_id: finished.vaultId, account_id: finished.accountId, ingot_id: finished.ingotId };
    await fixture.publish([sharingDisabled, { ...ids, ...actor, link_id }]);
    await until(async () => !(await fixture.isLive(ofLink)));
    expect([await fixture.isLive(ofOther), await fixture.isLive(ofOwner)]).toEqual([true, true]);
  });

  it('SHR-17 TRAP 100: are not revoked by a seal', async () => {
    const finished = await fixture.finished({ vaultId: newId('vlt_') });
    const ofLink = await mintDownload(fixture.harness, finished, { dvakId: randomUUID(), sealEpoch: null });
    const ofOwner = await mintDownload(fixture.harness, finished, { sealEpoch: 0 });
    expect(await fixture.revoke({ scope: 'seal', vault_id: finished.vaultId, seal_epoch: 1 })).toBe(1);
    expect([await fixture.isLive(ofLink), await fixture.isLive(ofOwner)]).toEqual([true, false]);
  });

  it('SHR-12: keep replaced content until the kept_until of its event', async () => {
    const old = await fixture.finished();
    const { accountId: account_id, vaultId: vault_id, ingotId: ingot_id, versionId: version_id } = old;
    const released = { account_id, vault_id, ingot_id, version_id, size_bytes: old.sizeBytes };
    const kept_until = Math.floor(Date.now() / 1_000) + 600;
    await fixture.publish([versionReleased, { ...released, reason: 'replaced', kept_until }]);
    await until(async () => (await fixture.statusOf(old)) === 'replaced');
    await fixture.sql(`UPDATE uploads SET ended_at = now() - interval '1 hour' WHERE version_id = $1`, [
      version_id,
    ]);
    const drop = () => fixture.instances[0].context.get(DropReplacedVersions).run();
    await drop();
    expect(await fixture.statusOf(old)).toBe('replaced');
    await fixture.sql(`UPDATE uploads SET kept_until = now() - interval '6 minutes' WHERE version_id = $1`, [
      version_id,
    ]);
    await drop();
    expect(await fixture.statusOf(old)).toBe('dropped');
    await until(async () => (await fixture.keysOf(old)).length === 0);
  });
});
