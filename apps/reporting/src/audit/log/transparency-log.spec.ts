import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret } from '@vaultsvc/config';
import { Database } from '@vaultsvc/database';
import { Objects, Unavailable } from '@vaultsvc/objects';
import type { RunningService } from '@vaultsvc/service';
import { startHarness, stopSchedule, type Harness } from '@vaultsvc/testing/harness';
import {
  consistencyProof,
  leafHash,
  NoteSigner,
  openCheckpoint,
  readEntries,
  signCheckpoint,
  TileHashes,
  treeHash,
  verifyConsistency,
  type OpenedCheckpoint,
} from '@vaultsvc/transparency';
import { reporting } from '../../service-definition.js';
import { FailingObjects } from '../../testing/failing-objects.js';
import { AuditLogConfig } from '../../settings/audit-log-config.js';
import { LogConflict, LogFiles } from './log-files.js';
import { LogGenerations } from './log-generations.js';
import { LogRepository } from './log.repository.js';
import { TransparencyLog } from './transparency-log.js';

let harness: Harness | undefined;
let service: RunningService;
let log: TransparencyLog;
/** The leaves of this test, in the order of the log. */
let leaves: Buffer[];

beforeEach(async () => {
  await harness?.stop();
  harness = await startHarness({ LOG_LEVEL: 'silent' });
  service = await harness.start(reporting);
  await stopSchedule(service);
  log = service.context.get(TransparencyLog);
  leaves = [];
});
afterAll(() => harness?.stop());

const database = () => service.context.get(Database);

/** Stages as many leaves as given, in a transaction of their own. */
async function stage(count: number): Promise<number | undefined> {
  const staged = Array.from({ length: count }, (_, place) => Buffer.from(`leaf ${leaves.length + place}`));
  const index = await database().transaction((tx) => log.stage(tx, staged));
  if (index !== undefined) leaves.push(...staged);
  return index;
}

/** A log as another process has it: of the same database, with another store or other settings. */
function otherLog(objects: Objects, settings: Partial<AuditLogConfig> = {}): TransparencyLog {
  const config = Object.assign(new AuditLogConfig(), service.context.get(AuditLogConfig), settings);
  const [repository, files] = [service.context.get(LogRepository), new LogFiles(objects, 0)];
  return new TransparencyLog(repository, files, new LogGenerations(repository, files), 0, config);
}

async function publicCheckpoint(): Promise<OpenedCheckpoint | undefined> {
  const note = await service.context.get(LogFiles).checkpoint();
  return note === undefined ? undefined : openCheckpoint(note, log.origin, log.keys);
}

/** Asserts that the public log has exactly the leaves of this test, under a checkpoint that its tiles have. */
async function expectWholeLog(): Promise<void> {
  const checkpoint = await publicCheckpoint();
  const size = leaves.length;
  expect(checkpoint).toMatchObject({ size, root: treeHash(leaves.map(leafHash)) });
  expect(await new TileHashes(size, log.read).root()).toEqual(checkpoint?.root);
  for (let index = 0; index * 256 < size; index += 1)
    expect(await readEntries(size, index, log.read)).toEqual(leaves.slice(index * 256, (index + 1) * 256));
}

