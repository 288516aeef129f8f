import { setTimeout as delay } from 'node:timers/promises';
import { AppError, type AccountContext } from '@vaultsvc/contracts';
import { createSpark, readSpark } from '@vaultsvc/contracts/sparks';
import type { Bus } from '@vaultsvc/messaging';
import { accountContext, deadlineIn, startHarness, type Harness } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import pg from 'pg';
import { buildService, migrateService, startInstance } from './service-instances.ts';
import { injectInstanceFaults, type ServiceInstance } from './instance-faults.js';
import type { Race, RaceOutcome } from './race.js';

/** A resource whose content may be revealed once, and the calls that race for it. */
export interface SingleUseResource {
  /** Concurrent callers for each resource. */
  readonly callersEach: number;
  /** Concurrent races. */
  readonly workers: number;
  /** The reason of the error after the resource was consumed. */
  readonly lostReason: string;
  /** The content of the resource with this number; by default a few characters. */
  payloadOf?(number: number): string;
  /** Creates a resource and returns its id or code. */
  create(bus: Bus, payload: string, owner: AccountContext): Promise<string>;
  /** Consumes the resource and returns its content. */
  consume(bus: Bus, handle: string, owner: AccountContext): Promise<string | undefined>;
}

export interface RaceOptions {
  /** Default: Sparks. */
  readonly resource?: SingleUseResource;
  /** The number of Sparks. */
  readonly count: number;
  /** Without faults and with long deadlines: each resource must be revealed exactly once. */
  readonly isUndisturbed?: boolean;
  /** Called after some of the races with the number of finished ones. */
  readonly onProgress?: (done: number, report: RaceReport) => void;
}

export interface RaceReport {
  readonly races: number;
  /** Sparks whose content was answered more than once. Must be 0. */
  doubleReveals: number;
  /** Sparks with more than one burn event, which finds a second reveal even if its answer missed the deadline. Must be 0. */
  doubleBurns: number;
  /** Links that are consumed although their Spark is not burned, or the reverse. Must be 0. */
  inconsistentLinks: number;
  /** Answers with another Spark's content. Must be 0. */
  wrongContents: number;
  revealed: number;
  /** Revealed only after the faults, because the instance that held the lock was killed. */
  recovered: number;
  /** Burned by an instance that was killed before it answered: the guarantee is at most one disclosure, not delivery. */
  lost: number;
  kills: number;
  /** The number of errors by reason. */
  readonly refusals: Record<string, number>;
}

const INSTANCES = 3;
const CALL_SECONDS = 1.5;
const UNDISTURBED_CALL_SECONDS = 15;
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
 * Lets callers race for each resource over three processes of sparks. During the races the processes are killed (SIGKILL),
 * restarted and paused, and every read lock expires within milliseconds, so that readers take over each other's locks.
 */
export async function runRaces({ resource = sparkReads, ...options }: RaceOptions): Promise<RaceReport> {
  const harness = await startHarness();
  const bundle = await buildService('sparks');
  const environment = await harness.environment('sparks', { LOG_LEVEL: 'silent' });
  await migrateService(bundle, environment);
  const instances = await Promise.all(
    Array.from({ length: INSTANCES }, () => startInstance(bundle, environment)),
  );
  const database = new pg.Client({ connectionString: environment.DATABASE_URL });
  await database.connect();
  try {
    return await race(harness, instances, database, { resource, ...options });
  } finally {
    await Promise.all(instances.map((instance) => instance.kill()));
    await database.end();
    await harness.stop();
  }
}

