import { beforeAll, describe, expect, it } from '@jest/globals';
import { decodeRestore, encodeRestore } from '../chain/restore-leaf.js';
import { AccountHistory, bytesOf, iterate, signer } from '../testing/account-history.js';
import { verifyExport } from './verify-export.js';

const keys = [signer.key];
let history: AccountHistory;
let lines: string[];

/** Three hours, of which a restore loses the last two, and an hour with other entries under the same numbers. */
beforeAll(async () => {
  history = await AccountHistory.of([
    { entries: 3, others: 2 },
    { entries: 2, others: 1 },
    { entries: 2, others: 300 },
  ]);
  await history.restoreTo(0);
  await history.addHour({ entries: 4, others: 1 });
  lines = await history.export();
});

describe('AUD-14 MISC-03: an export of a log whose database was restored', () => {
  it('is intact over both generations, and names the heads that were lost', async () => {
    const report = await verifyExport(iterate(lines), { keys, read: history.log.read });
    expect(report).toMatchObject({ entries: 7, lastHead: { seq: 7 } });
    expect(report.log.restores).toMatchObject([
      { leaf: { from: 3, formerSize: 306 }, voided: [{ seq: 5 }, { seq: 7 }] },
    ]);
    expect([...(report.log.heads ?? []).keys()]).toEqual([3, 7]);
  });

  it.each([0, 1, 2, 3])('continues every checkpoint that was kept before: the %s. one', async (hour) => {
    const pinned = history.checkpoints[hour]?.note;
    const { log } = await verifyExport(iterate(lines), { keys, pinned, read: history.log.read });
    expect(log.comparison).toBe('tiles');
  });

  it('is not intact if it has the entries that were published before the restore and kept by it', async () => {
    const rewritten = await AccountHistory.of([{ entries: 3, others: 2 }]);
    await rewritten.restoreTo(0);
    rewritten.rewriteFrom(2, (body) => ({ ...body, event_id: 'other' }));
    const exported = await rewritten.export();
    await expect(verifyExport(iterate(exported), { keys, read: rewritten.log.read })).rejects.toMatchObject({
      kind: 'rewritten',
    });
  });

  it('names a lost head that was the first leaf after what the restore kept', async () => {
    const restored = await AccountHistory.of([
      { entries: 3, others: 2 },
      { entries: 2, others: 0 },
    ]);
    await restored.restoreTo(0);
    const report = await verifyExport(iterate(await restored.export()), { keys, read: restored.log.read });
    expect(report.log.restores).toMatchObject([{ leaf: { from: 3 }, voided: [{ seq: 5 }] }]);
  });

  it('is not intact without the leaf that names the restore', async () => {
    const silent = await AccountHistory.of([
      { entries: 3, others: 0 },
      { entries: 2, others: 0 },
    ]);
    silent.entries.splice(3);
    silent.heads.splice(1);
    await silent.addHour({ entries: 1, others: 0 });
    await expect(
      verifyExport(iterate(await silent.export()), { keys, read: silent.log.read }),
    ).rejects.toMatchObject({ kind: 'second-history' });
  });
});

describe('The leaf of a restore', () => {
  const restore = {
    from: 3,
    formerSize: 9,
    formerRoot: bytesOf('root').toString('hex'),
    restoredToMs: 1_795_000_000_000,
  };

  it('is read back, and no other form of it', () => {
    const leaf = encodeRestore(restore);
    expect(decodeRestore(leaf)).toEqual(restore);
    expect(decodeRestore(Buffer.from(leaf.toString().replace(':3,', ':03,')))).toBeUndefined();
    expect(decodeRestore(encodeRestore({ ...restore, from: 10 }))).toBeUndefined();
  });
});
