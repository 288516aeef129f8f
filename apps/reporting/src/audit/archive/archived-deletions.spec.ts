import { beforeAll, describe, expect, it } from '@jest/globals';
import { stopSchedule } from '@vaultsvc/testing/harness';
import { verifyExport } from '@vaultsvc/transparency';
import { archivedLogs, iterate } from '../../testing/archived-logs.js';
import { appendRecords, auditRecord } from '../../testing/audit-records.js';
import { usePlatform } from '../../testing/platform.js';
import { EraseDeletedVaults } from '../erase-deleted-vaults.job.js';
import { SegmentKeysRepository } from './segment-keys.repository.js';

const platform = usePlatform();
const { archive, asService, deleteVault, exportOf, listsOf, newLog, objectsOf, segmentsOf, stored } =
  archivedLogs(platform);
beforeAll(() => stopSchedule(...platform.instances));

describe('AUD-13 VLT-24: archived entries of a deleted vault', () => {
  it('cannot be read any more, though their objects stay, and the chain still verifies', async () => {
    const log = await newLog(12);
    await archive(6);
    const { accountId, vaults } = log;
    await deleteVault(accountId, vaults[0]);
    const lists = await listsOf(log, ['account', 'vault']);
    expect(lists['vault ']).toEqual([]);
    expect(lists['account ']).toHaveLength(5);
    const lines = await exportOf(accountId);
    expect(await verifyExport(iterate(lines))).toMatchObject({ entries: 13, erased: 4 });
    expect(
      lines
        .filter((line) => line.includes('"erased":true'))
        .map((line) => (JSON.parse(line) as { type: string }).type),
    ).toEqual(['ingot_created', 'dvak_created', 'ingot_created', 'dvak_created']);
    expect(await objectsOf(accountId)).toHaveLength(2);
    const keys = await platform.sql(
      `SELECT vault_id FROM audit_segment_keys WHERE account_id = $1 ORDER BY vault_id`,
      [accountId],
    );
    expect(keys).toEqual([{ vault_id: '' }, { vault_id: vaults[1] }]);
  });

  it('are erased, those that come late included, after their deletion is archived itself', async () => {
    const { accountId, vaults } = await newLog(3);
    await deleteVault(accountId, vaults[0]);
    await archive(4);
    expect(await stored(accountId)).toEqual([]);
    const late = { type: 'dvak_created', vaultId: vaults[0], details: { note: 'late' } };
    await appendRecords(platform.service, auditRecord(accountId, late));
    await platform.sql(`UPDATE audit_erasures SET erased_at = NULL WHERE account_id = $1`, [accountId]);
    await platform.service.context.get(EraseDeletedVaults).run();
    const lines = await exportOf(accountId);
    expect(lines.join()).not.toContain('late');
    expect(await verifyExport(iterate(lines))).toMatchObject({ entries: 5, erased: 2 });
  });

  it('are not archived with the body that they had when they were read, and get no new key', async () => {
    const { accountId, vaults } = await newLog(4);
    const keys = platform.service.context.get(SegmentKeysRepository);
    const made = await keys.ensure(accountId, []);
    await deleteVault(accountId, vaults[0]);
    expect([...(await keys.ensure(accountId, [...vaults])).keys()].sort()).toEqual(['', vaults[1]].sort());
    await platform.sql(`INSERT INTO audit_segment_attempts (object_key) VALUES ('one')`);
    const record = `SELECT archive_audit_entries('${accountId}', 1, 4, 0, 'one', 'x', 'x', '{${made.get('')?.kid}}')`;
    await expect(asService(record)).rejects.toMatchObject({ code: '55000' }); // object_not_in_prerequisite_state
    expect(await stored(accountId)).toHaveLength(5);
    expect(await segmentsOf(accountId)).toEqual([]);
  });
});

describe('AUD-13 VLT-24: archiving while vaults are deleted', () => {
  it('leaves no readable body of them, and every chain verifies', async () => {
    const logs = await Promise.all(Array.from({ length: 8 }, () => newLog(12)));
    await Promise.all([
      archive(3),
      ...logs.map(({ accountId, vaults }) => deleteVault(accountId, vaults[0])),
      archive(3, platform.instances[1]),
    ]);
    await archive(3);
    await platform.service.context.get(EraseDeletedVaults).run();
    for (const { accountId, vaults } of logs) {
      const lines = await exportOf(accountId);
      expect(await verifyExport(iterate(lines))).toMatchObject({ entries: 13, erased: 4 });
      const keys = await platform.sql(`SELECT 1 FROM audit_segment_keys WHERE vault_id = $1`, [vaults[0]]);
      expect(keys).toEqual([]);
    }
  });
});
