import { describe, expect, it } from '@jest/globals';
import type { Event } from '@vaultsvc/contracts';
import * as auth from '@vaultsvc/contracts/auth';
import * as integrations from '@vaultsvc/contracts/integrations';
import * as notify from '@vaultsvc/contracts/notify';
import { auditTypesOf } from '@vaultsvc/contracts/reporting';
import * as sparks from '@vaultsvc/contracts/sparks';
import * as vaults from '@vaultsvc/contracts/vaults';
import { deliveryOf } from '../testing/deliveries.js';
import { bodyOf } from './audit-chain.js';
import { auditedEvents, auditRecordsOf } from './audit-rules.js';

const LINK = '6f9619ff-8b86-4011-b42d-00cf4fc964ff';
const byPerson = { actor_type: 'session', actor_id: 'usr_1' };
const byKey = { actor_type: 'api_key', actor_id: 'key_1' };
const byApp = {
  ...byPerson,
  actor: { kind: 'app', id: 'crma', app: 'crma', portal: '62515', person: '4242' },
};
const byOrg = {
  ...byKey,
  actor: { kind: 'app', id: 'crmb', app: 'crmb', org: '00D000000000001AAA', person: '0055g00000ABCDEAA5' },
};
const byJob = (id: string) => ({ actor_type: 'system', actor_id: null, actor: { kind: 'job', id } });
const byFence = {
  actor_type: 'system',
  actor_id: null,
  actor: { kind: 'operator', id: 'restore-fence' },
};
const PERSON = { kind: 'person', id: 'usr_1' };
const KEY = { kind: 'api_key', id: 'key_1' };
const VISITOR = { kind: 'visitor', id: LINK };
const FENCE = { kind: 'operator', id: 'restore-fence' };
const APP = { kind: 'app', id: 'crma', app: 'crma', portal: '62515', person: '4242' };
const ORG = {
  kind: 'app',
  id: 'crmb',
  app: 'crmb',
  org: '00D000000000001AAA',
  person: '0055g00000ABCDEAA5',
};

const session = { user_id: 'usr_1', session_id: LINK, client_ip: null, user_agent: null };
const spark = { spark_id: 'spk_1', size_bytes: 5 };
const ofSpark = { link_id: LINK, link_type: 'spark', asset_id: 'spk_1', vault_id: null };
const ofIngot = { link_id: LINK, link_type: 'ingot', asset_id: 'ing_1', vault_id: 'vlt_1' };
const vault = { vault_id: 'vlt_1' };
const ingot = { vault_id: 'vlt_1', ingot_id: 'ing_1' };
const interaction = (action: string) => ({
  link_id: LINK,
  asset_id: 'spk_1',
  send_id: 's',
  action,
  receipt_id: 'r',
});

