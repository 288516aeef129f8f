import { beforeAll, describe, expect, it } from '@jest/globals';
import { revokeTransfers } from '@vaultsvc/contracts/forge';
import { createDvak, deleteVault, revokeDvak, sealVault } from '@vaultsvc/contracts/vaults';
import type { RunningService } from '@vaultsvc/service';
import { reasonOf, rowsOf } from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import { startTransfers } from '@vaultsvc/tools-testing/transfers';
import { istkOf, startUploadPlatform, useUploadPlatform, type UploadFixture } from '../testing/uploads.js';

const platform = useUploadPlatform();

const secondsOf = async (call: Promise<unknown>) => {
  const begun = performance.now();
  await call;
  return (performance.now() - begun) / 1_000;
};
const openReservations = async ({ caller }: UploadFixture) =>
  platform.reportingSql(`SELECT id FROM reservations WHERE account_id = $1 AND status <> 'closed'`, [
    caller.credential.accountId,
  ]);
const ingotsOf = ({ vault_id }: UploadFixture) =>
  platform.sql(`SELECT id FROM ingots WHERE vault_id = $1`, [vault_id]);
const isDead = async (forge: RunningService, url: string) => {
  const [row] = await rowsOf(forge, `SELECT revoked_at FROM istks WHERE lookup = $1`, [istkOf(url).lookup]);
  return row?.revoked_at !== null;
};

/** A vault with a download that a seal, a revocation or a deletion must end. */
async function withDownload() {
  const fixture = await platform.newVaultFixture();
  const { vault_id, vmk, caller } = fixture;
  const ingotId = await fixture.filled();
  const body = { vmk, dvak_type: 'nhi', nhi_description: 'robot' } as const;
  const dvak = await platform.call(createDvak, { params: { vault_id }, body }, caller);
  return { fixture, ingotId, last4: dvak.last_4_chars, url: (await fixture.download(ingotId)).download_url };
}

describe('ENV-30: vaults without forge or auth', () => {
  const { stringContaining } = expect;
  let fresh: UploadFixture;
  let sealed: Awaited<ReturnType<typeof withDownload>>;
  let revoked: typeof sealed;
  let deleted: typeof sealed;

  beforeAll(async () => {
    fresh = await platform.newVaultFixture();
    [sealed, revoked, deleted] = [await withDownload(), await withDownload(), await withDownload()];
    await platform.forge.stop();
  });
  const vaultOf = ({ fixture }: typeof sealed) => ({ vault_id: fixture.vault_id });

  it('VLT-22 VAT-11: commits seals, revocations and deletions while forge is silent, and answers without it', async () => {
    let asked = 0;
    const silence = platform.harness.connection.subscribe(revokeTransfers.subject, {
      queue: 'forge',
      callback: () => void (asked += 1),
    });
    const revocation = { ...vaultOf(revoked), last4: revoked.last4 };
    const seconds = await Promise.all([
      secondsOf(sealed.fixture.call(sealVault, { params: vaultOf(sealed) })),
      secondsOf(revoked.fixture.call(revokeDvak, { params: revocation })),
      secondsOf(deleted.fixture.call(deleteVault, { params: vaultOf(deleted) })),
    ]);
    silence.unsubscribe();
    expect(Math.max(...seconds)).toBeLessThan(10); // before the callers of the gateway have gone
    expect(asked).toBeGreaterThanOrEqual(3);
    expect(await reasonOf(sealed.fixture.download(sealed.ingotId))).toBe('AUTHENTICATION_ERROR');
    // The removal may already have deleted the vault's tokens.
    expect(['VAULT_NOT_FOUND', 'AUTHENTICATION_ERROR']).toContain(
      await reasonOf(deleted.fixture.download(deleted.ingotId)),
    );
  });

  it('answers a seal at once while forge is down; refuses uploads and downloads without leaving a reservation', async () => {
    // Sequential calls would each wait.
    const seconds = [
      await secondsOf(sealAgain()),
      await secondsOf(sealAgain()),
      await secondsOf(sealAgain()),
    ];
    expect(Math.min(...seconds)).toBeLessThan(1.9);
    expect(await reasonOf(fresh.create({ folder_path: 'x' }))).toBe('INTERNAL_ERROR');
    expect(await ingotsOf(fresh)).toEqual([]);
    await until(async () => (await openReservations(fresh)).length === 0);
    const { ingot_id } = await fresh.store();
    expect(await reasonOf(fresh.download(ingot_id))).toBe('INTERNAL_ERROR');
  });
  const sealAgain = () => revoked.fixture.call(sealVault, { params: vaultOf(revoked) });

  it('VLT-22 VAT-11: revokes by events, once forge is back, the transfers that calls could not', async () => {
    const { forge } = await startTransfers(platform.harness);
    for (const { url } of [sealed, deleted, revoked]) await until(() => isDead(forge, url));
  });

  it('refuses new ingots while auth is down, because their upload source is unknown; accepts new content of existing ingots', async () => {
    await platform.auth.stop();
    expect(await reasonOf(fresh.create({ name: 'new' }))).toBe('INTERNAL_ERROR');
    const { name } = await fresh.store();
    expect(await fresh.create({ name })).toMatchObject({ forge_url: stringContaining('/encrypt?istk=') });
  });
});

describe('ENV-30: vaults without reporting', () => {
  it('refuses uploads and writes nothing; downloads continue', async () => {
    const own = await startUploadPlatform();
    const fixture = await own.newVaultFixture();
    const ingotId = await fixture.filled();
    await own.reporting.stop();
    expect(await reasonOf(fixture.create({ folder_path: 'x' }))).toBe('INTERNAL_ERROR');
    expect(await reasonOf(fixture.replace(ingotId, {}))).toBe('INTERNAL_ERROR');
    expect((await own.sql(`SELECT id FROM ingots WHERE vault_id = $1`, [fixture.vault_id])).length).toBe(1);
    expect(await fixture.pending(ingotId)).toBeNull();
    expect((await fixture.download(ingotId)).status).toBe('ready');
    await own.harness.stop();
  });
});
