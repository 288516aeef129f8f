import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Delivery } from '@vaultsvc/contracts';
import { interacted, type RecipientInteraction } from '@vaultsvc/contracts/notify';
import { listAccountAudit } from '@vaultsvc/contracts/reporting';
import { sparklinkDeleted } from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { accountContext, stopSchedule } from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import { deliveryOf, processed, send, type Fact } from '../testing/deliveries.js';
import { usePlatform } from '../testing/platform.js';

const platform = usePlatform();
beforeAll(() => stopSchedule(...platform.instances));

/** A link whose code is known to reporting, because the link has ended. */
function newGrant() {
  const account_id = newId('acc_');
  const link_id = crypto.randomUUID();
  const link_code = newId('spk_');
  const asset_id = newId('spk_');
  const ended = { account_id, link_id, link_code, link_type: 'spark', asset_id, vault_id: null };
  const interaction = (action: RecipientInteraction['action'], more = {}): Fact => [
    interacted,
    {
      account_id,
      link_id,
      asset_id,
      send_id: 'ntsnd_1',
      action,
      verification_level: 'identifier',
      verified_by: 'a@example.test',
      receipt_id: `rcp_${action}`,
      at: 1_800_000_000,
      ...more,
    },
  ];
  // Without a user or API key, whose name auth would be asked for.
  const deleted: Fact = [sparklinkDeleted, { ...ended, actor_type: 'link', actor_id: link_id }];
  return { account_id, link_id, link_code, interaction, deleted };
}

/** Publishes events as their services do, and waits until reporting has applied them. */
const record = (...facts: readonly Fact[]) => deliver(...facts.map((fact) => deliveryOf(fact)));

async function deliver(...deliveries: readonly Delivery[]): Promise<void> {
  await send(platform, ...deliveries);
  const ids = deliveries.map(({ id }) => id);
  await until(async () => (await processed(platform, ids)) === ids.length);
}

async function entriesOf(account_id: string) {
  const context = accountContext({ accountId: account_id });
  const query = { limit: 100 };
  const { entries } = await platform.harness.bus.call(listAccountAudit, { query }, context);
  return entries.filter(({ event_type }) => event_type !== 'sparklink_deleted');
}

describe('LNK-21 NTF-27: an interaction of a recipient in the audit log', () => {
  it.each([
    ['sign', 'sparklink_signed'],
    ['approve', 'sparklink_approved'],
    ['deny', 'sparklink_denied'],
    ['reply', 'sparklink_replied'],
    ['acknowledge', 'sparklink_accessed'],
  ] as const)('%s is an entry %s with the proof and the receipt, by a visitor', async (action, type) => {
    const { account_id, link_id, link_code, interaction, deleted } = newGrant();
    await record(deleted, interaction(action));
    expect(await entriesOf(account_id)).toEqual([
      {
        event_id: expect.any(String),
        event_type: type,
        timestamp: expect.any(Number),
        actor_type: null,
        actor_display: null,
        details: {
          link_id,
          link_code,
          send_id: 'ntsnd_1',
          action,
          verification_level: 'identifier',
          verified_by: 'a@example.test',
          receipt_id: `rcp_${action}`,
          actor: { kind: 'visitor', id: link_id },
        },
      },
    ]);
  });

  it('OPEN-64: a view has no entry, because the reveal of the content has one', async () => {
    const { account_id, interaction, deleted } = newGrant();
    await record(deleted, interaction('view'), interaction('reply'));
    expect((await entriesOf(account_id)).map(({ event_type }) => event_type)).toEqual(['sparklink_replied']);
  });

  it('has an entry once when its event is delivered twice', async () => {
    const { account_id, interaction, deleted } = newGrant();
    const signed = deliveryOf(interaction('sign'));
    await deliver(deliveryOf(deleted), signed);
    await deliver(signed);
    await record(interaction('reply'));
    expect((await entriesOf(account_id)).map(({ event_type }) => event_type).toSorted()).toEqual([
      'sparklink_replied',
      'sparklink_signed',
    ]);
  });

  it('names no person for a link that anyone could open, and is of the account alone', async () => {
    const { account_id, interaction, deleted } = newGrant();
    const asset_id = newId('ing_');
    await record(
      deleted,
      interaction('approve', { verification_level: 'none', verified_by: null, asset_id }),
    );
    const [entry] = await entriesOf(account_id);
    expect(entry?.details).toMatchObject({ verification_level: 'none', verified_by: null });
    const rows = await platform.sql(
      `SELECT vault_id, ingot_id, app_id FROM audit_entries WHERE account_id = $1 AND event_type = 'sparklink_approved'`,
      [account_id],
    );
    expect(rows).toEqual([{ vault_id: null, ingot_id: null, app_id: null }]);
  });
});
