import { setTimeout as delay } from 'node:timers/promises';
import { AppError, type AccountContext } from '@vaultsvc/contracts';
import { createSpark, readSpark } from '@vaultsvc/contracts/sparks';
import type { Bus } from '@vaultsvc/messaging';
import { accountContext, deadlineIn, startHarness, type Harness } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import pg from 'pg';
import { buildService, migrateService, startInstance } from './service-instances.mjs';
import { injectInstanceFaults, type ServiceInstance } from './instance-faults.js';
import type { Race, RaceOutcome } from './race.js';

/** What is raced for. */
export interface Contest {
  /** How many race for each. */
  readonly rivals: number;
  /** How many are raced for at once. */
  readonly lanes: number;
  /** What whoever comes too late is told. */
  readonly tooLate: string;
  /** Makes one and gives what it is reached by. */
  make(bus: Bus, payload: string, owner: AccountContext): Promise<string>;
  /** Takes its content. */
  take(bus: Bus, handle: string, owner: AccountContext): Promise<string | undefined>;
}

export interface RaceOptions {
  /** Sparks, unless said. */
  readonly contest?: Contest;
  /** How many Sparks are raced for. */
  readonly count: number;
  /** Nobody is killed, paused or overtaken, and calls have time: then each is revealed, and exactly once. */
  readonly isUndisturbed?: boolean;
  /** Called now and then with the number of races that are over. */
  readonly onProgress?: (done: number, report: RaceReport) => void;
}

export interface RaceReport {
  readonly races: number;
  /** Sparks whose content left more than once: the number that must be 0. */
  doubleReveals: number;
  /** Sparks with more than one burn on record; finds a second reveal even where its answer came too late to be counted. */
  doubleBurns: number;
  /** Links that were consumed although their Spark was not burned, or the other way round. */
  inconsistentLinks: number;
  /** Answers that held another Spark's content. */
  wrongContents: number;
  revealed: number;
  /** Unread at first because their reader was killed with the lock, and read in the end. */
  recovered: number;
  /** Burned by a copy that was killed before it could answer: at most one disclosure is promised, not delivery. */
  lost: number;
  kills: number;
  /** How often each refusal was answered. */
  readonly refusals: Record<string, number>;
}

const INSTANCES = 3;
const CALL_SECONDS = 1.5;
const UNDISTURBED_CALL_SECONDS = 15;
/** Few enough that nobody's time is spent on waiting for others who race for something else. */
const UNDISTURBED_WORKERS = 4;
const STALE_EVERY_MS = 15;

/** A Spark that is read over the API. */
export const newSpark = {
  ttl_minutes: 60,
  content_type: 'text/plain',
  filename: null,
  with_kindling: false,
};

const readers: Contest = {
  rivals: 8,
  lanes: 32,
  tooLate: 'SPARK_BURNED',
  make: async (bus, payload, owner) =>
    (await bus.call(createSpark, { body: { payload, ...newSpark } }, owner)).spark_id,
  take: async (bus, id, owner) => (await bus.call(readSpark, { params: { spark_id: id } }, owner)).payload,
};

/**
 * Races readers for Sparks over three copies of the service as processes. Meanwhile copies are killed (SIGKILL) and
 * started again, paused for a moment, and every read lock is made stale at once, so that readers overtake each other
 * all the time.
 */
export async function runRaces({ contest = readers, ...options }: RaceOptions): Promise<RaceReport> {
  const harness = await startHarness();
  const bundle = await buildService('sparks');
  const environment = await harness.environment('sparks', { LOG_LEVEL: 'silent' });
  await migrateService(bundle, environment);
  const copies = await Promise.all(
    Array.from({ length: INSTANCES }, () => startInstance(bundle, environment)),
  );
  const database = new pg.Client({ connectionString: environment.DATABASE_URL });
  await database.connect();
  try {
    return await race(harness, copies, database, { contest, ...options });
  } finally {
    await Promise.all(copies.map((copy) => copy.kill()));
    await database.end();
    await harness.stop();
  }
}

