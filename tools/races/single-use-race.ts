import { setTimeout as delay } from 'node:timers/promises';
import { AppError, type AccountContext } from '@vaultsvc/contracts';
import type { Bus } from '@vaultsvc/messaging';
import { deadlineIn } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';

/** A failover takes some seconds. */
const CREATE_SECONDS_MAX = 30;
/** Of a call that no fault disturbs. */
export const UNDISTURBED_CALL_SECONDS = 15;

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

/** @param races how many there will be */
export function newReport(races: number): RaceReport {
  return {
    races,
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
}

/** One resource, its callers and their results. */
export class SingleUseRace {
  reveals = 0;
  #handle = '';
  readonly #payload: string;

  constructor(
    private readonly bus: Bus,
    private readonly resource: SingleUseResource,
    private readonly report: RaceReport,
    private readonly owner: AccountContext,
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
    for (const end = deadlineIn(CREATE_SECONDS_MAX); Date.now() < end;) {
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
    return { ...this.owner, deadlineMs: deadlineIn(seconds) };
  }

  #refused(error: unknown): string {
    if (!(error instanceof AppError)) throw error;
    this.report.refusals[error.reason] = (this.report.refusals[error.reason] ?? 0) + 1;
    return error.reason;
  }
}
