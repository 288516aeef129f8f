import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { inviteUser, updateUser } from '@vaultsvc/contracts/auth';
import {
  listAccountAudit,
  listAppAudit,
  listVaultAudit,
  recordAppEvent,
  type AuditEntry,
  type AuditQuery,
} from '@vaultsvc/contracts/reporting';
import { generateEntropy } from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { succeeded } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { newTenant, type Tenant } from '../access/tenant.js';
import { openVault } from '../access/vault-samples.js';

const platform = usePlatform();
type OpenVault = Awaited<ReturnType<typeof openVault>>;

const entries = async ({ key }: Tenant, query: Partial<AuditQuery> = {}) =>
  succeeded(await key.call(listAccountAudit, { query: { limit: 100, ...query } })).entries;
const firstOf = async (tenant: Tenant, event_types: string) => {
  const found = await eventually(
    () => entries(tenant, { event_types }),
    ({ length }) => length > 0,
  );
  return found[0];
};
/** Each field behind its length in bytes, as docs/entropy.md says. */
const commitmentOf = (...fields: readonly (string | Buffer)[]) => {
  const hash = createHash('sha256');
  for (const field of fields) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(field));
    hash.update(length).update(field);
  }
  return hash.digest('hex');
};
const exported = async ({ apiKey }: Tenant, query: string) => {
  const response = await fetch(`${platform.url}/v1/audit-logs/export?${query}`, {
    headers: { 'X-API-Key': apiKey },
  });
  return { response, text: await response.text() };
};

