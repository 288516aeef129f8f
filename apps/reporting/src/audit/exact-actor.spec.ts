import { beforeAll, describe, expect, it } from '@jest/globals';
import { accountChanged, domainLapsed, sessionOpened } from '@vaultsvc/contracts/auth';
import { appUninstalled } from '@vaultsvc/contracts/integrations';
import { interacted, sendAccepted } from '@vaultsvc/contracts/notify';
import { listAccountAudit, recordAppEvent } from '@vaultsvc/contracts/reporting';
import {
  entropyGenerated,
  sparkCreated,
  sparklinkAccessed,
  sparklinkRevoked,
  sparkRead,
} from '@vaultsvc/contracts/sparks';
import { ingotDeleted, vaultCreated } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { accountContext, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import { deliveryOf, linesOf, processed, send, type Fact } from '../testing/deliveries.js';
import { usePlatform } from '../testing/platform.js';

const platform = usePlatform();
beforeAll(() => stopSchedule(...platform.instances));

const LINK = '6f9619ff-8b86-4011-b42d-00cf4fc964ff';
/** A person of a portal, for whom a CRM app acts with the credential of its installer. */
const VISITING = {
  actor_type: 'session',
  actor_id: 'usr_installer',
  actor: { kind: 'app', id: 'crma', app: 'crma', portal: '62515', person: '4242' },
};

interface Entry extends Record<string, unknown> {
  readonly event_type: string;
  readonly body: string;
}

/** Publishes events as their services do, and returns the bodies of the entries in the chain. */
async function record(account_id: string, ...facts: readonly Fact[]) {
  const deliveries = facts.map(([event, payload]) => deliveryOf([event, { account_id, ...payload }]));
  await send(platform, ...deliveries);
  const ids = deliveries.map(({ id }) => id);
  await until(async () => (await processed(platform, ids)) === ids.length);
  const rows = await platform.sql<Entry>(
    `SELECT event_type, body FROM audit_entries WHERE account_id = $1 ORDER BY seq`,
    [account_id],
  );
  return rows.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
}

async function recordOne(...fact: Fact) {
  const [entry] = await record(newId('acc_'), fact);
  return entry as { details: Record<string, unknown> } & Record<string, unknown>;
}

const spark = { spark_id: 'spk_1', size_bytes: 5 };
const ofLink = { link_id: LINK, link_type: 'spark', asset_id: 'spk_1', vault_id: null };
const access = { ...ofLink, visibility: 'public', verified_by: null, ip: null, user_agent: null };
const signature = { link_id: LINK, asset_id: 'spk_1', send_id: 's', action: 'sign', receipt_id: 'r', at: 1 };

describe('OPEN-28: details.actor in the hashed body of an entry', () => {
  it.each<[string, Fact, object, string | undefined]>([
    [
      'the user of a session',
      [sparkCreated, { ...spark, actor_type: 'session', actor_id: 'usr_1' }],
      { kind: 'person', id: 'usr_1' },
      'user',
    ],
    [
      'the user who signs in',
      [sessionOpened, { user_id: 'usr_1', session_id: LINK, client_ip: null, user_agent: null }],
      { kind: 'person', id: 'usr_1' },
      'user',
    ],
    ['an API key', [accountChanged, { actor_id: 'key_1' }], { kind: 'api_key', id: 'key_1' }, 'api_key'],
    [
      'the portal and the person of a CRM app, not its installer',
      [ingotDeleted, { vault_id: 'vlt_1', ingot_id: 'ing_1', ...VISITING }],
      { kind: 'app', id: 'crma', app: 'crma', portal: '62515', person: '4242' },
      undefined,
    ],
    [
      'the link of a visitor who opens it',
      [sparklinkAccessed, access],
      { kind: 'visitor', id: LINK },
      undefined,
    ],
    [
      'the link of a visitor who reads',
      [sparkRead, { ...spark, actor_type: 'link', actor_id: LINK, reader_account_id: 'acc_1' }],
      { kind: 'visitor', id: LINK },
      undefined,
    ],
    ['the link of a recipient who signs', [interacted, signature], { kind: 'visitor', id: LINK }, undefined],
    [
      'a job by its name',
      [domainLapsed, { domain: 'example.test', actor: { kind: 'job', id: 'recheck-domains' } }],
      { kind: 'job', id: 'recheck-domains' },
      undefined,
    ],
    [
      'a command of the operator',
      [
        sparklinkRevoked,
        {
          ...ofLink,
          actor_type: 'system',
          actor_id: null,
          actor: { kind: 'operator', id: 'restore-fence' },
        },
      ],
      { kind: 'operator', id: 'restore-fence' },
      undefined,
    ],
  ])('names %s', async (_, fact, actor, actorType) => {
    const entry = await recordOne(...fact);
    expect(entry.details['actor']).toEqual(actor);
    expect(entry['actor_type']).toBe(actorType);
  });

  it.each<[string, Fact, object]>([
    [
      'a vault',
      [vaultCreated, { vault_id: 'vlt_1', actor_type: 'api_key', actor_id: 'key_1' }],
      { kind: 'api_key', id: 'key_1' },
    ],
    ['a lapse of a domain', [domainLapsed, { domain: 'example.test' }], { kind: 'job', id: 'auth' }],
    [
      'a link that ended with its Spark',
      [sparklinkRevoked, { ...ofLink, actor_type: 'system', actor_id: null }],
      { kind: 'job', id: 'sparks' },
    ],
    [
      'an uninstallation by the provider',
      [appUninstalled, { app_id: 'crmb', actor_id: 'crmb' }],
      { kind: 'app', id: 'crmb', app: 'crmb', person: null },
    ],
  ])('is made of what an older publisher says of %s', async (_, fact, actor) => {
    expect((await recordOne(...fact)).details['actor']).toEqual(actor);
  });

  it('is there once when the event of an older publisher is delivered again', async () => {
    const account_id = newId('acc_');
    const delivery = deliveryOf([accountChanged, { account_id, actor_id: 'key_1' }]);
    await send(platform, delivery);
    await until(async () => (await processed(platform, [delivery.id])) === 1);
    await send(platform, delivery);
    const entries = await record(account_id, [accountChanged, { actor_id: 'key_2' }]);
    expect(entries.map(({ details }) => details)).toEqual([
      { actor: { kind: 'api_key', id: 'key_1' } },
      { actor: { kind: 'api_key', id: 'key_2' } },
    ]);
  });
});

describe('OPEN-28: an accepted send', () => {
  it('is notify_sent, with its channels and the number of its recipients', async () => {
    const sent = { send_id: 'ntsnd_1', channels: ['email', 'sms'], recipient_count: 2 };
    const entry = await recordOne(sendAccepted, { ...sent, actor_type: 'api_key', actor_id: 'key_1' });
    expect(entry).toMatchObject({
      actor_type: 'api_key',
      details: { ...sent, actor: { kind: 'api_key', id: 'key_1' } },
    });
  });
});

describe('OPEN-28: random data', () => {
  it('is entropy_generated, with its reference and its provenance, the commitment included', async () => {
    const provenance = {
      kms_key_id: 'alias/vk-root',
      kms_request_ids: ['r'],
      generated_at: 1_790_000_000,
      commitment: 'c'.repeat(64),
    };
    const generated = { reference_id: newId('ent_'), format: 'hex', num_bytes: 32, bytes: 290, provenance };
    const entry = await recordOne(entropyGenerated, {
      ...generated,
      actor_type: 'api_key',
      actor_id: 'key_1',
    });
    expect(entry).toMatchObject({
      actor_type: 'api_key',
      details: { ...generated, actor: { kind: 'api_key', id: 'key_1' } },
    });
  });
});

describe('OPEN-28 AUD-10: the audit log', () => {
  it('OPEN-28: shows the person of the provider as the actor of an integration, and no account', async () => {
    const account_id = newId('acc_');
    await record(account_id, [sparkCreated, { ...spark, ...VISITING }]);
    const context = accountContext({ accountId: account_id });
    const { entries } = await platform.harness.bus.call(listAccountAudit, { query: { limit: 5 } }, context);
    expect(entries).toEqual([
      {
        event_id: expect.any(String),
        event_type: 'spark_created',
        timestamp: expect.any(Number),
        details: {
          spark_id: 'spk_1',
          size_bytes: 5,
          actor: { kind: 'app', id: 'crma', app: 'crma', portal: '62515', person: '4242' },
        },
        actor_type: null,
        actor_display: null,
      },
    ]);
    const lines = await linesOf(platform, account_id);
    expect(lines.map(({ actor_type }) => actor_type)).toEqual(['app', 'app']);
  });

  it('AUD-03: does not let a caller name an actor in the metadata of an entry', async () => {
    const body = { app_slug: 'crma', event_type: 'x', metadata: { actor: { kind: 'person', id: 'usr_1' } } };
    const answer = platform.harness.bus.call(recordAppEvent, { body }, accountContext());
    expect(await reasonOf(answer)).toBe('VALIDATION_ERROR');
  });

  it('AUD-03: has no entry of an integration that does not exist', async () => {
    const body = { app_slug: 'fax', event_type: 'x', metadata: {} };
    const answer = platform.harness.bus.call(recordAppEvent, { body }, accountContext());
    expect(await reasonOf(answer)).toBe('APP_NOT_FOUND');
  });
});
