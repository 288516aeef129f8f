import { rename } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { register } from 'prom-client';
import { CleanupFixture } from '../testing/cleanup-fixture.js';
import { ExpireUploads } from './expire-uploads.job.js';
import { DeleteOrphanedObjects } from './delete-orphaned-objects.job.js';
import { UploadLifecycle } from './upload-lifecycle.js';

let fixture: CleanupFixture;
beforeAll(async () => {
  fixture = await CleanupFixture.start();
});
afterAll(() => fixture.stop());

async function valueOf(name: string): Promise<number | undefined> {
  return (await register.getSingleMetric(name)?.get())?.values[0]?.value;
}
const run = (job: typeof ExpireUploads | typeof DeleteOrphanedObjects) =>
  fixture.instances[0].context.get<ExpireUploads | DeleteOrphanedObjects>(job).run();

describe('metrics of uploads', () => {
  it('vaultsvc_uploads_open counts open uploads', async () => {
    const [, upload] = [await fixture.open(), await fixture.open(), await fixture.finished()];
    await run(ExpireUploads);
    expect(await valueOf('vaultsvc_uploads_open')).toBe(2);
    await fixture.instances[0].context.get(UploadLifecycle).cancel(upload.uploadLookup);
    await run(ExpireUploads);
    expect(await valueOf('vaultsvc_uploads_open')).toBe(1);
  });

  it('vaultsvc_sweeps_overdue counts cleanups that are due for more than 5 minutes', async () => {
    await run(DeleteOrphanedObjects); // so that no triggered round runs, which would claim four more
    const uploads = [];
    for (let i = 0; i < 12; i += 1) uploads.push(await fixture.finished());
    const { objectsDir } = fixture.harness;
    await rename(objectsDir, `${objectsDir}-away`);
    await fixture.sql(
      `UPDATE uploads SET status = 'dropped', ended_at = now(), sweep_at = now() - interval '1 minute' * (CASE
         WHEN version_id = $2 THEN 4 ELSE 6 END) WHERE version_id = ANY($1::text[])`,
      [uploads.map(({ versionId }) => versionId), uploads[0]?.versionId],
    );
    await run(DeleteOrphanedObjects);
    // The round claimed at most 4 of 11, one per worker, and released them: they are due from now on.
    expect(await valueOf('vaultsvc_sweeps_overdue')).toBeGreaterThanOrEqual(11 - 4);
    expect(await valueOf('vaultsvc_sweeps_overdue')).toBeLessThan(11);
    await rename(`${objectsDir}-away`, objectsDir);
    await run(DeleteOrphanedObjects);
    expect(await valueOf('vaultsvc_sweeps_overdue')).toBe(0);
  });
});
