import { rename } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reasonOf } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { CleanupFixture, type OpenUpload } from '../testing/cleanup-fixture.js';
import type { MintedTransfer } from '../testing/transfers.js';
import { DropReplacedVersions } from './drop-replaced-versions.job.js';
import { ExpireUploads } from './expire-uploads.job.js';
import { DeleteDroppedUploads } from './delete-dropped-uploads.job.js';
import { DeleteOrphanedObjects } from './delete-orphaned-objects.job.js';
import { ObjectCleanupRepository, type ObjectCleanup } from './object-cleanup.repository.js';
import { UploadLifecycle } from './upload-lifecycle.js';

let fixture: CleanupFixture;
let lifecycle: UploadLifecycle;
beforeAll(async () => {
  fixture = await CleanupFixture.start();
  lifecycle = fixture.instances[0].context.get(UploadLifecycle);
});
afterAll(() => fixture.stop());

type Job = abstract new (...args: never[]) => { run(): Promise<void> };

/** Runs a job twice on both instances, concurrently. */
const runAll = (job: Job) =>
  Promise.all(
    [...fixture.instances, ...fixture.instances].map(({ context }) =>
      context.get<{ run(): Promise<void> }>(job).run(),
    ),
  );
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));
/** Moves times of the database into the past (OPEN-63). */
const age = ({ versionId }: MintedTransfer, columns: string, interval: string) =>
  fixture.sql(
    `UPDATE uploads SET ${columns
      .split(' ')
      .map((column) => `${column} = ${column} - $2::interval`)
      .join(', ')} WHERE version_id = $1`,
    [versionId, interval],
  );
const untilEmpty = (upload: MintedTransfer) =>
  eventually(
    () => fixture.keysOf(upload),
    (keys) => keys.length === 0,
  );
const untilCleanedUp = (upload: MintedTransfer) =>
  eventually(
    () => fixture.rowOf(upload),
    (row) => row?.['chunks'] === 0 && row['status'] === 'dropped',
  );
/** Seconds from the end of an upload to the next cleanup of its objects; null: none follows. */
const nextCleanup = async ({ versionId }: MintedTransfer) =>
  (
    await fixture.sql<{ seconds: number | null }>(
      `SELECT extract(epoch FROM sweep_at - ended_at)::int AS seconds FROM uploads WHERE version_id = $1`,
      [versionId],
    )
  )[0]?.seconds;

const markDropped = ({ versionId }: MintedTransfer) =>
  fixture.sql(
    `UPDATE uploads SET status = 'dropped', ended_at = now(), sweep_at = now() WHERE version_id = $1`,
    [versionId],
  );
/** A finished version that the other instance has claimed; retried, because a triggered round may claim it first. */
const claimedByOther = (makeDue: (upload: OpenUpload) => Promise<unknown>) =>
  eventually(
    async () => {
      const upload = await fixture.finished();
      await makeDue(upload);
      return {
        upload,
        claimed: (await fixture.instances[1].context.get(ObjectCleanupRepository).claim()) as ObjectCleanup,
      };
    },
    ({ upload, claimed }) => (claimed as ObjectCleanup | undefined)?.versionId === upload.versionId,
  );

