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

let kept: CleanupFixture;
let ends: UploadLifecycle;
beforeAll(async () => {
  kept = await CleanupFixture.start();
  ends = kept.instances[0].context.get(UploadLifecycle);
});
afterAll(() => kept.stop());

type Job = abstract new (...args: never[]) => { run(): Promise<void> };

/** Both copies of the service, each twice, at once. */
const runAll = (job: Job) =>
  Promise.all(
    [...kept.instances, ...kept.instances].map(({ context }) =>
      context.get<{ run(): Promise<void> }>(job).run(),
    ),
  );
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));
/** Moves what the database remembers of times into the past (OPEN-63). */
const age = ({ versionId }: MintedTransfer, columns: string, interval: string) =>
  kept.sql(
    `UPDATE uploads SET ${columns
      .split(' ')
      .map((column) => `${column} = ${column} - $2::interval`)
      .join(', ')} WHERE version_id = $1`,
    [versionId, interval],
  );
const emptied = (upload: MintedTransfer) =>
  eventually(
    () => kept.keysOf(upload),
    (keys) => keys.length === 0,
  );
const swept = (upload: MintedTransfer) =>
  eventually(
    () => kept.rowOf(upload),
    (row) => row?.['chunks'] === 0 && row['status'] === 'dropped',
  );
/** Seconds from its end to the next look at its objects; null: none follows. */
const nextSweep = async ({ versionId }: MintedTransfer) =>
  (
    await kept.sql<{ seconds: number | null }>(
      `SELECT extract(epoch FROM sweep_at - ended_at)::int AS seconds FROM uploads WHERE version_id = $1`,
      [versionId],
    )
  )[0]?.seconds;

const markDropped = ({ versionId }: MintedTransfer) =>
  kept.sql(
    `UPDATE uploads SET status = 'dropped', ended_at = now(), sweep_at = now() WHERE version_id = $1`,
    [versionId],
  );
/** A whole version whose sweep another copy has taken; a round that an end began may be faster. */
const takenByOther = (makeDue: (upload: OpenUpload) => Promise<unknown>) =>
  eventually(
    async () => {
      const upload = await kept.finished();
      await makeDue(upload);
      return {
        upload,
        taken: (await kept.instances[1].context.get(ObjectCleanupRepository).claim()) as ObjectCleanup,
      };
    },
    ({ upload, taken }) => (taken as ObjectCleanup | undefined)?.versionId === upload.versionId,
  );