async function race(
  harness: Harness,
  copies: ServiceInstance[],
  database: pg.Client,
  { contest, count, isUndisturbed = false, onProgress }: RaceOptions & { contest: Contest },
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
  const unrest = isUndisturbed
    ? []
    : [injectInstanceFaults(copies, report, stop.signal), makeStale(database, stop.signal)];
  const callSeconds = isUndisturbed ? UNDISTURBED_CALL_SECONDS : CALL_SECONDS;
  const unread: Runner[] = [];
  let begun = 0;
  let done = 0;
  const lane = async () => {
    while (begun < count) {
      const runner = new Runner(harness.bus, contest, report, ++begun, callSeconds);
      await runner.race();
      if (runner.reveals === 0) unread.push(runner);
      if (++done % 500 === 0) onProgress?.(done, report);
    }
  };
  const lanes = isUndisturbed ? Math.min(UNDISTURBED_WORKERS, contest.lanes) : contest.lanes;
  await Promise.all(Array.from({ length: lanes }, lane));
  stop.abort();
  await Promise.all(unrest);
  for (const runner of unread) await runner.settle(() => database.query(STALE));
  report.doubleBurns = (await database.query(BURNED_TWICE)).rows.length;
  report.inconsistentLinks = (await database.query(INCONSISTENT_LINKS)).rows.length;
  return report;
}

/** One Spark, its readers and what they were answered. */
class Runner {
  reveals = 0;
  #handle = '';
  readonly #payload: string;
  readonly #owner = accountContext();

  constructor(
    private readonly bus: Bus,
    private readonly contest: Contest,
    private readonly report: RaceReport,
    number: number,
    private readonly callSeconds: number,
  ) {
    this.#payload = `race ${number}`;
  }

  async race(): Promise<void> {
    await this.#create();
    await Promise.all(Array.from({ length: this.contest.rivals }, () => this.#take()));
    if (this.reveals > 0) this.report.revealed += 1;
    if (this.reveals > 1) this.report.doubleReveals += 1;
  }

  /**
   * After the unrest: whoever was killed with the lock has let go of it, so the Spark is read or it was burned. A read
   * whose caller has given up may still have the lock.
   */
  async settle(letGo: () => Promise<unknown>): Promise<void> {
    const take = () => letGo().then(() => this.#take(UNDISTURBED_CALL_SECONDS));
    await eventually(take, (refusal) => refusal === undefined || refusal === this.contest.tooLate);
    if (this.reveals === 1) this.report.recovered += 1;
    else this.report.lost += 1;
  }

  /** A create whose answer is lost with its copy leaves a Spark that nobody knows; the next try makes another. */
  async #create(): Promise<void> {
    for (let attempt = 0; attempt < 20; attempt++) {
      const made = this.contest.make(this.bus, this.#payload, this.#caller());
      const handle = await made.catch((error: unknown) => void this.#refused(error));
      if (handle !== undefined) return void (this.#handle = handle);
      await delay(100);
    }
    throw new Error('no copy of the service makes Sparks any more');
  }

  async #take(seconds = this.callSeconds): Promise<string | undefined> {
    try {
      const payload = await this.contest.take(this.bus, this.#handle, this.#caller(seconds));
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

const STALE = `UPDATE sparks SET locked_at = locked_at - interval '31 seconds' WHERE status = 'reading'`;

const BURNED_TWICE = `
  SELECT 1 FROM outbox WHERE name = 'sparks.read' GROUP BY payload->>'spark_id' HAVING count(*) > 1`;

const INCONSISTENT_LINKS = `
  SELECT 1 FROM sparklinks l JOIN sparks s ON s.id = l.asset_id WHERE (s.status = 'ash') <> (l.status = 'consumed')`;

/** Ages every read lock past its 30 seconds, as waiting would. */
async function makeStale(database: pg.Client, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await database.query(STALE);
    await delay(STALE_EVERY_MS);
  }
}

/** The outcome in one line. */
export function summaryOf(report: RaceReport): string {
  const refusals = Object.entries(report.refusals).map(([reason, times]) => `${times} ${reason}`);
  return (
    `${report.races} races, ${report.kills} kills: ${report.doubleReveals} double reveals, ${report.doubleBurns} double burns, ${report.inconsistentLinks} inconsistentLinks links, ${report.wrongContents} wrong contents; ` +
    `${report.revealed} revealed once, ${report.recovered} after recovery, ${report.lost} lost with a killed copy (${refusals.join(', ')})`
  );
}

export function isClean(report: RaceReport): boolean {
  const accounted = report.revealed + report.recovered + report.lost === report.races;
  return (
    accounted &&
    report.doubleReveals + report.doubleBurns + report.inconsistentLinks + report.wrongContents === 0
  );
}

/** Runs a race and tells how it goes. */
export async function runContest(
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

/** For `npm run races -- sparks`. */
export const sparkRace: Race = {
  countDefault: 10_000,
  run: (count, reportProgress) => runContest({ contest: readers, count }, reportProgress),
};
