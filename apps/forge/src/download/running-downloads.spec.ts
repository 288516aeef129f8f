import { randomBytes } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { readlinkSync, readdirSync } from 'node:fs';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '@vaultsvc/database';
import { stopSchedule } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { forge } from '../service-definition.js';
import { IstkRevocationRepository } from '../istk/istk-revocation.repository.js';
import { SettleAbandonedDownloads } from './settle-abandoned-downloads.job.js';
import { originOf, startDownloadFixture, type DownloadFixture } from '../testing/download-fixture.js';
import type { MintedTransfer, TransferOptions } from '../testing/transfers.js';
import { BUDGET_BYTES_MAX } from './byte-budget.js';
import { DownloadTimeouts } from './download-heartbeat.js';

const SIZE = 100_000_000;
/** What may be on its way between a sender and a reader that has stopped: our own buffers and the system's. */
const BUFFERS_MAX_BYTES = 16_000_000;
let downloads: DownloadFixture;
let large: MintedTransfer;
let small: MintedTransfer;
beforeAll(async () => {
  downloads = await startDownloadFixture();
  await stopSchedule(downloads.service);
  large = await downloads.store(Buffer.concat(Array.from({ length: 10 }, () => randomBytes(SIZE / 10))));
  small = await downloads.store(randomBytes(100_000));
});
afterAll(() => downloads.harness.stop());

const row = async ({ lookup }: MintedTransfer) => {
  const [found] = await downloads.sql<{ bytes_moved: number; bytes_told: number; is_complete: boolean }>(
    'SELECT bytes_moved, bytes_told, is_complete FROM istks WHERE lookup = $1',
    [lookup],
  );
  return found as { bytes_moved: number; bytes_told: number; is_complete: boolean };
};
const settled = (of: MintedTransfer) =>
  eventually(
    () => row(of),
    ({ bytes_moved: moved, bytes_told: told }) => moved > 0 && moved === told,
  );

/** What was told of the downloads of a version, in its order. */
const toldOf = async (versionId: string) =>
  downloads.sql<{ bytes: number; downloads: number }>(
    `SELECT (payload->>'bytes')::bigint AS bytes, (payload->>'downloads')::int AS downloads
       FROM outbox WHERE name = 'forge.bytes-sent' AND payload->>'version_id' = $1 ORDER BY seq`,
    [versionId],
  );

/** A download whose reader takes nothing until it is told to. */
async function begin({ istk }: MintedTransfer, headers: Record<string, string> = {}, url = downloads.url) {
  const request = get(`${url}/decrypt?istk=${istk}`, { headers });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return answer;
}

/** Reads to its end: how many bytes came, and whether it was cut. */
async function drain(answer: IncomingMessage) {
  let bytes = 0;
  try {
    for await (const part of answer) bytes += (part as Buffer).length;
    return { bytes, isCut: false };
  } catch {
    return { bytes, isCut: true };
  }
}

/** A version of its own, so that what is told of it can be counted. */
const fresh = async (wish: TransferOptions = {}) => {
  const file = await downloads.store(randomBytes(100_000));
  return { file, istk: await downloads.stream(file, wish) };
};

describe('ING-19: what was sent is told', () => {
  it('once, to the byte, and the first time as a download', async () => {
    const { file, istk } = await fresh();
    for (const [range, sum] of [
      ['0-99', 100],
      ['1000-50999', 50_100],
    ] as const) {
      await drain(await begin(istk, { Range: `bytes=${range}` }));
      await eventually(
        () => row(istk),
        ({ bytes_told: told }) => told === sum, // the reader has all of it before it is told
      );
    }
    expect(await toldOf(file.versionId)).toEqual([
      { bytes: 100, downloads: 1 },
      { bytes: 50_000, downloads: 0 },
    ]);
  });

  it('exactly, of many at once on two copies of forge', async () => {
    const copy = await downloads.harness.start(forge);
    await stopSchedule(copy);
    const other = originOf(copy);
    const { file, istk } = await fresh();
    const sizes = Array.from({ length: 60 }, (_, turn) => 1_000 + turn);
    const reads = sizes.map(async (bytes, turn) =>
      drain(await begin(istk, { Range: `bytes=0-${bytes - 1}` }, turn % 2 ? other : downloads.url)),
    );
    await Promise.all(reads);
    const sum = sizes.reduce((total, bytes) => total + bytes, 0);
    expect(
      await eventually(
        () => row(istk),
        ({ bytes_told: told }) => told === sum,
      ),
    ).toMatchObject({
      bytes_moved: sum,
    });
    const told = await toldOf(file.versionId);
    expect(told.reduce((total, { bytes }) => total + bytes, 0)).toBe(sum);
    expect(told.reduce((total, { downloads: count }) => total + count, 0)).toBe(1);
  });

  it('FRG-25: of a reader who goes away, as far as it was sent; the rest is given back', async () => {
    const istk = await downloads.mint(large);
    const answer = await begin(istk);
    await once(answer, 'readable');
    answer.destroy();
    const { bytes_moved: moved, is_complete: isComplete } = await settled(istk);
    expect(moved).toBeGreaterThan(0);
    expect(moved).toBeLessThan(BUFFERS_MAX_BYTES);
    expect(isComplete).toBe(false);
    expect((await fetch(`${downloads.url}/decrypt?istk=${istk.istk}`)).status).toBe(401);
    await eventually(openObjects, (count) => count === 0);
  });

  it('by the job, when a process died before it could: once, by however many copies', async () => {
    const { file, istk } = await fresh();
    const stopped = (minutes: number) =>
      downloads.sql(
        `UPDATE istks SET bytes_moved = 8000, moved_at = now() - $2::int * interval '1 minute' WHERE lookup = $1`,
        [istk.lookup, minutes],
      );
    const job = downloads.service.context.get(SettleAbandonedDownloads);
    await stopped(1);
    await job.run();
    expect(await toldOf(file.versionId)).toEqual([]);
    await stopped(3);
    await Promise.all([job.run(), job.run(), job.run()]);
    expect(await toldOf(file.versionId)).toEqual([{ bytes: 8_000, downloads: 1 }]);
  });
});

