import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { lookupHash } from '@vaultsvc/crypto/tokens';
import { reasonOf } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import type { MintedTransfer } from '../testing/transfers.js';
import type { ChunkCommit } from '../upload/upload.repository.js';
import { CleanupFixture, type OpenUpload } from '../testing/cleanup-fixture.js';
import { UploadLifecycle } from './upload-lifecycle.js';

type Commit = () => Promise<ChunkCommit>;

let fixture: CleanupFixture;
let lifecycles: readonly UploadLifecycle[];
beforeAll(async () => {
  fixture = await CleanupFixture.start();
  lifecycles = fixture.instances.map(({ context }) => context.get(UploadLifecycle));
});
afterAll(() => fixture.stop());

const lifecycleOf = (instance: number) => lifecycles[instance % 2] as UploadLifecycle;
const cancel = ({ uploadLookup }: OpenUpload, instance = 0) =>
  reasonOf(lifecycleOf(instance).cancel(uploadLookup));
const drop = ({ versionId }: { versionId: string }, instance = 0) => lifecycleOf(instance).drop(versionId);
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));
const untilEmpty = async (upload: OpenUpload) => {
  await eventually(
    () => fixture.keysOf(upload),
    (keys) => keys.length === 0,
  );
  await eventually(
    () => fixture.rowOf(upload),
    (row) => row?.['chunks'] === 0,
  );
};
const endedPayload = (
  { accountId, vaultId, ingotId, versionId }: OpenUpload,
  reason: string,
  bytes: number,
) => ({
  account_id: accountId,
  vault_id: vaultId,
  ingot_id: ingotId,
  version_id: versionId,
  reason,
  received_bytes: bytes,
});

describe('cancelling an upload', () => {
  it('FRG-15 FRG-16: makes it unknown at once, publishes its received bytes, and deletes its objects', async () => {
    const upload = await fixture.open({ sizeBytes: 1_000 });
    await fixture.append(upload, 300);
    await fixture.append(upload, 400);
    await fixture.createOrphan(upload);
    const requestId = newId('req_');
    await lifecycleOf(0).cancel(upload.uploadLookup, requestId);
    expect(await fixture.rowOf(upload)).toMatchObject({ status: 'dropped', hasWrap: false });
    expect(await fixture.append(upload, 300)).toBe('ended');
    expect(await fixture.eventsOf(upload)).toEqual([
      { name: 'forge.upload-ended', request_id: requestId, payload: endedPayload(upload, 'cancelled', 700) },
    ]);
    await untilEmpty(upload);
  });

  it('FRG-17: does nothing to a finished upload, even when its content has been replaced', async () => {
    const upload = await fixture.finished();
    expect(await cancel(upload)).toBe('none');
    await lifecycleOf(0).replace(upload.versionId);
    expect(await cancel(upload)).toBe('none');
    expect(await fixture.rowOf(upload)).toMatchObject({ status: 'replaced', chunks: 1 });
    expect(await fixture.keysOf(upload)).toHaveLength(1);
    expect(await fixture.eventNamesOf(upload)).toEqual(['forge.upload-finalized']);
  });

  it('FRG-33: throws UPLOAD_NOT_FOUND for an upload that is cancelled, dropped or unknown', async () => {
    const [cancelled, dropped] = [await fixture.open(), await fixture.finished()];
    expect(await cancel(cancelled)).toBe('none');
    await drop(dropped);
    expect([await cancel(cancelled), await cancel(dropped)]).toEqual([
      'UPLOAD_NOT_FOUND',
      'UPLOAD_NOT_FOUND',
    ]);
    const unknown = lookupHash('upload', Buffer.alloc(32));
    expect(await reasonOf(lifecycleOf(0).cancel(unknown))).toBe('UPLOAD_NOT_FOUND');
  });

  it('FRG-16: succeeds for one of twenty concurrent requests, and publishes one event', async () => {
    const upload = await fixture.open();
    await fixture.append(upload, 10);
    const reasons = await Promise.all(times(20, (i) => cancel(upload, i)));
    expect(reasons.filter((reason) => reason === 'none')).toHaveLength(1);
    expect(await fixture.eventNamesOf(upload)).toEqual(['forge.upload-ended']);
  });
});