/** Every audited event in the forms in which its service publishes it: the types of its entries, and their actor. */
const cases: readonly [Event, object, readonly string[], object][] = [
  [auth.accountChanged, { actor_id: 'usr_1' }, ['account_updated'], PERSON],
  [auth.settingsChanged, { actor_id: 'key_1' }, ['settings_updated'], KEY],
  [auth.apiKeyCreated, { api_key_id: 'key_2', actor_id: 'usr_1' }, ['api_key_created'], PERSON],
  [
    auth.apiKeyCreated,
    { api_key_id: 'key_2', actor_id: 'usr_1', actor: { kind: 'operator', id: 'bootstrap' } },
    ['api_key_created'],
    { kind: 'operator', id: 'bootstrap' },
  ],
  [auth.apiKeyRevoked, { api_key_id: 'key_2', actor_id: 'key_1' }, ['api_key_revoked'], KEY],
  [auth.userInvited, { user_id: 'usr_2', actor_id: 'usr_1' }, ['person_invited'], PERSON],
  [
    auth.userInvited,
    { user_id: 'usr_2', actor_id: 'key_1', resent: true },
    ['person_invitation_resent'],
    KEY,
  ],
  [auth.userJoined, { user_id: 'usr_1' }, ['person_joined'], PERSON],
  [
    auth.userChanged,
    { user_id: 'usr_2', actor_id: 'usr_1', role: 'member', seat: 'full' },
    ['person_updated'],
    PERSON,
  ],
  [
    auth.userChanged,
    { user_id: 'usr_2', actor_id: 'key_1', role: 'admin', previous_role: 'member', seat: 'full' },
    ['person_role_changed'],
    KEY,
  ],
  [auth.userRemoved, { user_id: 'usr_2', actor_id: 'usr_1' }, ['person_removed'], PERSON],
  [
    auth.userRemoved,
    { user_id: 'usr_2', actor_id: 'usr_2', actor: { kind: 'job', id: 'expire-invitations' } },
    ['person_removed'],
    { kind: 'job', id: 'expire-invitations' },
  ],
  [auth.sessionOpened, session, ['session_opened'], PERSON],
  [auth.sessionEnded, session, ['session_ended'], PERSON],
  [auth.sessionEnded, { ...session, actor: FENCE }, ['session_ended'], FENCE],
  [auth.sessionReplayed, session, ['session_replayed'], PERSON],
  [auth.domainClaimed, { domain: 'x.test', actor_id: 'usr_1' }, ['domain_claimed'], PERSON],
  [auth.domainReleased, { domain: 'x.test', actor_id: 'key_1' }, ['domain_released'], KEY],
  [
    auth.domainLapsed,
    { domain: 'x.test', actor: { kind: 'job', id: 'recheck-domains' } },
    ['domain_lapsed'],
    { kind: 'job', id: 'recheck-domains' },
  ],
  [integrations.appInstalled, { app_id: 'crma', actor_id: 'usr_1' }, ['app_installed'], PERSON],
  [integrations.appUpdated, { app_id: 'crma', actor_id: 'key_1' }, ['app_updated'], KEY],
  [
    integrations.appUninstalled,
    {
      app_id: 'crmb',
      actor_id: 'crmb',
      actor: { kind: 'app', id: 'crmb', app: 'crmb', org: '00D000000000001AAA', person: null },
    },
    ['app_uninstalled'],
    { kind: 'app', id: 'crmb', app: 'crmb', org: '00D000000000001AAA', person: null },
  ],
  [sparks.sparkCreated, { ...spark, ...byOrg }, ['spark_created'], ORG],
  [sparks.sparkCreated, { ...spark, actor_type: 'link', actor_id: LINK }, ['spark_created'], VISITOR],
  [sparks.sparkRead, { ...spark, ...byKey, reader_account_id: 'acc_1' }, ['spark_read'], KEY],
  [
    sparks.sparkRead,
    { ...spark, actor_type: 'link', actor_id: LINK, reader_account_id: 'acc_1' },
    ['spark_read'],
    VISITOR,
  ],
  [sparks.sparkDeleted, { ...spark, ...byPerson }, ['spark_deleted'], PERSON],
  [sparks.sparkExpired, { ...spark, actor: FENCE }, ['spark_deleted'], FENCE],
  [
    sparks.entropyGenerated,
    { reference_id: 'ent_1', format: 'hex', num_bytes: 1, bytes: 9, provenance: {}, ...byKey },
    ['entropy_generated'],
    KEY,
  ],
  [sparks.sparklinkCreated, { ...ofSpark, ...byApp }, ['sparklink_created'], APP],
  [sparks.sparklinkUpdated, { ...ofSpark, ...byPerson }, ['sparklink_updated'], PERSON],
  [sparks.sparklinkUpdated, { ...ofIngot, ...byKey }, ['sparklink_updated', 'sharing_updated'], KEY],
  [
    sparks.sparklinkAccessed,
    { ...ofSpark, visibility: 'public', verified_by: null, ip: null, user_agent: null },
    ['sparklink_accessed'],
    VISITOR,
  ],
  [sparks.sparklinkDeleted, { ...ofSpark, ...byPerson }, ['sparklink_deleted'], PERSON],
  [
    sparks.sparklinkRevoked,
    { ...ofSpark, ...byJob('end-links') },
    ['sparklink_revoked'],
    { kind: 'job', id: 'end-links' },
  ],
  [sparks.sparklinkRevoked, { ...ofSpark, ...byFence }, ['sparklink_revoked'], FENCE],
  [notify.interacted, interaction('acknowledge'), ['sparklink_accessed'], VISITOR],
  [notify.interacted, interaction('sign'), ['sparklink_signed'], VISITOR],
  [notify.interacted, interaction('approve'), ['sparklink_approved'], VISITOR],
  [notify.interacted, interaction('deny'), ['sparklink_denied'], VISITOR],
  [notify.interacted, interaction('reply'), ['sparklink_replied'], VISITOR],
  [
    notify.sendAccepted,
    { send_id: 's', channels: ['email'], recipient_count: 1, ...byKey },
    ['notify_sent'],
    KEY,
  ],
  [vaults.vaultCreated, { ...vault, ...byPerson }, ['vault_created'], PERSON],
  [vaults.vaultUpdated, { ...vault, ...byKey }, ['vault_updated'], KEY],
  [vaults.vaultUnsealed, { ...vault, ...byApp, dvak_id: null }, ['vault_unsealed'], APP],
  [vaults.vaultSealed, { ...vault, ...byPerson, seal_epoch: 2 }, ['vault_sealed'], PERSON],
  [vaults.vaultSealed, { ...vault, ...byFence, seal_epoch: 2 }, ['vault_sealed'], FENCE],
  [vaults.vaultDeleted, { ...vault, ...byPerson }, ['vault_deleted'], PERSON],
  [vaults.dvakCreated, { ...vault, ...byKey, dvak_id: 'dvk_1' }, ['dvak_created'], KEY],
  [
    vaults.dvakRevoked,
    {
      ...vault,
      ...byPerson,
      actor: { kind: 'job', id: 'expire-invitations' },
      dvak_id: 'dvk_1',
    },
    ['dvak_revoked'],
    { kind: 'job', id: 'expire-invitations' },
  ],
  [vaults.dvakUsed, { ...vault, ...byOrg, dvak_id: 'dvk_1' }, ['dvak_used'], ORG],
  [vaults.folderCreated, { ...vault, ...byApp, folder_id: 'fld_1' }, ['folder_created'], APP],
  [vaults.folderChanged, { ...vault, ...byKey, folder_id: 'fld_1' }, ['folder_updated'], KEY],
  [vaults.folderDeleted, { ...vault, ...byPerson, folder_id: 'fld_1' }, ['folder_deleted'], PERSON],
  [vaults.ingotCreated, { ...ingot, ...byApp }, ['ingot_created'], APP],
  [vaults.ingotReplaced, { ...ingot, ...byKey }, ['ingot_replaced'], KEY],
  [vaults.ingotUpdated, { ...ingot, ...byPerson }, ['ingot_updated'], PERSON],
  [vaults.ingotDeleted, { ...ingot, ...byOrg }, ['ingot_deleted'], ORG],
  [vaults.ingotDownloaded, { ...ingot, ...byApp }, ['ingot_downloaded'], APP],
  [vaults.structuredCreated, { ...ingot, ...byKey, version: 1, key_count: 1 }, ['ingot_created'], KEY],
  [vaults.structuredOverwritten, { ...ingot, ...byKey, version: 2, key_count: 1 }, ['ingot_replaced'], KEY],
  [vaults.structuredUpdated, { ...ingot, ...byPerson, version: 3, key_count: 1 }, ['ingot_updated'], PERSON],
  [vaults.structuredDeleted, { ...ingot, ...byPerson }, ['ingot_deleted'], PERSON],
  [vaults.structuredRetrieved, { ...ingot, ...byKey, value_count: 1 }, ['ingot_retrieved'], KEY],
  [vaults.sharingEnabled, { ...ingot, ...byPerson, link_id: LINK }, ['sharing_enabled'], PERSON],
  [vaults.sharingDisabled, { ...ingot, ...byKey, link_id: LINK }, ['sharing_disabled'], KEY],
];