describe('revocation', () => {
  const revoke = (of: MintedTransfer, beforeEpoch = 1) =>
    downloads.service.context
      .get(Database)
      .transaction((tx) =>
        downloads.service.context
          .get(IstkRevocationRepository)
          .revokeDownloads(tx, { vaultId: of.vaultId, beforeEpoch }),
      );

  it('TRAP 57: ends a download that runs within 8 MiB of where it stands, and what it sent is told', async () => {
    for (const mode of ['mint', 'stream'] as const) {
      const istk = await downloads[mode](large);
      const answer = await begin(istk);
      await once(answer, 'readable');
      expect(await revoke(istk)).toBeGreaterThan(0);
      const { bytes, isCut } = await drain(answer);
      expect(isCut).toBe(true);
      expect(bytes).toBeLessThan(2 * BUDGET_BYTES_MAX + BUFFERS_MAX_BYTES);
      expect((await settled(istk)).bytes_moved).toBeGreaterThanOrEqual(bytes);
    }
  });

  it('reaches a reader that takes almost nothing, too', async () => {
    const times = downloads.service.context.get(DownloadTimeouts);
    times.heartbeatMs = 100;
    try {
      const istk = await downloads.mint(large);
      const answer = await begin(istk);
      await once(answer, 'readable');
      await revoke(istk);
      await settled(istk); // without a byte more having been read
      answer.destroy();
    } finally {
      times.heartbeatMs = 30_000;
    }
  });

  it('AMB-29: what was revoked before it was used is ISTK_INVALID, what was used first ISTK_USED', async () => {
    const [unused, used] = [await downloads.mint(small), await downloads.mint(small)];
    await drain(await begin(used));
    await revoke(unused);
    const codeOf = async ({ istk }: MintedTransfer) => {
      const answer = await downloads.get(istk);
      return ((await answer.json()) as { error: { details: { code: string } } }).error.details.code;
    };
    expect([await codeOf(unused), await codeOf(used)]).toEqual(['ISTK_INVALID', 'ISTK_USED']);
  });

  it('that races with a use comes before it or after it: revoked and used, or refused', async () => {
    for (let round = 0; round < 20; round += 1) {
      const istk = await downloads.mint(small);
      const [answer] = await Promise.all([downloads.get(istk.istk), revoke(istk)]);
      await answer.arrayBuffer().catch(() => undefined);
      const [{ revoked_at: revokedAt }] = (await downloads.sql<{ revoked_at: Date | null }>(
        'SELECT revoked_at FROM istks WHERE lookup = $1',
        [istk.lookup],
      )) as [{ revoked_at: Date | null }];
      expect([200, 401]).toContain(answer.status);
      expect(revokedAt).not.toBeNull();
    }
  });
});

describe('readers', () => {
  it('that stop reading are cut off, and leave no file open', async () => {
    const times = downloads.service.context.get(DownloadTimeouts);
    times.stallMs = 500;
    try {
      const istk = await downloads.stream(large);
      const answer = await begin(istk);
      await settled(istk);
      expect((await drain(answer)).isCut).toBe(true);
      await eventually(openObjects, (count) => count === 0);
    } finally {
      times.stallMs = 60_000;
    }
  });

  it('of 20 that go away at once no file stays open', async () => {
    const istk = await downloads.stream(large);
    const answers = await Promise.all(Array.from({ length: 20 }, () => begin(istk)));
    for (const answer of answers) answer.destroy();
    await settled(istk);
    await eventually(openObjects, (count) => count === 0);
  });
});

/** How many objects this process holds open. */
function openObjects(): number {
  const links = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return ''; // closed meanwhile
    }
  });
  return links.filter((link) => link.startsWith(downloads.harness.objectsDir)).length;
}
