import { randomBytes } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { readlinkSync, readdirSync } from 'node:fs';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '@vaultsvc/database';
import { stopSchedule } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { forge } from '../service-definition.js';
import type { Istk } from '../istk/istk.js';
import { IstkRepository } from '../istk/istk.repository.js';
import { IstkRevocationRepository } from '../istk/istk-revocation.repository.js';
import { SettleAbandonedDownloads } from './settle-abandoned-downloads.job.js';
import { originOf, startDownloadFixture, type DownloadFixture } from '../testing/download-fixture.js';
import { mintTransfer, type MintedTransfer, type TransferOptions } from '../testing/transfers.js';
import { BUDGET_BYTES_MAX } from './byte-budget.js';
import { ByteMeter, type MeteredDownload } from './byte-meter.js';
import { DownloadTimeouts } from './download-heartbeat.js';

const SIZE = 100_000_000;
/** Bytes that buffers of this process and of the system can hold for a client that stopped reading. */
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
const reservedBytes = async ({ lookup }: MintedTransfer) => {
  const [found] = await downloads.sql(
    `SELECT bytes_moved AS moved, bytes_told AS told, bytes_reserved AS reserved,
            (SELECT count(*)::int FROM downloads d WHERE d.lookup = i.lookup) AS running
       FROM istks i WHERE lookup = $1`,
    [lookup],
  );
  return found;
};
const settled = (of: MintedTransfer) =>
  eventually(
    () => row(of),
    ({ bytes_moved: moved, bytes_told: told }) => moved > 0 && moved === told,
  );

/** The payloads of the `forge.bytes-sent` events of a version, oldest first. */
const sentEventsOf = async (versionId: string) =>
  downloads.sql<{ bytes: number; downloads: number }>(
    `SELECT (payload->>'bytes')::bigint AS bytes, (payload->>'downloads')::int AS downloads
       FROM recorded_events WHERE name = 'forge.bytes-sent' AND payload->>'version_id' = $1 ORDER BY seq`,
    [versionId],
  );