describe('OPEN-16: an abandoned upload', () => {
  it('expires 24 hours after its last chunk, not earlier, and is published with its received bytes', async () => {
    const [late, young] = [await fixture.open(), await fixture.open()];
    await Promise.all([fixture.append(late, 10), fixture.append(young, 10)]);
    await age(late, 'touched_at created_at', '24 hours');
    await age(young, 'touched_at created_at', '23 hours 59 minutes');
    await runAll(ExpireUploads);
    expect(await fixture.eventsOf(late)).toMatchObject([
      { name: 'forge.upload-ended', payload: { reason: 'expired', received_bytes: 10 } },
    ]);
    expect(await fixture.append(late, 10)).toBe('ended');
    expect([await fixture.eventNamesOf(young), await fixture.append(young, 10)]).toEqual([[], 'stored']);
    await untilEmpty(late);
  });

  it('expires 30 days after its creation, despite recent chunks', async () => {
    const [old, young] = [await fixture.open(), await fixture.open()];
    await age(old, 'created_at', '30 days');
    await age(young, 'created_at', '29 days 23 hours');
    await runAll(ExpireUploads);
    expect([await fixture.statusOf(old), await fixture.statusOf(young)]).toEqual(['dropped', 'open']);
  });

  it('does not expire once it is finished', async () => {
    const finished = await fixture.finished();
    await age(finished, 'touched_at created_at', '60 days');
    await runAll(ExpireUploads);
    expect([await fixture.statusOf(finished), await fixture.eventNamesOf(finished)]).toEqual([
      'finalized',
      ['forge.upload-finalized'],
    ]);
  });

  it('is published once by concurrent instances, while its client continues or cancels', async () => {
    const uploads = await Promise.all(times(40, () => fixture.open({ sizeBytes: 100 })));
    const commits = await Promise.all(uploads.map((upload) => fixture.stage(upload, 100)));
    for (const upload of uploads) await age(upload, 'touched_at', '25 hours');
    await Promise.all([
      runAll(ExpireUploads),
      ...uploads.map((upload, i) =>
        i % 2 === 0 ? commits[i]?.() : reasonOf(lifecycle.cancel(upload.uploadLookup)),
      ),
    ]);
    for (const upload of uploads) {
      const names = { finalized: 'forge.upload-finalized', dropped: 'forge.upload-ended' };
      const status = (await fixture.statusOf(upload)) as keyof typeof names;
      expect(await fixture.eventNamesOf(upload)).toEqual([names[status]]);
    }
  });

  it('is published once when its ISTK expires unused, so that its reservation ends', async () => {
    const [late, young, used] = [await fixture.mint(), await fixture.mint(), await fixture.open()];
    const revoked = await fixture.mint();
    await lifecycle.drop(revoked.versionId);
    for (const { lookup } of [late, used, revoked])
      await fixture.sql(`UPDATE istks SET expires_at = now() - interval '2 minutes' WHERE lookup = $1`, [
        lookup,
      ]);
    await runAll(ExpireUploads);
    await runAll(ExpireUploads);
    expect(await fixture.eventsOf(late)).toEqual([
      {
        name: 'forge.upload-ended',
        request_id: null,
        payload: expect.objectContaining({
          version_id: late.versionId,
          reason: 'expired',
          received_bytes: 0,
        }),
      },
    ]);
    for (const other of [young, used, revoked]) expect(await fixture.eventsOf(other)).toEqual([]);
    const refused = fixture.create(late);
    await expect(refused).rejects.toMatchObject({ details: { code: 'ISTK_EXPIRED' } });
  });
});

describe('replaced content', () => {
  const replaced = async (interval: string) => {
    const upload = await fixture.finished();
    await lifecycle.replace(upload.versionId);
    await age(upload, 'ended_at', interval);
    return upload;
  };
  const download = (of: OpenUpload, mode: 'once' | 'stream' = 'once') =>
    fixture.mint({ ...of, operation: 'decrypt', mode, sealEpoch: 0 });
  const change = ({ lookup }: MintedTransfer, set: string) =>
    fixture.sql(`UPDATE istks SET ${set} WHERE lookup = $1`, [lookup]);
  const isKept = async (upload: OpenUpload) => {
    await runAll(DropReplacedVersions);
    return (await fixture.statusOf(upload)) === 'replaced' && (await fixture.keysOf(upload)).length === 1;
  };

  it('TRAP 42: is kept for 5 minutes, then dropped when no download of it is left', async () => {
    const upload = await replaced('4 minutes');
    expect(await isKept(upload)).toBe(true);
    await age(upload, 'ended_at', '1 minute');
    expect(await isKept(upload)).toBe(false);
    await untilEmpty(upload);
    expect(await fixture.eventNamesOf(upload)).toEqual(['forge.upload-finalized']);
  });

  it.each([
    ['was never used', 'once', `used_at = NULL`, true],
    ['has expired', 'once', `expires_at = now()`, false],
    ['was revoked', 'once', `revoked_at = now(), wrapped_key = NULL`, false],
    [
      'was revoked while it ran',
      'once',
      `used_at = now(), moved_at = now(), revoked_at = now(), wrapped_key = NULL`,
      false,
    ],
    [
      'is running',
      'once',
      `used_at = now(), moved_at = now() - interval '1 minute', wrapped_key = NULL`,
      true,
    ],
    [
      'has ended',
      'once',
      `used_at = now(), moved_at = now() - interval '11 minutes', wrapped_key = NULL`,
      false,
    ],
    ['is streaming', 'stream', `used_at = now(), idle_until = now() + interval '1 minute'`, true],
    ['was idle for too long', 'stream', `used_at = now(), idle_until = now()`, false],
  ] as const)(
    'is kept or dropped according to its last download: one that %s',
    async (_, mode, set, stays) => {
      const upload = await replaced('1 hour');
      await change(await download(upload, mode), set);
      expect(await isKept(upload)).toBe(stays);
    },
  );

  it('is dropped after 24 hours in any case, with its downloads', async () => {
    const upload = await replaced('24 hours');
    const url = await download(upload, 'stream');
    expect(await isKept(upload)).toBe(false);
    expect(await fixture.isLive(url)).toBe(false);
    await untilEmpty(upload);
  });

  it('SHR-12: is kept until 5 minutes after the end of its last one-time link', async () => {
    const upload = await fixture.finished();
    const end = Math.floor(Date.now() / 1_000) + 3_600;
    await lifecycle.replace(upload.versionId, end);
    await lifecycle.replace(upload.versionId, end - 600); // an earlier end is ignored
    await lifecycle.replace(upload.versionId); // and so is none
    await age(upload, 'ended_at', '2 hours');
    expect(await isKept(upload)).toBe(true);
    await age(upload, 'kept_until', '64 minutes');
    expect(await isKept(upload)).toBe(true);
    await age(upload, 'kept_until', '1 minute');
    expect(await isKept(upload)).toBe(false);
  });

  it('SHR-12: is kept up to 24 hours for a download that its one-time link started at its end', async () => {
    const upload = await fixture.finished();
    await lifecycle.replace(upload.versionId, Math.floor(Date.now() / 1_000));
    await age(upload, 'ended_at', '30 hours');
    await age(upload, 'kept_until', '23 hours');
    await download(upload);
    expect(await isKept(upload)).toBe(true);
    await age(upload, 'kept_until', '1 hour');
    expect(await isKept(upload)).toBe(false);
  });

  it('is not dropped by a late rejection, even without a download', async () => {
    const upload = await replaced('1 minute');
    await lifecycle.reject(upload.versionId);
    expect(await fixture.statusOf(upload)).toBe('replaced');
  });

  it('is dropped by a job that does not end open uploads', async () => {
    const upload = await fixture.open();
    await runAll(DropReplacedVersions);
    expect(await fixture.statusOf(upload)).toBe('open');
  });
});

