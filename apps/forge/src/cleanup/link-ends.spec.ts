import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharingDisabled, versionReleased } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { until } from '@vaultsvc/testing/waiting';
import { randomUUID } from 'node:crypto';
import { CleanupFixture } from '../testing/cleanup-fixture.js';
import { mintDownload } from '../testing/transfers.js';
import { DropReplacedVersions } from './drop-replaced-versions.job.js';

let kept: CleanupFixture;
beforeAll(async () => {
  kept = await CleanupFixture.start();
});
afterAll(() => kept.stop());

const actor = { actor_type: 'api_key', actor_id: 'key_1' } as const;

describe('links of ingots, as forge hears of them', () => {
  it('SHR-07: the end of a share ends the downloads that it gave out, and no others', async () => {
    const whole = await kept.finished({ vaultId: newId('vlt_') });
    const link_id = randomUUID();
    const [ofLink, ofOther, ofOwner] = await Promise.all([
      mintDownload(kept.harness, whole, { dvakId: link_id, sealEpoch: null }),
      mintDownload(kept.harness, whole, { dvakId: randomUUID(), sealEpoch: null }),
      mintDownload(kept.harness, whole),
    ]);
    const ids = { vault_id: whole.vaultId, account_id: whole.accountId, ingot_id: whole.ingotId };
    await kept.publish([sharingDisabled, { ...ids, ...actor, link_id }]);
    await until(async () => !(await kept.isLive(ofLink)));
    expect([await kept.isLive(ofOther), await kept.isLive(ofOwner)]).toEqual([true, true]);
  });

  it('SHR-17 TRAP 100: a seal ends no download that a link gave out', async () => {
    const whole = await kept.finished({ vaultId: newId('vlt_') });
    const ofLink = await mintDownload(kept.harness, whole, { dvakId: randomUUID(), sealEpoch: null });
    const ofOwner = await mintDownload(kept.harness, whole, { sealEpoch: 0 });
    expect(await kept.revoke({ scope: 'seal', vault_id: whole.vaultId, seal_epoch: 1 })).toBe(1);
    expect([await kept.isLive(ofLink), await kept.isLive(ofOwner)]).toEqual([true, false]);
  });

  it('SHR-12: replaced content stays for the one-time links that the event tells of', async () => {
    const old = await kept.finished();
    const { accountId: account_id, vaultId: vault_id, ingotId: ingot_id, versionId: version_id } = old;
    const fact = { account_id, vault_id, ingot_id, version_id, size_bytes: old.sizeBytes };
    const kept_until = Math.floor(Date.now() / 1_000) + 600;
    await kept.publish([versionReleased, { ...fact, reason: 'replaced', kept_until }]);
    await until(async () => (await kept.statusOf(old)) === 'replaced');
    await kept.sql(`UPDATE uploads SET ended_at = now() - interval '1 hour' WHERE version_id = $1`, [
      version_id,
    ]);
    const drop = () => kept.instances[0].context.get(DropReplacedVersions).run();
    await drop();
    expect(await kept.statusOf(old)).toBe('replaced');
    await kept.sql(`UPDATE uploads SET kept_until = now() - interval '6 minutes' WHERE version_id = $1`, [
      version_id,
    ]);
    await drop();
    expect(await kept.statusOf(old)).toBe('dropped');
    await until(async () => (await kept.keysOf(old)).length === 0);
  });
});