describe('The transparency log', () => {
  it('AUD-14: appends the staged leaves and publishes a checkpoint of them', async () => {
    expect(await publicCheckpoint()).toBeUndefined();
    expect(await stage(3)).toBe(0);
    expect(await log.latest()).toBeUndefined();
    await log.publish();
    await expectWholeLog();
    expect(await stage(254)).toBe(3);
    await log.publish();
    await expectWholeLog();
    expect(await log.latest()).toMatchObject({
      size: 257,
      note: expect.stringContaining(`${log.origin}\n257\n`),
    });
  });

  it('AUD-14: has no public file before the leaves are committed', async () => {
    const staging = database().transaction(async (tx) => {
      expect(await log.stage(tx, [Buffer.from('never')])).toBe(0);
      throw new Error('rolled back');
    });
    await expect(staging).rejects.toThrow('rolled back');
    await log.publish();
    expect((await service.context.get(Objects).list({ prefix: 'audit-log' })).objects).toEqual([]);
    expect(await stage(1)).toBe(0);
  });

  it('AUD-14: stages no further leaves before the staged ones are published', async () => {
    expect(await stage(2)).toBe(0);
    expect(await stage(1)).toBeUndefined();
    await log.publish();
    expect(await stage(1)).toBe(2);
    await log.publish();
    await expectWholeLog();
  });

  it('AUD-14: commits no tree with other leaves than those that are staged', async () => {
    await stage(2);
    const head = { size: 3, root: treeHash([...leaves, Buffer.from('another')].map(leafHash)) };
    expect(await service.context.get(LogRepository).commit(0, head, 'note')).toBe(false);
    expect(await log.latest()).toBeUndefined();
    await log.publish();
    await expectWholeLog();
  });

  it('AUD-14: refuses a stage without leaves, of too many, and of one that is too long', async () => {
    for (const refused of [[], Array<Buffer>(65_537).fill(Buffer.alloc(1)), [Buffer.alloc(65_536)]])
      await expect(log.stage(database(), refused)).rejects.toThrow(RangeError);
  });

  it('AUD-14: is one history after a stop at any step', async () => {
    const store = service.context.get(Objects);
    const seen: OpenedCheckpoint[] = [];
    for (const count of [3, 252, 1, 1, 600]) {
      await stage(count);
      for (let step = 0, isDone = false; !isDone; step += 1) {
        const failing = new FailingObjects(store, { put: Math.floor(step / 2), isStored: step % 2 === 1 });
        const published = await otherLog(failing)
          .publish()
          .catch((error: unknown) => error);
        expect(published === undefined).toBe(!failing.hasFailed);
        if (failing.hasFailed) expect(published).toBeInstanceOf(Unavailable);
        isDone = !failing.hasFailed;
        const checkpoint = await publicCheckpoint();
        if (checkpoint) seen.push(checkpoint);
      }
      await expectWholeLog();
    }
    expect(new Set(seen.map(({ size }) => size))).toEqual(new Set([3, 255, 256, 257, 857]));
    const last = seen.at(-1) as OpenedCheckpoint;
    for (const from of seen)
      expect(verifyConsistency(from, last, await consistencyProof(from.size, last.size, log.read))).toBe(
        true,
      );
  });

  it('AUD-14: is one history when several instances publish at once', async () => {
    const store = service.context.get(Objects);
    for (const count of [1, 255, 300]) {
      await stage(count);
      await Promise.all([1, 2, 3, 4].map(() => otherLog(store).publish()));
      await expectWholeLog();
    }
    expect(
      await database().query({ name: 'test.checkpoints', text: 'SELECT size FROM audit_checkpoints' }),
    ).toEqual([{ size: 1 }, { size: 256 }, { size: 556 }]);
  });

  it('AUD-14: replaces an older checkpoint that a slow instance has made public', async () => {
    await stage(1);
    await log.publish();
    const older = (await log.latest())?.note ?? '';
    await stage(1);
    await log.publish();
    await service.context.get(LogFiles).writeCheckpoint(older);
    await log.publish();
    await expectWholeLog();
  });

  it('AUD-14: does not continue a database that was restored to a moment before its last checkpoint', async () => {
    await stage(1);
    await log.publish();
    await stage(1);
    const [key] = service.context.get(AuditLogConfig).AUDIT_LOG_KEYS;
    const signer = new NoteSigner(log.origin, key?.reveal() ?? Buffer.alloc(0));
    const ahead = signCheckpoint({ origin: log.origin, size: 9, root: Buffer.alloc(32) }, [signer]);
    await service.context.get(LogFiles).writeCheckpoint(ahead);
    await expect(log.publish()).rejects.toThrow('the public checkpoint is ahead of the database');
    expect(await log.latest()).toMatchObject({ size: 1 });
    expect(await service.context.get(LogFiles).checkpoint()).toBe(ahead);
  });

  it('AUD-14: never replaces a file by another content', async () => {
    await stage(2);
    const files = service.context.get(LogFiles);
    await files.write('tile/0/000.p/2', Buffer.alloc(64));
    await expect(log.publish()).rejects.toThrow(LogConflict);
    expect(await log.latest()).toBeUndefined();
    expect(await publicCheckpoint()).toBeUndefined();
  });

  it('AUD-14: does not continue tiles that it has not signed', async () => {
    await stage(2);
    await log.publish();
    await service.context.get(Objects).delete('audit-log/tile/0/000-p/2');
    await service.context.get(LogFiles).write('tile/0/000.p/2', Buffer.alloc(64));
    await stage(1);
    await expect(log.publish()).rejects.toThrow('the tiles of size 2 do not have the signed root');
    expect(await log.latest()).toMatchObject({ size: 2 });
  });

  it('AUD-14: does not continue under another name', async () => {
    await stage(1);
    const renamed = otherLog(service.context.get(Objects), { AUDIT_LOG_ORIGIN: 'other.example/log' });
    await expect(renamed.publish()).rejects.toThrow(LogConflict);
    await log.publish();
    expect(await renamed.stage(database(), [Buffer.from('x')])).toBeUndefined();
  });

  it('AUD-14: signs with both keys while the key changes', async () => {
    const next = randomBytes(32);
    const keys = [new Secret(next), ...service.context.get(AuditLogConfig).AUDIT_LOG_KEYS];
    const rotating = otherLog(service.context.get(Objects), { AUDIT_LOG_KEYS: keys });
    await stage(1);
    await rotating.publish();
    const { note = '' } = (await rotating.latest()) ?? {};
    const added = new NoteSigner(log.origin, next).key;
    for (const key of [...log.keys, added])
      expect(openCheckpoint(note, log.origin, [key]).signedBy).toEqual([key]);
    expect(rotating.keys.map(String)).toEqual([String(added), ...log.keys.map(String)]);
  });

  it('AUD-14: keeps every checkpoint that it has signed', async () => {
    await stage(1);
    await log.publish();
    const run = (text: string) => database().query({ name: `test.${text}`, text });
    await expect(run(`UPDATE audit_checkpoints SET note = ''`)).rejects.toMatchObject({ code: '42501' });
    await expect(run('DELETE FROM audit_checkpoints')).rejects.toMatchObject({ code: '42501' });
  });
});
