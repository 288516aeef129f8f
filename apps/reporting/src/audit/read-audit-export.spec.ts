import { describe, expect, it } from '@jest/globals';
import { decodeQuery } from '@vaultsvc/contracts';
import { AuditExportQuery, readAuditExport, type AuditExportPosition } from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { internalContext } from '@vaultsvc/testing/harness';
import { appendRecords, auditRecord } from '../testing/audit-records.js';
import { usePlatform } from '../testing/platform.js';

const platform = usePlatform();

const exported = (account_id: string, range: Partial<AuditExportPosition>) =>
  platform.harness.bus.call(readAuditExport, { body: { account_id, ...range } }, internalContext());
/** The code and the fields of the 400 of a query that is read as the gateway reads it; none for an accepted one. */
const problemOf = async (query: string) => {
  try {
    await exported(newId('acc_'), decodeQuery(AuditExportQuery, new URLSearchParams(query)));
    return [];
  } catch (error) {
    const { code, details } = error as { code: string; details: { fields: { field: string }[] } };
    return [code, ...details.fields.map(({ field }) => field)];
  }
};

describe('AUD-15: the range of an export', () => {
  it('that ends before it begins is 400, and no empty export', async () => {
    const account = newId('acc_');
    await appendRecords(platform.service, auditRecord(account, { occurredAtMs: 1_790_000_005_000 }));
    await expect(exported(account, { from: 1_790_000_010, to: 1_790_000_000 })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ field: 'from', message: 'must not be after to' }] },
    });
    const { lines } = await exported(account, { from: 1_790_000_000, to: 1_790_000_010 });
    expect(lines).toContain('"kind":"entry"');
  });

  it.each([
    ['from=1790000000000', ['VALIDATION_ERROR', 'from']],
    ['to=1790000000000', ['VALIDATION_ERROR', 'to']],
    ['from=1790000000000&to=1790000000001', ['VALIDATION_ERROR', 'from', 'to']],
    ['from=100000000000', ['VALIDATION_ERROR', 'from']],
    ['from=99999999999', []],
    ['from=1e9', ['VALIDATION_ERROR', 'from']],
    ['from=-1', ['VALIDATION_ERROR', 'from']],
    ['from=1790000000&to=1790000000', []],
  ])('is in seconds, and milliseconds are 400: %s', async (query, expected) => {
    expect(await problemOf(query)).toEqual(expected);
  });
});

describe('AUD-15: an export as CSV', () => {
  it('has a record of each entry behind the names of its columns, in which nothing is a formula', async () => {
    const account = newId('acc_');
    const eventId = crypto.randomUUID();
    await appendRecords(
      platform.service,
      auditRecord(account, {
        eventId,
        occurredAtMs: 1_790_000_005_250,
        requestId: 'req_1',
        actor: { kind: 'app', id: 'crma', app: 'crma', portal: '62515', person: '=cmd|calc' },
        vaultId: 'vlt_1',
        details: { vault_id: 'vlt_1', note: 'a,b' },
      }),
      auditRecord(account, { type: '-1+1', actor: { kind: 'person', id: 'usr_1' }, appId: 'chatapp' }),
    );
    const { lines, next, format } = await exported(account, { format: 'csv' });
    expect([next, format]).toEqual([null, 'csv']);
    const [columns, first, second, ...rest] = lines.split('\r\n');
    expect(columns).toBe(
      'seq,time,event_type,event_id,request_id,actor_kind,actor_id,actor_app,actor_place,actor_person,vault_id,ingot_id,app_slug,details,erased,hash',
    );
    expect(first).toMatch(
      new RegExp(
        `^1,2026-09-21T14:13:25\\.250Z,spark_created,${eventId},req_1,app,crma,crma,62515,'=cmd\\|calc,vlt_1,,,"\\{.*\\}",,[0-9a-f]{64}$`,
      ),
    );
    expect(first).toContain('""note"":""a,b""');
    expect(second).toMatch(
      /^2,[^,]+,'-1\+1,[^,]+,,person,usr_1,,,,,,chatapp,"\{""size_bytes"":5\}",,[0-9a-f]{64}$/,
    );
    expect(rest).toEqual(['']);
  });

  it('goes on in parts without a second header, and has the header alone for no entries', async () => {
    const account = newId('acc_');
    await appendRecords(platform.service, ...Array.from({ length: 501 }, () => auditRecord(account)));
    const first = await exported(account, { format: 'csv' });
    expect(first.lines.split('\r\n')).toHaveLength(502);
    const second = await exported(account, { format: 'csv', position: first.next as string });
    expect(second.lines).toMatch(/^501,/);
    expect(second.next).toBeNull();
    const none = await exported(newId('acc_'), { format: 'csv' });
    expect(none.lines).toMatch(/^seq,time,[^\n]+\r\n$/);
  });
});
