import { setTimeout as delay } from 'node:timers/promises';
import { createSpark, readSpark } from '@vaultsvc/contracts/sparks';
import { injectInstanceFaults } from './instance-faults.js';
import type { Race, RaceOutcome } from './race.js';
import { startOneShard, type RaceSite } from './race-site.js';
import {
  newReport,
  SingleUseRace,
  UNDISTURBED_CALL_SECONDS,
  type RaceReport,
  type SingleUseResource,
} from './single-use-race.js';

export interface RaceOptions {
  /** Default: Sparks. */
  readonly resource?: SingleUseResource;
  /** Default: one shard, on the servers of the run. */
  readonly site?: () => Promise<RaceSite>;
  /** The number of Sparks. */
  readonly count: number;
  /** Without faults and with long deadlines: each resource must be revealed exactly once. */
  readonly isUndisturbed?: boolean;
  /** Called after some of the races with the number of finished ones. */
  readonly onProgress?: (done: number, report: RaceReport) => void;
}

const CALL_SECONDS = 1.5;
/** Few, so that no call misses its deadline while it queues behind other races. */
const UNDISTURBED_WORKERS = 4;
const EXPIRE_EVERY_MS = 15;

/** The options of a Spark that is read over the API. */
export const sparkOptions = {
  ttl_minutes: 60,
  content_type: 'text/plain',
  filename: null,
  with_kindling: false,
};

const sparkReads: SingleUseResource = {
  callersEach: 8,
  workers: 32,
  lostReason: 'SPARK_BURNED',
  // Large ones are locked before they are decrypted; the others are not while their key is in memory (ADR 26).
  payloadOf: (number) => `race ${number}${number % 3 === 0 ? ' '.repeat(40_000) : ''}`,
  create: async (bus, payload, owner) =>
    (await bus.call(createSpark, { body: { payload, ...sparkOptions } }, owner)).spark_id,
  consume: async (bus, id, owner) => (await bus.call(readSpark, { params: { spark_id: id } }, owner)).payload,
};

/**
 * Lets callers race for each resource over processes of sparks. During the races the processes are killed (SIGKILL),
 * restarted and paused, and every read lock expires within milliseconds, so that readers take over each other's locks.
 */
export async function runRaces({
  resource = sparkReads,
  site: start = startOneShard,
  ...options
}: RaceOptions): Promise<RaceReport> {
  const site = await start();
  try {
    return await race(site, { resource, ...options });
  } finally {
    await site.stop();
  }
}

async function race(
  site: RaceSite,
  { resource, count, isUndisturbed = false, onProgress }: RaceOptions & { resource: SingleUseResource },
): Promise<RaceReport> {
  const report = newReport(count);
  const stop = new AbortController();
  let started = 0;
  let done = 0;
  const faults = isUndisturbed ? [] : startFaults(site, report, stop.signal, () => done / count);
  const callSeconds = isUndisturbed ? UNDISTURBED_CALL_SECONDS : CALL_SECONDS;
  const unread: SingleUseRace[] = [];
  const work = async () => {
    while (started < count) {
      const number = ++started;
      const one = new SingleUseRace(site.bus, resource, report, site.newOwner(number), number, callSeconds);
      await one.race();
      if (one.reveals === 0) unread.push(one);
      if (++done % 500 === 0) onProgress?.(done, report);
    }
  };
  const workers = isUndisturbed ? Math.min(UNDISTURBED_WORKERS, resource.workers) : resource.workers;
  await Promise.all(Array.from({ length: workers }, work));
  stop.abort();
  await Promise.all(faults);
  for (const one of unread) await one.settle(() => queryAll(site, EXPIRE_READ_LOCKS));
  report.doubleBurns = (await queryAll(site, BURNED_TWICE)).length;
  report.inconsistentLinks = (await queryAll(site, INCONSISTENT_LINKS)).length;
  return report;
}

function startFaults(
  site: RaceSite,
  report: RaceReport,
  signal: AbortSignal,
  progress: () => number,
): Promise<void>[] {
  return [
    injectInstanceFaults(site.instances, report, signal),
    expireReadLocks(site, signal),
    ...(site.disturb ? [site.disturb(signal, progress)] : []),
  ];
}

async function queryAll({ databases }: RaceSite, text: string): Promise<unknown[]> {
  return (await Promise.all(databases.map((database) => database.query(text)))).flat();
}

const EXPIRE_READ_LOCKS = `UPDATE sparks SET locked_at = locked_at - interval '31 seconds' WHERE status = 'reading'`;

const BURNED_TWICE = `
  SELECT 1 FROM recorded_events WHERE name = 'sparks.read' GROUP BY payload->>'spark_id' HAVING count(*) > 1`;

const INCONSISTENT_LINKS = `
  SELECT 1 FROM sparklinks l JOIN sparks s ON s.id = l.asset_id WHERE (s.status = 'ash') <> (l.status = 'consumed')`;

/** Expires every read lock, which otherwise takes 30 seconds, until the signal. */
async function expireReadLocks(site: RaceSite, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await queryAll(site, EXPIRE_READ_LOCKS);
    await delay(EXPIRE_EVERY_MS);
  }
}

/** The outcome in one line. */
export function summaryOf(report: RaceReport): string {
  const refusals = Object.entries(report.refusals).map(([reason, times]) => `${times} ${reason}`);
  return (
    `${report.races} races, ${report.kills} kills: ${report.doubleReveals} double reveals, ${report.doubleBurns} double burns, ${report.inconsistentLinks} inconsistent links, ${report.wrongContents} wrong contents; ` +
    `${report.revealed} revealed once, ${report.recovered} after recovery, ${report.lost} lost with a killed instance (${refusals.join(', ')})`
  );
}

export function isClean(report: RaceReport): boolean {
  const accounted = report.revealed + report.recovered + report.lost === report.races;
  return (
    accounted &&
    report.doubleReveals + report.doubleBurns + report.inconsistentLinks + report.wrongContents === 0
  );
}

/** Runs the races, reports progress, and summarizes the outcome. */
export async function runAndSummarize(
  options: RaceOptions,
  reportProgress: (line: string) => void,
): Promise<RaceOutcome> {
  const { count, isUndisturbed = false } = options;
  const report = await runRaces({
    ...options,
    onProgress: (done, { doubleReveals, kills }) =>
      reportProgress(`${done} of ${count} races, ${kills} kills, ${doubleReveals} double reveals`),
  });
  const clean = isClean(report) && (!isUndisturbed || report.revealed === count);
  return { summary: summaryOf(report), clean };
}

/** `npm run races -- sparks`. */
export const sparkRace: Race = {
  countDefault: 10_000,
  run: (count, reportProgress) => runAndSummarize({ resource: sparkReads, count }, reportProgress),
};
