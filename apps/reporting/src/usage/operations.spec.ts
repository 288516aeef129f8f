import { describe, expect, it } from '@jest/globals';
import type { Event } from '@vaultsvc/contracts';
import * as sparks from '@vaultsvc/contracts/sparks';
import * as vaults from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { entriesOf } from '../ledger/ledger-entries.js';
import { deliveryOf, linesOf, send } from '../testing/deliveries.js';
import { usePlatform } from '../testing/platform.js';
import { eventually } from '@vaultsvc/testing/waiting';

const platform = usePlatform();

const vault_id = newId('vlt_');
const ingot = { vault_id, ingot_id: newId('ing_') };
const link = { link_id: newId('lnk_'), link_type: 'ingot', asset_id: ingot.ingot_id, vault_id };
const action = { actor_type: 'session', actor_id: newId('usr_') };

/** The event of a call, its type in the ledger, and what it refers to. */
const calls: readonly (readonly [type: string, event: Event, payload: object, referenceId: string])[] = [
  ['vault_create', vaults.vaultCreated, { vault_id }, vault_id],
  ['vault_update', vaults.vaultUpdated, { vault_id }, vault_id],
  ['vault_unseal', vaults.vaultUnsealed, { vault_id, dvak_id: null }, vault_id],
  ['vault_seal', vaults.vaultSealed, { vault_id, seal_epoch: 1 }, vault_id],
  ['vault_delete', vaults.vaultDeleted, { vault_id }, vault_id],
  ['dvak_create', vaults.dvakCreated, { vault_id, dvak_id: 'dvak_1' }, 'dvak_1'],
  ['dvak_revoke', vaults.dvakRevoked, { vault_id, dvak_id: 'dvak_1' }, 'dvak_1'],
  ['folder_create', vaults.folderCreated, { vault_id, folder_id: 'fld_1' }, 'fld_1'],
  ['folder_update', vaults.folderChanged, { vault_id, folder_id: 'fld_1' }, 'fld_1'],
  ['folder_delete', vaults.folderDeleted, { vault_id, folder_id: 'fld_1' }, 'fld_1'],
  ['ingot_create', vaults.ingotCreated, ingot, ingot.ingot_id],
  ['ingot_replace', vaults.ingotReplaced, ingot, ingot.ingot_id],
  ['ingot_update', vaults.ingotUpdated, ingot, ingot.ingot_id],
  ['ingot_download', vaults.ingotDownloaded, ingot, ingot.ingot_id],
  ['ingot_delete', vaults.ingotDeleted, ingot, ingot.ingot_id],
  ['structured_retrieve', vaults.structuredRetrieved, { ...ingot, value_count: 2 }, ingot.ingot_id],
  ['sparklink_create', sparks.sparklinkCreated, link, link.asset_id],
  ['sparklink_update', sparks.sparklinkUpdated, link, link.asset_id],
  ['sparklink_delete', sparks.sparklinkDeleted, link, link.asset_id],
  ['sparklink_revoke', sparks.sparklinkRevoked, link, link.asset_id],
];

describe('OPEN-29 RPT-17: a call that uses no bytes', () => {
  it.each(calls)('%s is one line of the resource operation', async (type, event, payload, reference_id) => {
    const account = newId('acc_');
    await send(platform, deliveryOf([event, { account_id: account, ...action, ...payload }]));
    const lines = await eventually(
      () => linesOf(platform, account),
      ({ length }) => length > 0,
    );
    const common = { type, resource: 'operation', quantity: 1, unit: 'count', actor_type: 'user' };
    expect(lines).toEqual([{ ...common, reference_id, vault_id }]);
  });

  it('draws from no pool', async () => {
    const account = newId('acc_');
    await send(platform, deliveryOf([vaults.vaultCreated, { account_id: account, ...action, vault_id }]));
    await eventually(
      () => linesOf(platform, account),
      ({ length }) => length > 0,
    );
    expect(await platform.sql(`SELECT 1 FROM pools WHERE account_id = $1`, [account])).toEqual([]);
  });

  it('LNK-22: of a visitor who opens a link has the link as its actor, and not its code', async () => {
    const account = newId('acc_');
    const access = { visibility: 'public', verified_by: null, ip: null, user_agent: null, link_code: 'c0de' };
    await send(platform, deliveryOf([sparks.sparklinkAccessed, { account_id: account, ...link, ...access }]));
    const lines = await eventually(
      () => linesOf(platform, account),
      ({ length }) => length > 0,
    );
    expect(lines).toMatchObject([{ type: 'sparklink_access', actor_type: 'link', resource: 'operation' }]);
    expect(JSON.stringify(lines)).not.toContain('c0de');
  });
});

describe('RPT-07: an operation of an account', () => {
  const [owner, reader] = [newId('acc_'), newId('acc_')];
  const spark = { spark_id: newId('spk_'), account_id: owner, size_bytes: 3 };
  const operators = (event: Event, payload: object) =>
    entriesOf(deliveryOf([event, payload]))
      .filter(({ isOperation }) => isOperation)
      .map(({ accountId }) => accountId);

  it('is what its callers and the visitors of its links do, each call once', () => {
    expect(operators(sparks.sparkCreated, { ...spark, ...action })).toEqual([owner]);
    expect(operators(sparks.sparkDeleted, { ...spark, ...action })).toEqual([owner]);
    expect(operators(sparks.sparkRead, { ...spark, ...action, reader_account_id: reader })).toEqual([reader]);
    expect(operators(sparks.sparkRead, { ...spark, ...action, reader_account_id: owner })).toEqual([owner]);
    const visit = { account_id: owner, link_id: 'l', link_type: 'spark', asset_id: 's', vault_id: null };
    expect(operators(sparks.sparklinkAccessed, visit)).toEqual([owner]);
    const byLink = { ...spark, actor_type: 'link', actor_id: 'l', reader_account_id: owner };
    expect(operators(sparks.sparkRead, byLink)).toEqual([]);
  });

  it.each<[string, Event, object]>([
    ['the expiry of a Spark', sparks.sparkExpired, spark],
    ['the activation of a version', vaults.versionActivated, { account_id: owner, ...ingot, size_bytes: 5 }],
    [
      'the release of a version',
      vaults.versionReleased,
      { account_id: owner, ...ingot, size_bytes: 5, reason: 'deleted' },
    ],
    [
      'the removal of a structured ingot',
      vaults.structuredRemoved,
      { account_id: owner, ...ingot, size_bytes: 5 },
    ],
    [
      'the end of a link with its ingot',
      sparks.sparklinkDeleted,
      { account_id: owner, ...link, actor_type: 'system', actor_id: null },
    ],
  ])('is not %s', (_, event, payload) => {
    expect(entriesOf(deliveryOf([event, payload]))).toHaveLength(1);
    expect(operators(event, payload)).toEqual([]);
  });
});