/** Starts a download whose body is not read yet. */
async function start({ istk }: MintedTransfer, headers: Record<string, string> = {}, url = downloads.url) {
  const request = get(`${url}/decrypt?istk=${istk}`, { headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** Reads a response to its end: the number of bytes, and whether the connection was cut. */
async function drain(response: IncomingMessage) {
  let bytes = 0;
  try {
    for await (const part of response) bytes += (part as Buffer).length;
    return { bytes, isCut: false };
  } catch {
    return { bytes, isCut: true };
  }
}

/** A new version, so that a test can count its events. */
const storeNew = async (options: TransferOptions = {}) => {
  const file = await downloads.store(randomBytes(100_000));
  return { file, istk: await downloads.stream(file, options) };
};

describe('ING-19: sent bytes', () => {
  it('are published once and exactly; only the first event of an ISTK counts a download', async () => {
    const { file, istk } = await storeNew();
    for (const [range, sum] of [
      ['0-99', 100],
      ['1000-50999', 50_100],
    ] as const) {
      await drain(await start(istk, { Range: `bytes=${range}` }));
      await eventually(
        () => row(istk),
        ({ bytes_told: told }) => told === sum, // the client has all bytes before they are published
      );
    }
    expect(await sentEventsOf(file.versionId)).toEqual([
      { bytes: 100, downloads: 1 },
      { bytes: 50_000, downloads: 0 },
    ]);
  });

  it('are published exactly for concurrent downloads on two instances', async () => {
    const instance = await downloads.harness.start(forge);
    await stopSchedule(instance);
    const other = originOf(instance);
    const { file, istk } = await storeNew();
    const sizes = Array.from({ length: 60 }, (_, index) => 1_000 + index);
    const reads = sizes.map(async (bytes, index) =>
      drain(await start(istk, { Range: `bytes=0-${bytes - 1}` }, index % 2 ? other : downloads.url)),
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
    const events = await sentEventsOf(file.versionId);
    expect(events.reduce((total, { bytes }) => total + bytes, 0)).toBe(sum);
    expect(events.reduce((total, { downloads: count }) => total + count, 0)).toBe(1);
  });

  it('FRG-25: are published when the client disconnects; the reserved rest is returned', async () => {
    const istk = await downloads.mint(large);
    const response = await start(istk);
    await once(response, 'readable');
    response.destroy();
    const { bytes_moved: moved, is_complete: isComplete } = await settled(istk);
    expect(moved).toBeGreaterThan(0);
    expect(moved).toBeLessThan(BUFFERS_MAX_BYTES);
    expect(isComplete).toBe(false);
    expect((await fetch(`${downloads.url}/decrypt?istk=${istk.istk}`)).status).toBe(401);
    await eventually(openObjects, (count) => count === 0);
  });

  it('are published once by concurrent jobs for each of several downloads of one ISTK that died, and none that runs', async () => {
    const { file, istk } = await storeNew();
    const meter = downloads.service.context.get(ByteMeter);
    const found = await downloads.service.context.get(IstkRepository).find(istk.lookup);
    const died = await Promise.all([100, 200].map((bytes) => meter.start(found as Istk, 1_000, bytes)));
    const running = await meter.start(found as Istk, 1_000, 400);
    await downloads.sql(
      `UPDATE downloads SET renewed_at = now() - interval '3 minutes' WHERE download_id = ANY($1::bigint[])`,
      [died.map(({ downloadId }) => downloadId)],
    );
    const job = downloads.service.context.get(SettleAbandonedDownloads);
    await Promise.all([job.run(), job.run(), job.run()]);
    expect((await sentEventsOf(file.versionId)).reduce((sum, { bytes }) => sum + bytes, 0)).toBe(300);
    await expect(meter.count(died[0] as MeteredDownload, 1)).rejects.toMatchObject({
      details: { code: 'ISTK_INVALID' },
    });
    for (const one of [...died, running])
      await meter.settle(one, { sentBytes: 50, isComplete: false }, 'test');
    expect(await reservedBytes(istk)).toEqual({ moved: 350, told: 350, reserved: 0, running: 0 });
  });
});

describe('FRG-25 FRG-29 AMB-29: the start of a download', () => {
  /** The outcome for an ISTK whose row changes after it was read. */
  const startAfter = async (istk: MintedTransfer, change?: string) => {
    const { context } = downloads.service;
    const found = (await context.get(IstkRepository).find(istk.lookup)) as Istk;
    if (change) await downloads.sql(`UPDATE istks SET ${change} WHERE lookup = $1`, [istk.lookup]);
    return context
      .get(ByteMeter)
      .start(found, 100, 100)
      .then(
        () => 'started',
        ({ details }: { details: { code: string } }) => details.code,
      );
  };

  it.each([
    ['revoked', 'mint', `revoked_at = now(), wrapped_key = NULL`, 'ISTK_INVALID'],
    ['used', 'mint', `used_at = now()`, 'ISTK_USED'],
    ['expired', 'mint', `expires_at = now()`, 'ISTK_EXPIRED'],
    ['idle for too long', 'stream', `idle_until = now()`, 'ISTK_EXPIRED'],
  ] as const)('is refused if the ISTK is %s by then', async (_, mode, change, code) => {
    expect(await startAfter(await downloads[mode](small), change)).toBe(code);
  });

  it('FRG-36: is refused to an ISTK for an upload', async () => {
    expect(await startAfter(await mintTransfer(downloads.harness))).toBe('ISTK_INVALID');
  });
});

describe('revocation of an ISTK', () => {
  const revoke = (of: MintedTransfer, beforeEpoch = 1) =>
    downloads.service.context
      .get(Database)
      .transaction((tx) =>
        downloads.service.context
          .get(IstkRevocationRepository)
          .revokeDownloads(tx, { vaultId: of.vaultId, beforeEpoch }),
      );

  it('TRAP 57: ends a running download within 8 MiB of its position, and publishes its sent bytes', async () => {
    for (const mode of ['mint', 'stream'] as const) {
      const istk = await downloads[mode](large);
      const response = await start(istk);
      await once(response, 'readable');
      expect(await revoke(istk)).toBeGreaterThan(0);
      const { bytes, isCut } = await drain(response);
      expect(isCut).toBe(true);
      expect(bytes).toBeLessThan(2 * BUDGET_BYTES_MAX + BUFFERS_MAX_BYTES);
      expect((await settled(istk)).bytes_moved).toBeGreaterThanOrEqual(bytes);
    }
  });

  it('ends a download whose client reads almost nothing', async () => {
    const timeouts = downloads.service.context.get(DownloadTimeouts);
    timeouts.heartbeatMs = 100;
    try {
      const istk = await downloads.mint(large);
      const response = await start(istk);
      await once(response, 'readable');
      await revoke(istk);
      await settled(istk); // without another byte read
      response.destroy();
    } finally {
      timeouts.heartbeatMs = 30_000;
    }
  });

  it('AMB-29: before its use gives ISTK_INVALID, after its use ISTK_USED', async () => {
    const [unused, used] = [await downloads.mint(small), await downloads.mint(small)];
    await drain(await start(used));
    await revoke(unused);
    const codeOf = async ({ istk }: MintedTransfer) => {
      const response = await downloads.get(istk);
      return ((await response.json()) as { error: { details: { code: string } } }).error.details.code;
    };
    expect([await codeOf(unused), await codeOf(used)]).toEqual(['ISTK_INVALID', 'ISTK_USED']);
  });

  it('is ordered with a concurrent use: the download is sent, or refused with 401', async () => {
    for (let round = 0; round < 20; round += 1) {
      const istk = await downloads.mint(small);
      const [response] = await Promise.all([downloads.get(istk.istk), revoke(istk)]);
      await response.arrayBuffer().catch(() => undefined);
      const [{ revoked_at: revokedAt }] = (await downloads.sql<{ revoked_at: Date | null }>(
        'SELECT revoked_at FROM istks WHERE lookup = $1',
        [istk.lookup],
      )) as [{ revoked_at: Date | null }];
      expect([200, 401]).toContain(response.status);
      expect(revokedAt).not.toBeNull();
    }
  });
});

describe('clients', () => {
  it('that stop reading are disconnected, and leave no file open', async () => {
    const timeouts = downloads.service.context.get(DownloadTimeouts);
    timeouts.stallMs = 500;
    try {
      const istk = await downloads.stream(large);
      const response = await start(istk);
      await settled(istk);
      expect((await drain(response)).isCut).toBe(true);
      await eventually(openObjects, (count) => count === 0);
    } finally {
      timeouts.stallMs = 60_000;
    }
  });

  it('leave no file open when 20 of them disconnect at once', async () => {
    const istk = await downloads.stream(large);
    const responses = await Promise.all(Array.from({ length: 20 }, () => start(istk)));
    for (const response of responses) response.destroy();
    await settled(istk);
    await eventually(openObjects, (count) => count === 0);
  });
});

/** The number of objects that this process has open. */
function openObjects(): number {
  const links = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return ''; // closed since readdir
    }
  });
  return links.filter((link) => link.startsWith(downloads.harness.objectsDir)).length;
}