describe('the objects of a dropped version', () => {
  const dropped = async () => {
    const upload = await fixture.finished();
    await lifecycle.drop(upload.versionId);
    await untilCleanedUp(upload);
    await eventually(
      () => nextCleanup(upload),
      (seconds) => seconds === 7_200,
    );
    return upload;
  };

  it('are deleted again 2 hours later, when no attempt can store another', async () => {
    const upload = await dropped();
    expect(await fixture.keysOf(upload)).toEqual([]);
    await fixture.createOrphan(upload);
    await runAll(DeleteOrphanedObjects);
    expect(await fixture.keysOf(upload)).toHaveLength(1);
    await age(upload, 'ended_at sweep_at', '2 hours');
    await runAll(DeleteOrphanedObjects);
    expect(await fixture.keysOf(upload)).toEqual([]);
    expect(await nextCleanup(upload)).toBeNull();
  });

  it('are deleted page by page, with thousands of chunks', async () => {
    const upload = await fixture.finished();
    await fixture.sql(
      `INSERT INTO chunks SELECT version_id, i, 1, salt, commitment, mac, 'v1/x/' || i
         FROM chunks, generate_series(1, 12000) AS i WHERE version_id = $1`,
      [upload.versionId],
    );
    for (let from = 0; from < 1_100; from += 100)
      await Promise.all(
        times(100, (i) => fixture.putObject(`v1/${upload.versionId}/${from + i}-0000000000000000`)),
      );
    await lifecycle.drop(upload.versionId);
    await untilCleanedUp(upload);
    await untilEmpty(upload);
  });

  it('stay due while the store is down, and are deleted when it is back', async () => {
    const upload = await fixture.finished();
    const { objectsDir } = fixture.harness;
    await rename(objectsDir, `${objectsDir}-away`);
    await lifecycle.drop(upload.versionId);
    await runAll(DeleteOrphanedObjects);
    expect(await fixture.rowOf(upload)).toMatchObject({ status: 'dropped', isToSweep: true, chunks: 1 });
    await rename(`${objectsDir}-away`, objectsDir);
    await runAll(DeleteOrphanedObjects);
    expect(await fixture.keysOf(upload)).toEqual([]);
    expect(await fixture.rowOf(upload)).toMatchObject({ chunks: 0 });
  });

  it('are deleted by another instance when the lease of a dead one ends', async () => {
    const { upload, claimed } = await claimedByOther(markDropped);
    expect(claimed).toEqual({ versionId: upload.versionId, status: 'dropped', isLast: false });
    await runAll(DeleteOrphanedObjects);
    expect(await fixture.keysOf(upload)).toHaveLength(1);
    await age(upload, 'sweep_at', '5 minutes');
    await runAll(DeleteOrphanedObjects);
    expect(await fixture.keysOf(upload)).toEqual([]);
  });
});

