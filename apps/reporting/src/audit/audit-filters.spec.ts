import { beforeAll, describe, expect, it } from '@jest/globals';
import { decodeQuery, type Actor } from '@vaultsvc/contracts';
import { AuditQuery } from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { stopSchedule } from '@vaultsvc/testing/harness';
import { appendRecords, auditRecord } from '../testing/audit-records.js';
import { usePlatform } from '../testing/platform.js';
import { AuditListRepository, type AuditList } from './audit-list.repository.js';

const platform = usePlatform();
beforeAll(() => stopSchedule(...platform.instances));

const LINK = '6f9619ff-8b86-4011-b42d-00cf4fc964ff';
const ANN: Actor = { kind: 'person', id: 'usr_ann' };
const KEY: Actor = { kind: 'api_key', id: 'key_1' };
const CRM: Actor = { kind: 'app', id: 'crma', app: 'crma', portal: '1', person: '7' };
const VISITOR: Actor = { kind: 'visitor', id: LINK };
const JOB: Actor = { kind: 'job', id: 'end-links' };

const START = 1_790_000_000;
type Query = {
  event_types?: string;
  from?: number;
  to?: number;
  actor?: string;
  limit?: number;
  cursor?: string | undefined;
};
interface Body {
  readonly details: { readonly n: number };
}

/** An account with one entry every second: its actors and types take turns. */
async function newLog() {
  const accountId = newId('acc_');
  const [vaultId, ingotId] = [newId('vlt_'), newId('ing_')];
  const actors = [ANN, KEY, CRM, VISITOR, JOB];
  const records = Array.from({ length: 10 }, (_, n) =>
    auditRecord(accountId, {
      type: n < 5 ? 'sparklink_created' : 'sparklink_revoked',
      occurredAtMs: (START + n) * 1_000,
      actor: actors[n % 5] as Actor,
      vaultId,
      ingotId,
      details: { n },
    }),
  );
  await appendRecords(platform.service, ...records);
  // Of the vault and its ingot alone.
  await appendRecords(
    platform.service,
    auditRecord(accountId, {
      type: 'ingot_created',
      occurredAtMs: (START + 10) * 1_000,
      actor: ANN,
      vaultId,
      ingotId,
      details: { n: 10 },
    }),
    ...[KEY, CRM].map((actor, n) =>
      auditRecord(accountId, {
        type: 'file.opened',
        occurredAtMs: (START + 11 + n) * 1_000,
        actor,
        appId: 'crma',
        details: { n: 11 + n },
      }),
    ),
  );
  const lists = platform.service.context.get(AuditListRepository);
  const page = (list: AuditList, query: Query) => lists.list(list, { limit: 100, ...query });
  const numbers = async (list: AuditList, query: Query) =>
    (await page(list, query)).rows.map(({ body }) => (JSON.parse(body) as Body).details.n);
  return {
    page: (query: Query) => page({ scope: 'account', accountId }, query),
    account: (query: Query) => numbers({ scope: 'account', accountId }, query),
    vault: (query: Query) => numbers({ scope: 'vault', accountId, vaultId }, query),
    ingot: (query: Query) => numbers({ scope: 'ingot', accountId, vaultId, ingotId }, query),
    app: (query: Query) => numbers({ scope: 'app', accountId, appId: 'crma' }, query),
    hasIngot: (ofVault = vaultId, ofIngot = ingotId) => lists.hasIngot(accountId, ofVault, ofIngot),
  };
}

describe('AUD-08: a list of the audit log', () => {
  it('has the entries of a range of time: from its begin on, and before its end', async () => {
    const { account } = await newLog();
    expect(await account({})).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    expect(await account({ from: START + 3, to: START + 6 })).toEqual([5, 4, 3]);
    expect(await account({ from: START + 8 })).toEqual([9, 8]);
    expect(await account({ to: START + 2 })).toEqual([1, 0]);
    expect(await account({ from: START + 3, to: START + 3 })).toEqual([]);
  });

  it.each([
    ['a person', 'usr_ann', [5, 0]],
    ['an API key', 'key_1', [6, 1]],
    ['an integration', 'crma', [7, 2]],
    ['the link of a visitor', LINK, [8, 3]],
    ['a job', 'end-links', [9, 4]],
    ['nobody', 'usr_bob', []],
  ])('has the entries of %s', async (_, actor, expected) => {
    const { account } = await newLog();
    expect(await account({ actor })).toEqual(expected);
  });

  it('combines time, actor and types', async () => {
    const { account } = await newLog();
    expect(await account({ actor: 'usr_ann', event_types: 'sparklink_revoked' })).toEqual([5]);
    expect(await account({ actor: 'usr_ann', to: START + 5 })).toEqual([0]);
    expect(await account({ event_types: 'sparklink_created', from: START + 3 })).toEqual([4, 3]);
    expect(await account({ event_types: 'nothing', actor: 'usr_ann' })).toEqual([]);
  });

  it('AUD-04 AUD-05: filters vaults and ingots the same way', async () => {
    const { vault, ingot } = await newLog();
    expect(await vault({ actor: 'usr_ann' })).toEqual([10]);
    expect(await vault({ from: START, to: START + 10 })).toEqual([]);
    expect(await ingot({ actor: 'usr_ann' })).toEqual([10, 5, 0]);
    expect(await ingot({ from: START + 9, event_types: 'ingot_created,sparklink_revoked' })).toEqual([10, 9]);
    expect(await ingot({ actor: 'key_1', to: START + 6 })).toEqual([1]);
  });

  it('AUD-05: is of an ingot that has entries in the vault that the caller names', async () => {
    const { hasIngot } = await newLog();
    expect(await hasIngot()).toBe(true);
    expect(await hasIngot(newId('vlt_'))).toBe(false);
    expect(await hasIngot(undefined, newId('ing_'))).toBe(false);
  });

  it('AUD-06: pages the entries that match', async () => {
    const { page } = await newLog();
    const first = await page({ actor: 'usr_ann', limit: 1 });
    expect(first).toMatchObject({ count: 1, has_more: true, rows: [{ timestamp: START + 5 }] });
    const second = await page({ actor: 'usr_ann', limit: 1, cursor: first.next_cursor });
    expect(second).toMatchObject({ count: 1, has_more: false, rows: [{ timestamp: START }] });
  });

  it('AUD-02: filters what integrations record', async () => {
    const { app } = await newLog();
    expect(await app({})).toEqual([12, 11]);
    expect(await app({ actor: 'key_1' })).toEqual([11]);
    expect(await app({ from: START + 12, event_types: 'file.opened' })).toEqual([12]);
    expect(await app({ to: START + 11 })).toEqual([]);
  });

  it('AUD-15: is 400 for a range that ends before it begins, and for milliseconds', async () => {
    const { page } = await newLog();
    await expect(page({ from: START + 1, to: START })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ field: 'from', message: 'must not be after to' }] },
    });
    for (const query of ['from=1790000000000', 'to=1790000000000', 'from=x', 'to=1.5', 'from=-1'])
      expect(() => decodeQuery(AuditQuery, new URLSearchParams(query))).toThrow(/from|to/);
  });
});
