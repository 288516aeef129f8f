import { beforeAll, describe, expect, it } from '@jest/globals';
import { createApiKey, inviteUser, removeUser, revokeApiKey } from '@vaultsvc/contracts/auth';
import {
  auditTypesOf,
  listAccountAudit,
  listAppAudit,
  listIngotAudit,
  listVaultAudit,
  recordAppEvent,
  type AuditEntry,
} from '@vaultsvc/contracts/reporting';
import { createSpark, readSpark } from '@vaultsvc/contracts/sparks';
import {
  createIngot,
  createStructured,
  createVault,
  deleteVault,
  readSharing,
  sealVault,
  updateSharing,
  updateVault,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { api, succeeded, type Api } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { newSpark } from './access/link-samples.js';
import { uploadContent } from './access/upload-content.js';
import { newEmail, signUpOrganization } from './sign-in.js';
import { stack } from './stack.js';
import { createUnsealedVault, type UnsealedVault } from './unsealed-vault.js';

/** The audit log of an account, against the local stack: events reach it within a second or two. */
let client: Api;
let email: string;
let vault: UnsealedVault;

const types = (entries: readonly AuditEntry[]) => entries.map(({ event_type }) => event_type);
const ofAccount = async (query = {}) =>
  succeeded(await client.call(listAccountAudit, { query: { limit: 100, ...query } }));
const ofVault = (query = {}) =>
  vault.get(listVaultAudit, { params: { vault_id: vault.vault_id }, query: { limit: 100, ...query } });
const ofIngot = (ingot_id: string, query = {}) =>
  vault.get(listIngotAudit, {
    params: { vault_id: vault.vault_id, ingot_id },
    query: { limit: 100, ...query },
  });
/** The account's entries once they have one of this type with these details. */
const withEntry = async (type: string, details: object) => {
  const matches = (entry: AuditEntry) =>
    entry.event_type === type &&
    Object.entries(details).every(([name, value]) => entry.details[name] === value);
  const { entries } = await eventually(ofAccount, (page) => page.entries.some(matches));
  return entries.find(matches) as AuditEntry;
};
const inVault = () => ({ params: { vault_id: vault.vault_id } });
/** A structured ingot. */
const structured = async (name: string) =>
  (await vault.get(createStructured, { ...inVault(), body: { name, data: { a: 1 } } })).ingot_id;
/** An uploaded ingot. */
const uploaded = async (name: string) => {
  const content = Buffer.from('content');
  const body = { name, size_bytes: content.length, content_type: 'text/plain' };
  return (await uploadContent(await vault.call(createIngot, { ...inVault(), body }), content)).ingot_id;
};

beforeAll(async () => {
  email = newEmail();
  ({ client } = await signUpOrganization('Audit journey', { email }));
  vault = await createUnsealedVault(client);
});

describe('the audit log of an account', () => {
  it('AUD-01 AUD-09 AUD-10: shows what a user did, with the address of the user, newest first', async () => {
    const { spark_id } = succeeded(await client.call(createSpark, { body: newSpark() }));
    succeeded(await client.call(readSpark, { params: { spark_id } }));
    const read = await withEntry('spark_read', { spark_id });
    expect(read).toMatchObject({ actor_type: 'user', actor_display: email, details: { size_bytes: 8 } });
    const page = await ofAccount({ event_types: 'spark_created,spark_read' });
    expect(types(page.entries)).toEqual(['spark_read', 'spark_created']);
    expect(page).toMatchObject({ count: 2, has_more: false, event_types: auditTypesOf('account') });
    await withEntry('vault_unsealed', { vault_id: vault.vault_id });
    await withEntry('session_opened', {});
  });

  it('AUD-10: shows the name of an API key, also after it was revoked', async () => {
    const made = succeeded(await client.call(createApiKey, { body: { name: 'Build server' } }));
    const machine = api(stack().api_url, { key: made.api_key });
    const { spark_id } = succeeded(await machine.call(createSpark, { body: newSpark() }));
    succeeded(await client.call(revokeApiKey, { params: { api_key_id: made.api_key_id } }));
    const created = await withEntry('spark_created', { spark_id });
    expect(created).toMatchObject({ actor_type: 'api_key', actor_display: 'Build server' });
    await withEntry('api_key_revoked', { api_key_id: made.api_key_id });
  });

  it('AUD-06 AUD-08: is filtered by types and read in pages of 1 to 100', async () => {
    const invited = succeeded(
      await client.call(inviteUser, {
        body: { email: newEmail(), name: 'Ivy', role: 'member', seat: 'full' },
      }),
    );
    succeeded(await client.call(removeUser, { params: { user_id: invited.user_id } }));
    await withEntry('person_removed', { user_id: invited.user_id });
    const event_types = 'person_invited,person_removed';
    expect(types((await ofAccount({ event_types })).entries)).toEqual(['person_removed', 'person_invited']);
    const first = await ofAccount({ event_types, limit: 1 });
    expect(first).toMatchObject({ count: 1, has_more: true });
    const second = await ofAccount({ event_types, limit: 1, cursor: first.next_cursor });
    expect(types([...first.entries, ...second.entries])).toEqual(['person_removed', 'person_invited']);
    expect(second.has_more).toBe(false);
    expect((await ofAccount({ event_types: 'no_such_type' })).entries).toEqual([]);
    for (const limit of [0, 101]) {
      const { status, error } = await client.call(listAccountAudit, { query: { limit } });
      expect([status, error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
  });

  it('ENV-16 ENV-17 AUD-07: gives cursors that no other scope and no other account can use', async () => {
    const { next_cursor: cursor } = await ofAccount({ limit: 1 });
    const { client: other } = await signUpOrganization('Another');
    const refused = async (answer: Promise<{ status: number; error?: { code: string } | undefined }>) => {
      const { status, error } = await answer;
      expect([status, error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    };
    await refused(other.call(listAccountAudit, { query: { limit: 1, cursor } }));
    await refused(
      vault.call(listVaultAudit, { params: { vault_id: vault.vault_id }, query: { limit: 1, cursor } }),
    );
    await refused(
      client.call(listAppAudit, { params: { app_slug: 'chatapp' }, query: { limit: 1, cursor } }),
    );
    const { entries } = succeeded(await other.call(listAccountAudit, { query: { limit: 100 } }));
    const own = new Set((await ofAccount()).entries.map(({ event_id }) => event_id));
    expect(entries.filter(({ event_id }) => own.has(event_id))).toEqual([]);
  });
});

describe('the audit log of a vault and of an ingot', () => {
  it('AUD-04 AUD-05 AUD-12 OPEN-28: shows what happened in the vault, and of one ingot only', async () => {
    await vault.get(updateVault, { ...inVault(), body: { public_file_sharing: true } });
    const [first, second] = [await uploaded('First'), await structured('Second')];
    const share = { shared: true, visibility: 'public' } as const;
    const target = { params: { vault_id: vault.vault_id, ingot_id: first } };
    await vault.get(updateSharing, { ...target, body: share });
    const { link_code } = await vault.get(readSharing, target);
    const ofBoth = await eventually(
      ofVault,
      ({ entries }) => entries.filter(({ event_type }) => event_type === 'ingot_created').length === 2,
    );
    const page = await eventually(
      () => ofIngot(first),
      ({ count }) => count === 3,
    );
    expect(types(page.entries).toSorted()).toEqual(['ingot_created', 'sharing_enabled', 'sparklink_created']);
    expect(page.event_types).toEqual(auditTypesOf('ingot'));
    expect(types((await ofIngot(':Second')).entries)).toEqual(['ingot_created']);
    const link = page.entries.find(({ event_type }) => event_type === 'sparklink_created');
    // LNK-22: the code of a link that still opens is asked for when the log is read.
    expect(link?.details).toMatchObject({ link_code, link_type: 'ingot', asset_id: first });
    const created = ofBoth.entries.filter(({ event_type }) => event_type === 'ingot_created');
    expect(created.map(({ details }) => details['ingot_id'])).toEqual([second, first]);
    expect(ofBoth.event_types).toEqual(auditTypesOf('vault'));
  });

  it('AUD-04: needs a Vault Access Token of this vault', async () => {
    const params = { vault_id: vault.vault_id };
    expect((await client.call(listVaultAudit, { params, query: { limit: 1 } })).status).toBe(401);
    const foreign = await createUnsealedVault(client);
    expect((await foreign.call(listVaultAudit, { params, query: { limit: 1 } })).status).toBe(403);
    const unknown = await vault.call(listIngotAudit, {
      params: { ...params, ingot_id: newId('ing_') },
      query: { limit: 1 },
    });
    expect([unknown.status, unknown.error?.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('AUD-13 VLT-24: ends with the vault; the account still shows that the vault existed', async () => {
    const doomed = await createUnsealedVault(client);
    const { vault_id } = doomed;
    await doomed.get(sealVault, { params: { vault_id } });
    await withEntry('vault_sealed', { vault_id });
    succeeded(await client.call(deleteVault, { params: { vault_id } }));
    const ofThis = async () =>
      (await ofAccount()).entries.filter(({ details }) => details['vault_id'] === vault_id);
    const kept = await eventually(ofThis, (entries) => entries.length === 2);
    expect(types(kept)).toEqual(['vault_deleted', 'vault_created']);
    expect(kept[0]?.details).toEqual({
      vault_id,
      ingot_count: 0,
      folder_count: 0,
      dvak_count: 0,
      storage_bytes: 0,
      actor: { kind: 'person', id: expect.stringMatching(/^usr_/) },
    });
    expect(
      (await doomed.call(listVaultAudit, { params: { vault_id }, query: { limit: 1 } })).status,
    ).toBeGreaterThanOrEqual(400);
  });
});

describe('the audit log of an integration', () => {
  it('AUD-02 AUD-03 OPEN-65: shows what was recorded for it, which no other log shows', async () => {
    const metadata = { channel: 'C1', nested: { a: [1, null] } };
    const body = { app_slug: 'chatapp', event_type: 'secret_sent', metadata };
    const { status, data } = await client.call(recordAppEvent, { body });
    expect([status, data]).toEqual([
      201,
      {
        event_id: expect.any(String),
        event_type: 'secret_sent',
        timestamp: expect.any(Number),
        details: { ...metadata, actor: { kind: 'person', id: expect.stringMatching(/^usr_/) } },
        actor_type: 'user',
        actor_display: email,
      },
    ]);
    const list = async (app_slug: string, query = {}) =>
      succeeded(await client.call(listAppAudit, { params: { app_slug }, query: { limit: 5, ...query } }));
    expect(await list('chatapp')).toEqual({ entries: [data], count: 1, has_more: false });
    expect((await list('chatapp', { event_types: 'other' })).entries).toEqual([]);
    expect((await list('crma')).entries).toEqual([]);
    expect(types((await ofAccount()).entries)).not.toContain('secret_sent');
  });

  it('OPEN-65: accepts types with capitals, dots and dashes', async () => {
    const body = { app_slug: 'crmb', event_type: 'Record.Synced-2' };
    expect(succeeded(await client.call(recordAppEvent, { body }))).toMatchObject({
      event_type: 'Record.Synced-2',
      details: { actor: { kind: 'person' } },
    });
    const list = { params: { app_slug: 'crmb' }, query: { limit: 5, event_types: 'Record.Synced-2' } };
    expect(succeeded(await client.call(listAppAudit, list)).count).toBe(1);
  });

  it('AUD-03 AMB-23: refuses missing, malformed and too large fields with 400, and unknown integrations with 404', async () => {
    const post = async (body: object) => (await client.call(recordAppEvent, { body: body as never })).status;
    expect(await post({ event_type: 'x' })).toBe(400);
    expect(await post({ app_slug: 'chatapp' })).toBe(400);
    expect(await post({ app_slug: 'chatapp', event_type: 'Not One Word' })).toBe(400);
    expect(await post({ app_slug: 'chatapp', event_type: 'x', metadata: { big: 'x'.repeat(8_192) } })).toBe(
      400,
    );
    expect(await post({ app_slug: 'unheard-of', event_type: 'x' })).toBe(404);
    const unknown = await client.call(listAppAudit, {
      params: { app_slug: 'unheard-of' },
      query: { limit: 1 },
    });
    expect(unknown.status).toBe(404);
    const malformed = await client.call(listAppAudit, { params: { app_slug: 'NO!' }, query: { limit: 1 } });
    expect(malformed.status).toBe(400);
    succeeded(await client.call(createVault, { body: { name: newId('after_') } }));
  });
});