describe('the objects of a finished version', () => {
  it('are kept if a chunk refers to them; orphans are deleted when no attempt can be running', async () => {
    const upload = await fixture.open({ sizeBytes: 30 });
    await fixture.createOrphan(upload);
    for (const bytes of [10, 10, 10]) await fixture.append(upload, bytes);
    await fixture.createOrphan(upload);
    await runAll(DeleteOrphanedObjects);
    expect(await fixture.keysOf(upload)).toHaveLength(5);
    await age(upload, 'sweep_at', '2 hours');
    await runAll(DeleteOrphanedObjects);
    const referenced = await fixture.sql<{ object_key: string }>(
      `SELECT object_key FROM chunks WHERE version_id = $1 ORDER BY object_key`,
      [upload.versionId],
    );
    expect(await fixture.keysOf(upload)).toEqual(referenced.map(({ object_key }) => object_key));
    expect(await fixture.rowOf(upload)).toMatchObject({ status: 'finalized', isToSweep: false, chunks: 3 });
  });

  it('are all deleted when the version is dropped during its cleanup', async () => {
    const { upload, claimed } = await claimedByOther((finished) => age(finished, 'sweep_at', '3 hours'));
    const other = fixture.instances[1].context.get(ObjectCleanupRepository);
    await markDropped(upload);
    expect(await other.renew(claimed)).toBe(false);
    await Promise.all([other.finish(claimed), other.release(claimed)]);
    await runAll(DeleteOrphanedObjects);
    expect(await fixture.keysOf(upload)).toEqual([]);
  });

  it('OPEN-16: are not due again when an instance goes on that another one has overtaken', async () => {
    const { upload, claimed } = await claimedByOther((finished) => age(finished, 'sweep_at', '3 hours'));
    const other = fixture.instances[1].context.get(ObjectCleanupRepository);
    await other.finish(claimed);
    expect(await other.renew(claimed)).toBe(false);
    await other.release(claimed);
    expect(await fixture.rowOf(upload)).toMatchObject({ status: 'finalized', isToSweep: false });
    // Dropped meanwhile, and claimed by an instance whose lease has just begun.
    await fixture.sql(
      `UPDATE uploads SET status = 'dropped', ended_at = now(), sweep_at = now() + interval '5 minutes' WHERE version_id = $1`,
      [upload.versionId],
    );
    await other.release(claimed);
    expect(await nextCleanup(upload)).toBe(300);
  });

  it('are never deleted while the upload is open', async () => {
    const upload = await fixture.open();
    await fixture.createOrphan(upload);
    await fixture.sql(`UPDATE uploads SET sweep_at = now() - interval '1 day' WHERE version_id = $1`, [
      upload.versionId,
    ]);
    await runAll(DeleteOrphanedObjects);
    expect(await fixture.keysOf(upload)).toHaveLength(1);
    expect(await fixture.instances[0].context.get(ObjectCleanupRepository).countOverdue()).toBe(0);
  });
});

describe('OPEN-50: a dropped version', () => {
  it('is deleted 30 days after its end, and not before its objects', async () => {
    const [old, young, uncleaned] = [
      await fixture.finished(),
      await fixture.finished(),
      await fixture.finished(),
    ];
    for (const upload of [old, young]) {
      await lifecycle.drop(upload.versionId);
      await untilCleanedUp(upload);
      await eventually(
        () => nextCleanup(upload),
        (seconds) => seconds === 7_200,
      );
    }
    await age(old, 'ended_at sweep_at', '30 days');
    await age(young, 'ended_at sweep_at', '29 days 23 hours');
    await runAll(DeleteOrphanedObjects);
    await fixture.sql(
      `UPDATE uploads SET status = 'dropped', ended_at = now() - interval '31 days', sweep_at = now() + interval '1 day'
        WHERE version_id = $1`,
      [uncleaned.versionId],
    );
    await runAll(DeleteDroppedUploads);
    const statuses = await Promise.all([old, young, uncleaned].map((upload) => fixture.statusOf(upload)));
    expect(statuses).toEqual([undefined, 'dropped', 'dropped']);
  });
});
