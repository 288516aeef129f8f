import { beforeAll, describe, expect, it } from '@jest/globals';
import { decodeQuery, type Actor } from '@vaultsvc/contracts';
import {
  AuditQuery,
  listAccountAudit,
  listAppAudit,
  listIngotAudit,
  listVaultAudit,
} from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { accountContext, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { appendRecords, auditRecord } from '../testing/audit-records.js';
import { usePlatform } from '../testing/platform.js';
import type { AuditRecord } from './audit-rules.js';

const platform = usePlatform();
beforeAll(() => stopSchedule(...platform.instances));

/** Without a user or API key, whose name auth would be asked for. */
const JOB: Actor = { kind: 'job', id: 'end-links' };
const START = 1_790_000_000;

/** An account with one entry a second, of these types. */
async function newLog(...records: readonly Partial<AuditRecord>[]) {
  const accountId = newId('acc_');
  const [vault_id, ingot_id] = [newId('vlt_'), newId('ing_')];
  const placed = { vaultId: vault_id, ingotId: ingot_id };
  await appendRecords(
    platform.service,
    ...records.map((record, n) =>
      auditRecord(accountId, {
        actor: JOB,
        occurredAtMs: (START + n) * 1_000,
        details: { n },
        ...(record.appId === undefined && placed),
        ...record,
      }),
    ),
  );
  const { bus } = platform.harness;
  const query = (given: string) => decodeQuery(AuditQuery, new URLSearchParams(given));
  const context = accountContext({ accountId });
  const ofVault = { ...context, vault: { token: 'vat', accessLevel: 'read' as const } };
  return {
    account: (given = '') => bus.call(listAccountAudit, { query: query(given) }, context),
    vault: () => bus.call(listVaultAudit, { params: { vault_id }, query: query('') }, ofVault),
    ingot: () => bus.call(listIngotAudit, { params: { vault_id, ingot_id }, query: query('') }, ofVault),
    app: (app_slug = 'crma') => bus.call(listAppAudit, { params: { app_slug }, query: query('') }, context),
  };
}

describe('a list of the audit log', () => {
  it('AUD-09 AUD-10: answers with entries, newest first, their count, whether there are more, and the types of its scope', async () => {
    const log = await newLog({ type: 'spark_created' }, { type: 'spark_read' });
    const { event_types, ...page } = await log.account();
    const entry = (n: number, event_type: string) => ({
      event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event_type,
      timestamp: START + n,
      details: { n, actor: { kind: 'job', id: 'end-links' } },
      actor_type: null,
      actor_display: null,
    });
    expect(page).toEqual({
      entries: [entry(1, 'spark_read'), entry(0, 'spark_created')],
      count: 2,
      has_more: false,
    });
    expect(event_types).toEqual(expect.arrayContaining(['spark_created', 'spark_read', 'session_opened']));
    expect(event_types).not.toContain('ingot_created');
  });

  it('AUD-04 AUD-05 AUD-09: names the types of its vault, of its ingot, and none for an integration', async () => {
    const log = await newLog({ type: 'ingot_created' }, { type: 'file.opened', appId: 'crma' });
    const [vault, ingot, app] = [await log.vault(), await log.ingot(), await log.app()];
    expect(vault).toMatchObject({ count: 1, entries: [{ event_type: 'ingot_created' }] });
    expect(vault.event_types).toEqual(
      expect.arrayContaining(['vault_unsealed', 'dvak_created', 'folder_created', 'ingot_created']),
    );
    expect(vault.event_types).not.toContain('spark_created');
    expect(ingot).toMatchObject({ count: 1, entries: [{ event_type: 'ingot_created' }] });
    expect(ingot.event_types).toEqual(expect.arrayContaining(['ingot_created', 'sparklink_accessed']));
    expect(ingot.event_types).not.toContain('vault_unsealed');
    expect(app).toMatchObject({ count: 1, entries: [{ event_type: 'file.opened' }] });
    expect(app).not.toHaveProperty('event_types');
  });

  it('AUD-01 AUD-02: has no entry of another account', async () => {
    const [log, other] = [
      await newLog({ type: 'spark_created' }, { type: 'file.opened', appId: 'crma' }),
      await newLog(),
    ];
    expect((await log.account()).count).toBe(1);
    for (const list of [other.account, other.vault, other.app])
      expect(await list()).toMatchObject({ entries: [], count: 0 });
  });

  it('AUD-02: is not found for an integration that does not exist', async () => {
    const { app } = await newLog();
    expect(await reasonOf(app('fax'))).toBe('APP_NOT_FOUND');
  });

  it('AUD-06 AUD-09: has 25 entries by default and 1 to 100 as requested, and a cursor while there are more', async () => {
    const log = await newLog(...Array.from({ length: 26 }, () => ({ type: 'spark_created' })));
    const page = await log.account();
    expect(page).toMatchObject({ count: 25, has_more: true, next_cursor: expect.any(String) });
    expect(page.entries).toHaveLength(25);
    const whole = await log.account('limit=100');
    expect(whole).toMatchObject({ count: 26, has_more: false });
    expect(whole).not.toHaveProperty('next_cursor');
    expect((await log.account('limit=1')).count).toBe(1);
    for (const limit of ['0', '101', '1.5', 'x'])
      expect(() => decodeQuery(AuditQuery, new URLSearchParams({ limit }))).toThrow(
        expect.objectContaining({ reason: 'VALIDATION_ERROR' }),
      );
  });

  it('AUD-08 AUD-12: filters by several types, those of SparkLinks among them', async () => {
    const log = await newLog(
      ...['sparklink_created', 'sparklink_accessed', 'sparklink_revoked', 'spark_read', 'ingot_created'].map(
        (type) => ({ type }),
      ),
    );
    const types = async (given: string) =>
      (await log.account(given)).entries.map(({ event_type }) => event_type);
    expect(await types('event_types=sparklink_accessed')).toEqual(['sparklink_accessed']);
    expect(await types('event_types=spark_read,sparklink_created')).toEqual([
      'spark_read',
      'sparklink_created',
    ]);
    expect(await types('event_types=sparklink')).toEqual([]);
    expect((await log.ingot()).entries.map(({ event_type }) => event_type)).toEqual([
      'ingot_created',
      'sparklink_revoked',
      'sparklink_accessed',
      'sparklink_created',
    ]);
  });
});