describe('OPEN-16: an upload that nobody goes on with', () => {
  it('ends 24 hours after its last chunk, told with what it received, and not a moment before', async () => {
    const [late, young] = [await kept.open(), await kept.open()];
    await Promise.all([kept.append(late, 10), kept.append(young, 10)]);
    await age(late, 'touched_at created_at', '24 hours');
    await age(young, 'touched_at created_at', '23 hours 59 minutes');
    await runAll(ExpireUploads);
    expect(await kept.eventsOf(late)).toMatchObject([
      { name: 'forge.upload-ended', payload: { reason: 'expired', received_bytes: 10 } },
    ]);
    expect(await kept.append(late, 10)).toBe('gone');
    expect([await kept.eventNamesOf(young), await kept.append(young, 10)]).toEqual([[], 'stored']);
    await emptied(late);
  });

  it('ends 30 days after it began, however lately it was touched', async () => {
    const [old, young] = [await kept.open(), await kept.open()];
    await age(old, 'created_at', '30 days');
    await age(young, 'created_at', '29 days 23 hours');
    await runAll(ExpireUploads);
    expect([await kept.statusOf(old), await kept.statusOf(young)]).toEqual(['dropped', 'open']);
  });

  it('a whole one does not end so', async () => {
    const whole = await kept.finished();
    await age(whole, 'touched_at created_at', '60 days');
    await runAll(ExpireUploads);
    expect([await kept.statusOf(whole), await kept.eventNamesOf(whole)]).toEqual([
      'finalized',
      ['forge.upload-finalized'],
    ]);
  });

  it('is told of once by several copies at once, while its uploader goes on or gives up', async () => {
    const uploads = await Promise.all(times(40, () => kept.open({ sizeBytes: 100 })));
    const commits = await Promise.all(uploads.map((upload) => kept.stage(upload, 100)));
    for (const upload of uploads) await age(upload, 'touched_at', '25 hours');
    await Promise.all([
      runAll(ExpireUploads),
      ...uploads.map((upload, i) =>
        i % 2 === 0 ? commits[i]?.() : reasonOf(ends.cancel(upload.uploadLookup)),
      ),
    ]);
    for (const upload of uploads) {
      const names = { finalized: 'forge.upload-finalized', dropped: 'forge.upload-ended' };
      const status = (await kept.statusOf(upload)) as keyof typeof names;
      expect(await kept.eventNamesOf(upload)).toEqual([names[status]]);
    }
  });

  it('that nobody began is told of once too, when its ISTK has expired: nobody waits for ever', async () => {
    const [late, young, used] = [await kept.mint(), await kept.mint(), await kept.open()];
    for (const { lookup } of [late, used])
      await kept.sql(`UPDATE istks SET expires_at = now() - interval '2 minutes' WHERE lookup = $1`, [
        lookup,
      ]);
    await runAll(ExpireUploads);
    await runAll(ExpireUploads);
    expect(await kept.eventsOf(late)).toEqual([
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
    expect([await kept.eventsOf(young), await kept.eventsOf(used)]).toEqual([[], []]);
    const refused = kept.begin(late);
    await expect(refused).rejects.toMatchObject({ details: { code: 'ISTK_EXPIRED' } });
  });
});

describe('content that has been replaced', () => {
  const replaced = async (interval: string) => {
    const upload = await kept.finished();
    await ends.replace(upload.versionId);
    await age(upload, 'ended_at', interval);
    return upload;
  };
  const download = (of: OpenUpload, mode: 'once' | 'stream' = 'once') =>
    kept.mint({ ...of, operation: 'decrypt', mode, sealEpoch: 0 });
  const change = ({ lookup }: MintedTransfer, set: string) =>
    kept.sql(`UPDATE istks SET ${set} WHERE lookup = $1`, [lookup]);
  const isKept = async (upload: OpenUpload) => {
    await runAll(DropReplacedVersions);
    return (await kept.statusOf(upload)) === 'replaced' && (await kept.keysOf(upload)).length === 1;
  };

  it('TRAP 42: is kept for some minutes, then goes when no download of it is left', async () => {
    const upload = await replaced('4 minutes');
    expect(await isKept(upload)).toBe(true);
    await age(upload, 'ended_at', '1 minute');
    expect(await isKept(upload)).toBe(false);
    await emptied(upload);
    expect(await kept.eventNamesOf(upload)).toEqual(['forge.upload-finalized']);
  });

  it.each([
    ['was never used', 'once', `used_at = NULL`, true],
    ['has expired', 'once', `expires_at = now()`, false],
    ['was revoked', 'once', `revoked_at = now(), wrapped_key = NULL`, false],
    ['runs', 'once', `used_at = now(), moved_at = now() - interval '1 minute', wrapped_key = NULL`, true],
    [
      'has run',
      'once',
      `used_at = now(), moved_at = now() - interval '11 minutes', wrapped_key = NULL`,
      false,
    ],
    ['streams', 'stream', `used_at = now(), idle_until = now() + interval '1 minute'`, true],
    ['has lain idle', 'stream', `used_at = now(), idle_until = now()`, false],
  ] as const)('stays as long as a download of it may: one that %s', async (_, mode, set, stays) => {
    const upload = await replaced('1 hour');
    await change(await download(upload, mode), set);
    expect(await isKept(upload)).toBe(stays);
  });

  it('is dropped after 24 hours in any case, its downloads with it', async () => {
    const upload = await replaced('24 hours');
    const url = await download(upload, 'stream');
    expect(await isKept(upload)).toBe(false);
    expect(await kept.isLive(url)).toBe(false);
    await emptied(upload);
  });

  it('SHR-12: stays until the last one-time link of it ends, some minutes more, and then goes', async () => {
    const upload = await kept.finished();
    const end = Math.floor(Date.now() / 1_000) + 3_600;
    await ends.replace(upload.versionId, end);
    await ends.replace(upload.versionId, end - 600); // an older end changes nothing
    await ends.replace(upload.versionId); // nor does none
    await age(upload, 'ended_at', '2 hours');
    expect(await isKept(upload)).toBe(true);
    await age(upload, 'kept_until', '64 minutes');
    expect(await isKept(upload)).toBe(true);
    await age(upload, 'kept_until', '1 minute');
    expect(await isKept(upload)).toBe(false);
  });

  it('SHR-12: stays for a download that a one-time link gave out at its end, 24 hours at most', async () => {
    const upload = await kept.finished();
    await ends.replace(upload.versionId, Math.floor(Date.now() / 1_000));
    await age(upload, 'ended_at', '30 hours');
    await age(upload, 'kept_until', '23 hours');
    await download(upload);
    expect(await isKept(upload)).toBe(true);
    await age(upload, 'kept_until', '1 hour');
    expect(await isKept(upload)).toBe(false);
  });

  it('is not dropped by a late refusal, whether or not anybody has downloaded it', async () => {
    const upload = await replaced('1 minute');
    await ends.refuse(upload.versionId);
    expect(await kept.statusOf(upload)).toBe('replaced');
  });

  it('of an upload that nobody finished is not what this is about', async () => {
    const upload = await kept.open();
    await runAll(DropReplacedVersions);
    expect(await kept.statusOf(upload)).toBe('open');
  });
});

describe('the objects of a dropped version', () => {
  const dropped = async () => {
    const upload = await kept.finished();
    await ends.drop(upload.versionId);
    await swept(upload);
    await eventually(
      () => nextSweep(upload),
      (seconds) => seconds === 7_200,
    );
    return upload;
  };

  it('are looked for again 2 hours later: a chunk that was on its way then is found, and none can follow', async () => {
    const upload = await dropped();
    expect(await kept.keysOf(upload)).toEqual([]);
    await kept.createOrphan(upload);
    await runAll(DeleteOrphanedObjects);
    expect(await kept.keysOf(upload)).toHaveLength(1);
    await age(upload, 'ended_at sweep_at', '2 hours');
    await runAll(DeleteOrphanedObjects);
    expect(await kept.keysOf(upload)).toEqual([]);
    expect(await nextSweep(upload)).toBeNull();
  });

  it('are removed page by page, with thousands of chunks', async () => {
    const upload = await kept.finished();
    await kept.sql(
      `INSERT INTO chunks SELECT version_id, i, 1, salt, commitment, mac, 'v1/x/' || i
         FROM chunks, generate_series(1, 12000) AS i WHERE version_id = $1`,
      [upload.versionId],
    );
    for (let from = 0; from < 1_100; from += 100)
      await Promise.all(
        times(100, (i) => kept.putObject(`v1/${upload.versionId}/${from + i}-0000000000000000`)),
      );
    await ends.drop(upload.versionId);
    await swept(upload);
    await emptied(upload);
  });

  it('stay due while the store is away, and go when it is back', async () => {
    const upload = await kept.finished();
    const { objectsDir } = kept.harness;
    await rename(objectsDir, `${objectsDir}-away`);
    await ends.drop(upload.versionId);
    await runAll(DeleteOrphanedObjects);
    expect(await kept.rowOf(upload)).toMatchObject({ status: 'dropped', isToSweep: true, chunks: 1 });
    await rename(`${objectsDir}-away`, objectsDir);
    await runAll(DeleteOrphanedObjects);
    expect(await kept.keysOf(upload)).toEqual([]);
    expect(await kept.rowOf(upload)).toMatchObject({ chunks: 0 });
  });

  it('are swept by another copy when the one that began has died', async () => {
    const { upload, taken } = await takenByOther(markDropped);
    expect(taken).toEqual({ versionId: upload.versionId, status: 'dropped', isLast: false });
    await runAll(DeleteOrphanedObjects);
    expect(await kept.keysOf(upload)).toHaveLength(1);
    await age(upload, 'sweep_at', '5 minutes');
    await runAll(DeleteOrphanedObjects);
    expect(await kept.keysOf(upload)).toEqual([]);
  });
});

describe('the objects of a whole version', () => {
  it('those that chunks name stay; what attempts have left goes when no attempt can run any more', async () => {
    const upload = await kept.open({ sizeBytes: 30 });
    await kept.createOrphan(upload);
    for (const bytes of [10, 10, 10]) await kept.append(upload, bytes);
    await kept.createOrphan(upload);
    await runAll(DeleteOrphanedObjects);
    expect(await kept.keysOf(upload)).toHaveLength(5);
    await age(upload, 'sweep_at', '2 hours');
    await runAll(DeleteOrphanedObjects);
    const named = await kept.sql<{ object_key: string }>(
      `SELECT object_key FROM chunks WHERE version_id = $1 ORDER BY object_key`,
      [upload.versionId],
    );
    expect(await kept.keysOf(upload)).toEqual(named.map(({ object_key }) => object_key));
    expect(await kept.rowOf(upload)).toMatchObject({ status: 'finalized', isToSweep: false, chunks: 3 });
  });

  it('a version that is dropped while it is swept is swept again as a dropped one', async () => {
    const { upload, taken } = await takenByOther((whole) => age(whole, 'sweep_at', '3 hours'));
    const other = kept.instances[1].context.get(ObjectCleanupRepository);
    await markDropped(upload);
    expect(await other.renew(taken)).toBe(false);
    await Promise.all([other.finish(taken), other.release(taken)]);
    await runAll(DeleteOrphanedObjects);
    expect(await kept.keysOf(upload)).toEqual([]);
  });

  it('an upload under way is never swept', async () => {
    const upload = await kept.open();
    await kept.createOrphan(upload);
    await kept.sql(`UPDATE uploads SET sweep_at = now() - interval '1 day' WHERE version_id = $1`, [
      upload.versionId,
    ]);
    await runAll(DeleteOrphanedObjects);
    expect(await kept.keysOf(upload)).toHaveLength(1);
  });
});

describe('OPEN-50: a dropped version', () => {
  it('is forgotten 30 days after its end, when nothing of it is left to sweep', async () => {
    const [old, young, unswept] = [await kept.finished(), await kept.finished(), await kept.finished()];
    for (const upload of [old, young]) {
      await ends.drop(upload.versionId);
      await swept(upload);
      await eventually(
        () => nextSweep(upload),
        (seconds) => seconds === 7_200,
      );
    }
    await age(old, 'ended_at sweep_at', '30 days');
    await age(young, 'ended_at sweep_at', '29 days 23 hours');
    await runAll(DeleteOrphanedObjects);
    await kept.sql(
      `UPDATE uploads SET status = 'dropped', ended_at = now() - interval '31 days', sweep_at = now() + interval '1 day'
        WHERE version_id = $1`,
      [unswept.versionId],
    );
    await runAll(DeleteDroppedUploads);
    const statuses = await Promise.all([old, young, unswept].map((upload) => kept.statusOf(upload)));
    expect(statuses).toEqual([undefined, 'dropped', 'dropped']);
  });
});
