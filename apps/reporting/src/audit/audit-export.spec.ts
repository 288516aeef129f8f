import { describe, expect, it } from '@jest/globals';
import { decodeQuery, serviceContext } from '@vaultsvc/contracts';
import { AuditExportQuery, readAuditExport } from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { appendRecords, auditRecord } from '../testing/audit-records.js';
import { usePlatform } from '../testing/platform.js';

const platform = usePlatform();

const exported = (account_id: string, range: { from?: number; to?: number }) =>
  platform.harness.bus.call(
    readAuditExport,
    { body: { account_id, ...range } },
    serviceContext({ requestId: 'test' }),
  );
const fieldsOf = (query: string) => {
  try {
    decodeQuery(AuditExportQuery, new URLSearchParams(query));
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
    ['from=1e9', ['VALIDATION_ERROR', 'from']],
    ['from=-1', ['VALIDATION_ERROR', 'from']],
    ['from=1790000000&to=1790000000', []],
  ])('is in seconds, and milliseconds are 400: %s', (query, expected) => {
    expect(fieldsOf(query)).toEqual(expected);
  });
});
