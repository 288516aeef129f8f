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

let kept: CleanupFixture;
let ends: readonly UploadLifecycle[];
beforeAll(async () => {
  kept = await CleanupFixture.start();
  ends = kept.instances.map(({ context }) => context.get(UploadLifecycle));
});
afterAll(() => kept.stop());

const endsOf = (copy: number) => ends[copy % 2] as UploadLifecycle;
const cancel = ({ uploadLookup }: OpenUpload, copy = 0) => reasonOf(endsOf(copy).cancel(uploadLookup));
const drop = ({ versionId }: { versionId: string }, copy = 0) => endsOf(copy).drop(versionId);
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));
const emptied = async (upload: OpenUpload) => {
  await eventually(
    () => kept.keysOf(upload),
    (keys) => keys.length === 0,
  );
  await eventually(
    () => kept.rowOf(upload),
    (row) => row?.['chunks'] === 0,
  );
};
const endOf = ({ accountId, vaultId, ingotId, versionId }: OpenUpload, reason: string, bytes: number) => ({
  account_id: accountId,
  vault_id: vaultId,
  ingot_id: ingotId,
  version_id: versionId,
  reason,
  received_bytes: bytes,
});

describe('an upload that its uploader gives up', () => {
  it('FRG-15 FRG-16: is unknown at once, told with the bytes it received, and leaves nothing', async () => {
    const upload = await kept.open({ sizeBytes: 1_000 });
    await kept.append(upload, 300);
    await kept.append(upload, 400);
    await kept.createOrphan(upload);
    const requestId = newId('req_');
    await endsOf(0).cancel(upload.uploadLookup, requestId);
    expect(await kept.rowOf(upload)).toMatchObject({ status: 'dropped', hasWrap: false });
    expect(await kept.append(upload, 300)).toBe('gone');
    expect(await kept.eventsOf(upload)).toEqual([
      { name: 'forge.upload-ended', request_id: requestId, payload: endOf(upload, 'cancelled', 700) },
    ]);
    await emptied(upload);
  });

  it('FRG-17: when it is whole stays whole, also when its content has been replaced', async () => {
    const upload = await kept.finished();
    expect(await cancel(upload)).toBe('none');
    await endsOf(0).replace(upload.versionId);
    expect(await cancel(upload)).toBe('none');
    expect(await kept.rowOf(upload)).toMatchObject({ status: 'replaced', chunks: 1 });
    expect(await kept.keysOf(upload)).toHaveLength(1);
    expect(await kept.eventNamesOf(upload)).toEqual(['forge.upload-finalized']);
  });

  it('FRG-33: is unknown when it was cancelled, dropped or never there', async () => {
    const [cancelled, dropped] = [await kept.open(), await kept.finished()];
    expect(await cancel(cancelled)).toBe('none');
    await drop(dropped);
    expect([await cancel(cancelled), await cancel(dropped)]).toEqual([
      'UPLOAD_NOT_FOUND',
      'UPLOAD_NOT_FOUND',
    ]);
    const nobodys = lookupHash('upload', Buffer.alloc(32));
    expect(await reasonOf(endsOf(0).cancel(nobodys))).toBe('UPLOAD_NOT_FOUND');
  });

  it('FRG-16: of twenty cancellations at once one counts, and one event tells of it', async () => {
    const upload = await kept.open();
    await kept.append(upload, 10);
    const reasons = await Promise.all(times(20, (i) => cancel(upload, i)));
    expect(reasons.filter((reason) => reason === 'none')).toHaveLength(1);
    expect(await kept.eventNamesOf(upload)).toEqual(['forge.upload-ended']);
  });
});

describe('a version that nobody waits for', () => {
  it('is told of when it was being uploaded, and not when it was whole: those bytes were told', async () => {
    const [open, whole] = [await kept.open(), await kept.finished()];
    await kept.append(open, 10);
    await Promise.all([drop(open), drop(whole)]);
    expect((await kept.eventsOf(open)).map(({ payload }) => payload)).toEqual([endOf(open, 'dropped', 10)]);
    expect(await kept.eventNamesOf(whole)).toEqual(['forge.upload-finalized']);
    for (const upload of [open, whole]) {
      expect(await kept.rowOf(upload)).toMatchObject({ status: 'dropped', hasWrap: false });
      await emptied(upload);
    }
  });

  it('cannot be uploaded any more when its upload had not begun', async () => {
    const minted = await kept.mint();
    expect(await drop(minted)).toBe(1);
    expect(await drop(minted)).toBe(0);
    expect(await reasonOf(kept.begin(minted))).toBe('AUTHENTICATION_ERROR');
    expect(await kept.statusOf(minted)).toBeUndefined();
    expect(await kept.eventsOf(minted)).toEqual([]);
  });

  it('ends the downloads of it with the same commit', async () => {
    const whole = await kept.finished();
    const downloads = await Promise.all(
      (['once', 'stream'] as const).map((mode) => kept.mint({ ...whole, operation: 'decrypt', mode })),
    );
    expect(await drop(whole)).toBe(2);
    for (const download of downloads) expect(await kept.isLive(download)).toBe(false);
  });
});

describe('endings that race', () => {
  /** Both at once, either of them begun first. */
  const race = async <A, B>(index: number, a: () => Promise<A>, b: () => Promise<B>): Promise<[A, B]> => {
    if (index % 2 === 0) return Promise.all([a(), b()]);
    const [second, first] = await Promise.all([b(), a()]);
    return [first, second];
  };

  it('a drop and the opening of its upload: no upload stays open, whichever comes first', async () => {
    const minted = await Promise.all(times(60, () => kept.mint()));
    const opening = (i: number) => reasonOf(kept.begin(minted[i] as MintedTransfer));
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
      const seen = [reasons[i], await kept.statusOf(one), await kept.eventNamesOf(one)];
      if (reasons[i] === 'none') expect(seen).toEqual(['none', 'dropped', ['forge.upload-ended']]);
      else expect(seen).toEqual(['AUTHENTICATION_ERROR', undefined, []]);
    }
  });

  it.each([
    ['FRG-17: a cancellation', (upload: OpenUpload, i: number) => cancel(upload, i)],
    ['a drop', (upload: OpenUpload, i: number) => drop(upload, i)],
  ] as [string, (upload: OpenUpload, i: number) => Promise<unknown>][])(
    '%s and the last chunk: told as ended or as whole, never as both',
    async (_, end) => {
      const uploads = await Promise.all(times(60, () => kept.open({ sizeBytes: 100 })));
      const commits = await Promise.all(uploads.map((upload) => kept.stage(upload, 100)));
      await Promise.all(
        uploads.map(async (upload, i) => {
          const [commit] = await race(i, commits[i] as Commit, () => end(upload, i));
          const name = commit === 'finalized' ? 'forge.upload-finalized' : 'forge.upload-ended';
          expect(await kept.eventNamesOf(upload)).toEqual([name]);
        }),
      );
    },
  );

  it('FRG-16: a cancellation and a chunk: what is told is what was acknowledged', async () => {
    const uploads = await Promise.all(times(60, () => kept.open({ sizeBytes: 1_000 })));
    const commits = await Promise.all(uploads.map((upload) => kept.stage(upload, 100)));
    await Promise.all(
      uploads.map(async (upload, i) => {
        const [commit] = await race(i, commits[i] as Commit, () => cancel(upload, i));
        const [end] = await kept.eventsOf(upload);
        expect(end?.payload).toEqual(endOf(upload, 'cancelled', commit === 'stored' ? 100 : 0));
      }),
    );
  });
});
