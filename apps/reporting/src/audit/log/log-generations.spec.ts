import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '@vaultsvc/database';
import type { RunningService } from '@vaultsvc/service';
import { fenceNow, startHarness, stopSchedule, type Harness } from '@vaultsvc/testing/harness';
import {
  consistencyProof,
  decodeRestore,
  encodeEntries,
  NoteSigner,
  openCheckpoint,
  readEntries,
  signCheckpoint,
  TileHashes,
  verifyConsistency,
  type OpenedCheckpoint,
} from '@vaultsvc/transparency';
import { restoreFence } from '../../restore-fence-steps.js';
import { reporting } from '../../service-definition.js';
import { rewindLog } from '../../testing/rewound-log.js';
import { LogConflict, LogFiles } from './log-files.js';
import { TransparencyLog } from './transparency-log.js';

let harness: Harness;
let service: RunningService;
let log: TransparencyLog;

beforeEach(async () => {
  await harness?.stop();
  harness = await startHarness({ LOG_LEVEL: 'silent' });
  service = await harness.start(reporting);
  await stopSchedule(service);
  log = service.context.get(TransparencyLog);
});
afterAll(() => harness?.stop());

const database = () => service.context.get(Database);
const files = () => service.context.get(LogFiles);

async function append(...leaves: string[]): Promise<OpenedCheckpoint> {
  await database().transaction((tx) =>
    log.stage(
      tx,
      leaves.map((leaf) => Buffer.from(leaf)),
    ),
  );
  await log.publish();
  return published();
}

async function published(): Promise<OpenedCheckpoint> {
  return openCheckpoint((await files().checkpoint()) ?? '', log.origin, log.keys);
}

/** Asserts that one checkpoint of the log continues another one, by its tiles. */
async function expectOneHistory(from: OpenedCheckpoint, to: OpenedCheckpoint): Promise<void> {
  expect((await new TileHashes(to.size, log.read).root()).equals(to.root)).toBe(true);
  expect(verifyConsistency(from, to, await consistencyProof(from.size, to.size, log.read))).toBe(true);
}

describe('AUD-14 MISC-03: the transparency log after a restore', () => {
  it('publishes nothing until the fence has recorded the restore', async () => {
    await append('kept');
    const before = await append('lost 1', 'lost 2');
    await rewindLog(harness, 1);
    await expect(log.publish()).rejects.toThrow('after a restore run `reporting restore-fence`');
    expect(await published()).toEqual(before);
  });

  it('continues behind what was public, with a leaf and a checkpoint that name the last head before and the reason', async () => {
    const kept = await append('kept');
    const before = await append('lost 1', 'lost 2');
    await rewindLog(harness, 1);
    const { restoredTo } = await fenceNow(harness, restoreFence);
    await log.publish();

    const after = await published();
    expect(after.size).toBe(4);
    await expectOneHistory(kept, after);
    await expectOneHistory(before, after);
    const leaf = (await readEntries(4, 0, log.read))[3] as Buffer;
    expect(decodeRestore(leaf)).toEqual({
      from: 1,
      formerSize: 3,
      formerRoot: before.root.toString('hex'),
      restoredToMs: restoredTo.getTime(),
    });
    expect(await files().checkpoint()).toContain(
      `\ngeneration after a restore to ${restoredTo.toISOString()}\nformer head 3 ${before.root.toString('base64')}\nvoid leaves from 1\n`,
    );
    await expectOneHistory(after, await append('new'));
  });

  it('begins one generation for a restore, on any number of instances', async () => {
    await append('kept');
    await append('lost');
    await rewindLog(harness, 1);
    await fenceNow(harness, restoreFence);
    await Promise.allSettled([1, 2, 3].map(() => log.publish()));
    await log.publish();
    await log.publish();
    expect((await published()).size).toBe(3);
  });

  it('keeps the leaves that were staged in the dump and published after it', async () => {
    await append('kept');
    await append('staged 1', 'staged 2');
    await append('lost');
    const staged = [Buffer.from('staged 1'), Buffer.from('staged 2')];
    await rewindLog(harness, 1, { bundle: encodeEntries(staged), leaves: 2 });
    await fenceNow(harness, restoreFence);
    await log.publish();
    const leaf = (await readEntries(5, 0, log.read))[4] as Buffer;
    expect(decodeRestore(leaf)).toMatchObject({ from: 3, formerSize: 4 });
  });

  it('names a restore that has lost nothing, too, and one restore after the other', async () => {
    await append('kept');
    await fenceNow(harness, restoreFence);
    await log.publish();
    await rewindLog(harness, 1);
    await fenceNow(harness, restoreFence);
    await log.publish();
    const leaves = (await readEntries(3, 0, log.read)).slice(1).map(decodeRestore);
    expect(leaves).toMatchObject([
      { from: 1, formerSize: 1 },
      { from: 1, formerSize: 2 },
    ]);
  });

  it('does not continue a public log of other keys, or one that does not continue its own', async () => {
    await append('kept');
    const foreign = new NoteSigner(log.origin, randomBytes(32));
    const size = 9;
    await files().writeCheckpoint(
      signCheckpoint({ origin: log.origin, size, root: Buffer.alloc(32) }, [foreign]),
    );
    await fenceNow(harness, restoreFence);
    await expect(log.publish()).rejects.toThrow(LogConflict);
  });

  it('does not let the running service declare leaves void without a restore', async () => {
    await append('kept');
    const run = (text: string) => database().query({ name: 'test.' + text.slice(0, 12), text });
    await expect(run(`INSERT INTO audit_log_restores (restored_to) VALUES (now())`)).rejects.toMatchObject({
      code: '42501',
    });
    expect(await run(`SELECT begin_log_generation(1, 2, '\\x00', '', '\\x00') AS begun`)).toEqual([
      { begun: false },
    ]);
  });
});