describe('dropping a version', () => {
  it('publishes an open upload, but not a finished one, which was published before', async () => {
    const [open, finished] = [await fixture.open(), await fixture.finished()];
    await fixture.append(open, 10);
    await Promise.all([drop(open), drop(finished)]);
    expect((await fixture.eventsOf(open)).map(({ payload }) => payload)).toEqual([
      endedPayload(open, 'dropped', 10),
    ]);
    expect(await fixture.eventNamesOf(finished)).toEqual(['forge.upload-finalized']);
    for (const upload of [open, finished]) {
      expect(await fixture.rowOf(upload)).toMatchObject({ status: 'dropped', hasWrap: false });
      await untilEmpty(upload);
    }
  });

  it('revokes its unused ISTK, so that no upload can start', async () => {
    const minted = await fixture.mint();
    expect(await drop(minted)).toBe(1);
    expect(await drop(minted)).toBe(0);
    expect(await reasonOf(fixture.create(minted))).toBe('AUTHENTICATION_ERROR');
    expect(await fixture.statusOf(minted)).toBeUndefined();
    expect(await fixture.eventsOf(minted)).toEqual([]);
  });

  it('TRAP 42: is final: a replacement that arrives late changes neither a dropped version nor an open upload', async () => {
    const [dropped, open] = [await fixture.finished(), await fixture.open()];
    await drop(dropped);
    for (const { versionId } of [dropped, open]) await lifecycleOf(0).replace(versionId);
    expect([await fixture.statusOf(dropped), await fixture.statusOf(open)]).toEqual(['dropped', 'open']);
  });

  it('revokes its downloads in the same commit', async () => {
    const finished = await fixture.finished();
    const downloads = await Promise.all(
      (['once', 'stream'] as const).map((mode) => fixture.mint({ ...finished, operation: 'decrypt', mode })),
    );
    expect(await drop(finished)).toBe(2);
    for (const download of downloads) expect(await fixture.isLive(download)).toBe(false);
  });
});

describe('OPEN-16: a version that vaults rejects', () => {
  it('is dropped with its content, although its own upload was admitted', async () => {
    const finished = await fixture.finished();
    await lifecycleOf(0).reject(finished.versionId);
    expect(await fixture.statusOf(finished)).toBe('dropped');
  });

  it('is replaced, and stays for its downloads, once one of them was admitted', async () => {
    const finished = await fixture.finished();
    await fixture.mint({ ...finished, operation: 'decrypt', mode: 'stream' });
    await lifecycleOf(0).reject(finished.versionId);
    expect(await fixture.statusOf(finished)).toBe('replaced');
  });
});

describe('concurrent changes of an upload', () => {
  /** Runs both concurrently; the index decides which starts first. */
  const race = async <A, B>(index: number, a: () => Promise<A>, b: () => Promise<B>): Promise<[A, B]> => {
    if (index % 2 === 0) return Promise.all([a(), b()]);
    const [second, first] = await Promise.all([b(), a()]);
    return [first, second];
  };

  it('leave no open upload after a drop, whether the upload was created before or after it', async () => {
    const minted = await Promise.all(times(60, () => fixture.mint()));
    const opening = (i: number) => reasonOf(fixture.create(minted[i] as MintedTransfer));
    const reasons = await Promise.all(
      minted.map(
        async (one, i) =>
          (
            await race(
              i,
              () => opening(i),
              () => drop(one, i),
            )
          )[0],
      ),
    );
    for (const [i, one] of minted.entries()) {
      const seen = [reasons[i], await fixture.statusOf(one), await fixture.eventNamesOf(one)];
      if (reasons[i] === 'none') expect(seen).toEqual(['none', 'dropped', ['forge.upload-ended']]);
      else expect(seen).toEqual(['AUTHENTICATION_ERROR', undefined, []]);
    }
  });

  it.each([
    [
      'FRG-17: publish either the end by a cancellation',
      (upload: OpenUpload, i: number) => cancel(upload, i),
    ],
    ['publish either the end by a drop', (upload: OpenUpload, i: number) => drop(upload, i)],
  ] as [string, (upload: OpenUpload, i: number) => Promise<unknown>][])(
    '%s or the completion by the last chunk',
    async (_, end) => {
      const uploads = await Promise.all(times(60, () => fixture.open({ sizeBytes: 100 })));
      const commits = await Promise.all(uploads.map((upload) => fixture.stage(upload, 100)));
      await Promise.all(
        uploads.map(async (upload, i) => {
          const [commit] = await race(i, commits[i] as Commit, () => end(upload, i));
          const name = commit === 'finalized' ? 'forge.upload-finalized' : 'forge.upload-ended';
          expect(await fixture.eventNamesOf(upload)).toEqual([name]);
        }),
      );
    },
  );

  it('FRG-16: publish the bytes of an acknowledged chunk when the upload is cancelled', async () => {
    const uploads = await Promise.all(times(60, () => fixture.open({ sizeBytes: 1_000 })));
    const commits = await Promise.all(uploads.map((upload) => fixture.stage(upload, 100)));
    await Promise.all(
      uploads.map(async (upload, i) => {
        const [commit] = await race(i, commits[i] as Commit, () => cancel(upload, i));
        const [end] = await fixture.eventsOf(upload);
        expect(end?.payload).toEqual(endedPayload(upload, 'cancelled', commit === 'stored' ? 100 : 0));
      }),
    );
  });
});