/** Reporting writes them itself, with the cause of the change: see billing-audit.spec.ts. */
const OWN = [
  'billing_invoice_paid',
  'billing_payment_method_added',
  'billing_payment_method_removed',
  'billing_subscription_changed',
];
/** Nothing writes them any more. */
const EARLIER = [
  'payment_method_added',
  'payment_method_removed',
  'subscription_changed',
  'user_invited',
  'user_joined',
  'user_removed',
  'user_updated',
];

const entriesOf = (event: Event, payload: object) =>
  auditRecordsOf(deliveryOf([event, { account_id: 'acc_1', ...payload }])).map((record) => ({
    type: record.type,
    body: bodyOf(record) as { actor_type?: string; actor_id?: string; details: { actor: object } },
  }));

describe('OPEN-28: the actor of every audited event', () => {
  it.each(
    cases.map(
      ([event, payload, types, actor]) =>
        [event.name, types.join(', '), event, payload, types, actor] as const,
    ),
  )('%s: %s', (_name, _types, event, payload, types, actor) => {
    const entries = entriesOf(event, payload);
    expect(entries.map(({ type }) => type)).toEqual(types);
    for (const { body } of entries) {
      expect(body.details.actor).toEqual(actor);
      const { kind, id } = actor as { kind: string; id: string };
      const [type, named] = { person: ['user', id], api_key: ['api_key', id] }[kind] ?? [];
      expect([body.actor_type, body.actor_id]).toEqual([type, named]);
    }
  });

  it('has a case for every event, and for every type of every scope', () => {
    expect(new Set(cases.map(([{ name }]) => name))).toEqual(auditedEvents);
    const types = (['account', 'vault', 'ingot'] as const).flatMap((scope) => auditTypesOf(scope));
    const covered = [...cases.flatMap(([, , ofCase]) => ofCase), ...OWN, ...EARLIER];
    expect([...new Set(covered)].sort()).toEqual([...new Set<string>(types)].sort());
  });

  it('is none for a Spark that expires: nobody acts', () => {
    expect(entriesOf(sparks.sparkExpired, spark)).toEqual([]);
  });
});
