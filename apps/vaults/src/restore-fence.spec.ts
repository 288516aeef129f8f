import { beforeAll, describe, expect, it } from '@jest/globals';
import { accountContext, fenceNow, outboxEvents, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { restoreFence } from './restore-fence-steps.js';
import { useSharingPlatform } from './testing/sharing.js';

const platform = useSharingPlatform({ LOG_LEVEL: 'silent' });
beforeAll(() => stopSchedule(platform.service, platform.sparks));
const caller = accountContext();

const epochs = async () =>
  new Map(
    (await platform.sql<{ id: string; seal_epoch: number }>(`SELECT id, seal_epoch FROM vaults`)).map(
      (row) => [row.id, row.seal_epoch],
    ),
  );
const session = (vaultId: string, vat: string) =>
  reasonOf(platform.openSession(vaultId, vat, 'write', caller));

describe('VLT-22 MISC-03: the restore fence of vaults', () => {
  it('OPEN-28: seals every vault, with an event of the operator for those that were open, whose tokens may have ended since', async () => {
    const { vault_id, vmk } = await platform.newVault(caller);
    const other = await platform.newVault(caller);
    const { vat } = await platform.unseal(vault_id, { vmk }, caller);
    expect(await session(vault_id, vat)).toBe('none');
    const before = await epochs();
    const { counts } = await fenceNow(platform.harness, restoreFence);
    expect(counts).toMatchObject({ 'vaults sealed': before.size, 'access tokens deleted': 1 });
    const after = await epochs();
    for (const id of [vault_id, other.vault_id]) expect(after.get(id)).toBe((before.get(id) ?? 0) + 1);
    expect(await session(vault_id, vat)).toBe('AUTHENTICATION_ERROR');
    const sealed = await outboxEvents(
      platform.service,
      { vault_id: [vault_id, other.vault_id] },
      { name: 'vaults.sealed', columns: ['payload'] },
    );
    expect(sealed).toEqual([
      {
        payload: {
          vault_id,
          account_id: caller.credential.accountId,
          actor_type: 'system',
          actor_id: null,
          seal_epoch: after.get(vault_id),
          actor: { kind: 'operator', id: 'restore-fence' },
        },
      },
    ]);
  });

  it('leaves vaults usable with their keys, and tokens that were issued after it', async () => {
    const { vault_id, vmk } = await platform.newVault(caller);
    await fenceNow(platform.harness, restoreFence);
    const { vat } = await platform.unseal(vault_id, { vmk }, caller);
    expect(await session(vault_id, vat)).toBe('none');
  });

  it('deletes the keys of one-time links, and keeps durable shares', async () => {
    const fixture = await platform.newSharingFixture();
    const ingot_id = await fixture.stored('a file');
    const [once, durable] = [await fixture.link(ingot_id), await fixture.share(ingot_id)];
    const { counts } = await fenceNow(platform.harness, restoreFence);
    expect(counts['keys of one-time links deleted']).toBe(1);
    expect(await platform.fetched(once.link_code, 'link')).toBe('LINK_REVOKED');
    expect(await platform.fetched(durable, 'files')).toBe('a file');
  });
});
