import { rename } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { register } from 'prom-client';
import { CleanupFixture } from '../testing/cleanup-fixture.js';
import { ExpireUploads } from './expire-uploads.job.js';
import { DeleteOrphanedObjects } from './delete-orphaned-objects.job.js';
import { UploadLifecycle } from './upload-lifecycle.js';

let kept: CleanupFixture;
beforeAll(async () => {
  kept = await CleanupFixture.start();
});
afterAll(() => kept.stop());

async function figure(name: string): Promise<number | undefined> {
  return (await register.getSingleMetric(name)?.get())?.values[0]?.value;
}
const run = (job: typeof ExpireUploads | typeof DeleteOrphanedObjects) =>
  kept.instances[0].context.get<ExpireUploads | DeleteOrphanedObjects>(job).run();

describe('figures for operators', () => {
  it('vaultsvc_uploads_open are those that have begun and not ended', async () => {
    const [, given] = [await kept.open(), await kept.open(), await kept.finished()];
    await run(ExpireUploads);
    expect(await figure('vaultsvc_uploads_open')).toBe(2);
    await kept.instances[0].context.get(UploadLifecycle).cancel(given.uploadLookup);
    await run(ExpireUploads);
    expect(await figure('vaultsvc_uploads_open')).toBe(1);
  });

  it('vaultsvc_sweeps_overdue are those that wait for more than 5 minutes, and 0 when all are done', async () => {
    await run(DeleteOrphanedObjects); // a round that an end began before would try four more
    const uploads = [];
    for (let i = 0; i < 12; i += 1) uploads.push(await kept.finished());
    const { objectsDir } = kept.harness;
    await rename(objectsDir, `${objectsDir}-away`);
    await kept.sql(
      `UPDATE uploads SET status = 'dropped', ended_at = now(), sweep_at = now() - interval '1 minute' * (CASE
         WHEN version_id = $2 THEN 4 ELSE 6 END) WHERE version_id = ANY($1::text[])`,
      [uploads.map(({ versionId }) => versionId), uploads[0]?.versionId],
    );
    await run(DeleteOrphanedObjects);
    // Of 11 the round has tried at most 4, one for each of its workers: those are due anew.
    expect(await figure('vaultsvc_sweeps_overdue')).toBeGreaterThanOrEqual(11 - 4);
    expect(await figure('vaultsvc_sweeps_overdue')).toBeLessThan(11);
    await rename(`${objectsDir}-away`, objectsDir);
    await run(DeleteOrphanedObjects);
    expect(await figure('vaultsvc_sweeps_overdue')).toBe(0);
  });
});