async function race(
  harness: Harness,
  instances: ServiceInstance[],
  database: pg.Client,
  { resource, count, isUndisturbed = false, onProgress }: RaceOptions & { resource: SingleUseResource },
): Promise<RaceReport> {
  const report: RaceReport = {
    races: count,
    doubleReveals: 0,
    doubleBurns: 0,
    inconsistentLinks: 0,
    wrongContents: 0,
    revealed: 0,
    recovered: 0,
    lost: 0,
    kills: 0,
    refusals: {},
  };
  const stop = new AbortController();
  const faults = isUndisturbed
    ? []
    : [injectInstanceFaults(instances, report, stop.signal), expireReadLocks(database, stop.signal)];
  const callSeconds = isUndisturbed ? UNDISTURBED_CALL_SECONDS : CALL_SECONDS;
  const unread: SingleUseRace[] = [];
  let started = 0;
  let done = 0;
  const work = async () => {
    while (started < count) {
      const one = new SingleUseRace(harness.bus, resource, report, ++started, callSeconds);
      await one.race();
      if (one.reveals === 0) unread.push(one);
      if (++done % 500 === 0) onProgress?.(done, report);
    }
  };
  const workers = isUndisturbed ? Math.min(UNDISTURBED_WORKERS, resource.workers) : resource.workers;
  await Promise.all(Array.from({ length: workers }, work));
  stop.abort();
  await Promise.all(faults);
  for (const one of unread) await one.settle(() => database.query(EXPIRE_READ_LOCKS));
  report.doubleBurns = (await database.query(BURNED_TWICE)).rows.length;
  report.inconsistentLinks = (await database.query(INCONSISTENT_LINKS)).rows.length;
  return report;
}

/** One resource, its callers and their results. */
class SingleUseRace {
  reveals = 0;
  #handle = '';
  readonly #payload: string;
  readonly #owner = accountContext();

  constructor(
    private readonly bus: Bus,
    private readonly resource: SingleUseResource,
    private readonly report: RaceReport,
    number: number,
    private readonly callSeconds: number,
  ) {
    this.#payload = resource.payloadOf?.(number) ?? `race ${number}`;
  }

  async race(): Promise<void> {
    await this.#create();
    await Promise.all(Array.from({ length: this.resource.callersEach }, () => this.#consume()));
    if (this.reveals > 0) this.report.revealed += 1;
    if (this.reveals > 1) this.report.doubleReveals += 1;
  }

  /**
   * Consumes the resource after the faults, or finds that it was consumed without an answer. Locks of killed instances, and
   * of reads past their deadline, are made to expire first.
   */
  async settle(expireLocks: () => Promise<unknown>): Promise<void> {
    const consume = () => expireLocks().then(() => this.#consume(UNDISTURBED_CALL_SECONDS));
    await eventually(consume, (refusal) => refusal === undefined || refusal === this.resource.lostReason);
    if (this.reveals === 1) this.report.recovered += 1;
    else this.report.lost += 1;
  }

  /** Retries with a new resource: one whose creation was not answered remains unused. */
  async #create(): Promise<void> {
    for (let attempt = 0; attempt < 20; attempt++) {
      const created = this.resource.create(this.bus, this.#payload, this.#caller());
      const handle = await created.catch((error: unknown) => void this.#refused(error));
      if (handle !== undefined) return void (this.#handle = handle);
      await delay(100);
    }
    throw new Error('no instance of the service creates Sparks');
  }

  async #consume(seconds = this.callSeconds): Promise<string | undefined> {
    try {
      const payload = await this.resource.consume(this.bus, this.#handle, this.#caller(seconds));
      this.reveals += 1;
      if (payload !== this.#payload) this.report.wrongContents += 1;
      return undefined;
    } catch (error) {
      return this.#refused(error);
    }
  }

  #caller(seconds = this.callSeconds) {
    return { ...this.#owner, deadlineMs: deadlineIn(seconds) };
  }

  #refused(error: unknown): string {
    if (!(error instanceof AppError)) throw error;
    this.report.refusals[error.reason] = (this.report.refusals[error.reason] ?? 0) + 1;
    return error.reason;
  }
}

const EXPIRE_READ_LOCKS = `UPDATE sparks SET locked_at = locked_at - interval '31 seconds' WHERE status = 'reading'`;

const BURNED_TWICE = `
  SELECT 1 FROM recorded_events WHERE name = 'sparks.read' GROUP BY payload->>'spark_id' HAVING count(*) > 1`;

const INCONSISTENT_LINKS = `
  SELECT 1 FROM sparklinks l JOIN sparks s ON s.id = l.asset_id WHERE (s.status = 'ash') <> (l.status = 'consumed')`;

/** Expires every read lock, which otherwise takes 30 seconds, until the signal. */
async function expireReadLocks(database: pg.Client, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await database.query(EXPIRE_READ_LOCKS);
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