describe('the audit log of an account, over HTTP', () => {
  it('OPEN-28 ENT-05: has random data with its provenance and its commitment, and never the value', async () => {
    const tenant = await newTenant(platform);
    const body = { format: 'hex', num_bytes: 32, with_commitment: true } as const;
    const {
      value,
      reference_id,
      opening = '',
    } = succeeded(await tenant.key.call(generateEntropy, { body })) as {
      value: string;
      reference_id: string;
      opening?: string;
    };
    const entry = await firstOf(tenant, 'entropy_generated');
    expect(entry).toMatchObject({
      event_type: 'entropy_generated',
      actor_type: 'api_key',
      details: {
        reference_id,
        format: 'hex',
        num_bytes: 32,
        provenance: {
          sources: ['kms', 'local'],
          kms_request_ids: [expect.any(String)],
          commitment: commitmentOf('vk/v1/entropy', reference_id, 'hex', Buffer.from(opening, 'hex'), value),
        },
        actor: { kind: 'api_key', id: expect.stringMatching(/^key_/) },
      },
    });
    expect(JSON.stringify(entry)).not.toContain(value);
    expect(JSON.stringify(entry)).not.toContain(opening);
  });

  it.each(['file.opened', 'fileOpened', 'FILE-opened_2'])(
    'AUD-03 OPEN-65: accepts the event type %s of an integration',
    async (event_type) => {
      const tenant = await newTenant(platform);
      const body = { app_slug: 'crma', event_type };
      const made = await tenant.key.call(recordAppEvent, { body });
      expect([made.status, made.data?.event_type]).toEqual([201, event_type]);
      const list = { params: { app_slug: 'crma' }, query: { limit: 5, event_types: event_type } };
      expect(succeeded(await tenant.key.call(listAppAudit, list)).count).toBe(1);
    },
  );

  it('OPEN-65: refuses event types with other characters, and longer ones', async () => {
    const tenant = await newTenant(platform);
    for (const event_type of ['', 'file opened', 'file/opened', 'é', 'x'.repeat(65)]) {
      const answer = await tenant.key.call(recordAppEvent, { body: { app_slug: 'crma', event_type } });
      expect([event_type, answer.status, answer.error?.code]).toEqual([event_type, 400, 'VALIDATION_ERROR']);
    }
  });

  it('OPEN-28: names who invites a person and changes a role', async () => {
    const tenant = await newTenant(platform);
    const body = { email: `${newId('m_')}@invited.test`, role: 'member', seat: 'viewer' } as const;
    const { user_id } = succeeded(await tenant.owner.call(inviteUser, { body }));
    succeeded(await tenant.key.call(updateUser, { params: { user_id }, body: { role: 'admin' } }));
    expect(await firstOf(tenant, 'person_invited')).toMatchObject({
      actor_type: 'user',
      details: { user_id, actor: { kind: 'person', id: expect.stringMatching(/^usr_/) } },
    });
    const changed = await firstOf(tenant, 'person_role_changed');
    expect(changed).toMatchObject({
      actor_type: 'api_key',
      details: {
        user_id,
        role: 'admin',
        previous_role: 'member',
        actor: { kind: 'api_key', id: expect.stringMatching(/^key_/) },
      },
    });
    const { id: actor } = (changed as AuditEntry).details['actor'] as { id: string };
    const ofKey = await entries(tenant, { actor });
    expect(ofKey.map(({ event_type }) => event_type)).toContain('person_role_changed');
    expect(ofKey.map(({ event_type }) => event_type)).not.toContain('person_invited');
  });

  it('AUD-08 AUD-15: refuses reversed ranges and milliseconds in lists and exports', async () => {
    const tenant = await newTenant(platform);
    for (const range of ['from=2&to=1', 'from=1790000000000', 'to=1790000000000'])
      for (const path of ['/v1/audit-logs', '/v1/audit-logs/apps/crma', '/v1/audit-logs/export']) {
        const answer = await tenant.key.send({ method: 'GET', target: `${path}?${range}` });
        expect([path, range, answer.status, answer.error?.code]).toEqual([
          path,
          range,
          400,
          'VALIDATION_ERROR',
        ]);
      }
  });

  it('AUD-07 ENV-17: has cursors that are bound to the account, the scope and the vault', async () => {
    const [tenant, other] = [await newTenant(platform), await newTenant(platform)];
    const [one, two] = [await openVault(tenant), await openVault(tenant)];
    const query = { limit: 1 };
    const ofVault = ({ params, headers }: OpenVault, cursor?: string) =>
      tenant.key.call(listVaultAudit, { params, query: { ...query, cursor } }, headers);
    await one.readerHeaders(); // a second entry
    const page = await eventually(
      async () => succeeded(await ofVault(one)),
      ({ has_more }) => has_more,
    );
    const cursor = page.next_cursor as string;
    expect((await ofVault(one, cursor)).status).toBe(200);
    const changed = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`;
    const refused = { status: 400, error: { code: 'VALIDATION_ERROR' } };
    expect(await ofVault(one, changed)).toMatchObject(refused);
    expect(await ofVault(two, cursor)).toMatchObject(refused);
    expect(await tenant.key.call(listAccountAudit, { query: { ...query, cursor } })).toMatchObject(refused);
    const ofAccount = await eventually(
      async () => succeeded(await tenant.key.call(listAccountAudit, { query })),
      ({ has_more }) => has_more,
    );
    const accountCursor = { query: { ...query, cursor: ofAccount.next_cursor } };
    expect((await tenant.key.call(listAccountAudit, accountCursor)).status).toBe(200);
    expect(await other.key.call(listAccountAudit, accountCursor)).toMatchObject(refused);
    for (const app_slug of ['chatapp', 'crma'])
      expect(await tenant.key.call(listAppAudit, { params: { app_slug }, ...accountCursor })).toMatchObject(
        refused,
      );
  });

  it('AUD-15: is exported as JSON Lines or as CSV', async () => {
    const tenant = await newTenant(platform);
    succeeded(await tenant.key.call(recordAppEvent, { body: { app_slug: 'crma', event_type: '-1.5' } }));
    const csv = await exported(tenant, 'format=csv');
    expect(csv.response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(csv.response.headers.get('content-disposition')).toBe('attachment; filename="audit-log.csv"');
    expect(csv.text).toMatch(/^seq,time,event_type,/);
    expect(csv.text).toContain(",'-1.5,");
    const lines = await exported(tenant, 'format=jsonl');
    expect(lines.response.headers.get('content-type')).toBe('application/x-ndjson');
    expect(lines.response.headers.get('content-disposition')).toBe('attachment; filename="audit-log.jsonl"');
    expect(lines.text).toContain('"type":"-1.5"');
    expect((await exported(tenant, 'format=xlsx')).response.status).toBe(400);
  });
});
