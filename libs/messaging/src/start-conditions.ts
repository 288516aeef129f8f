import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';

/** Something that must have worked once before this instance accepts calls and events. */
export interface StartCondition {
  /** Shown by `/readyz`. */
  readonly name: string;
  /** Resolves, or throws what is wrong. */
  readonly check: () => Promise<void>;
}

const RETRY_AFTER_MS = 1_000;
const LOG_EVERY_ATTEMPTS = 30;

/**
 * What must have worked once before this instance joins the queue groups of its service: an instance that can answer no call would
 * take its share of them, and a rollout of wrong settings would replace each that can. Once met a condition stays met: a dependency
 * that fails later is the business of readiness checks and of the calls that need it.
 */
@Injectable()
export class StartConditions implements BeforeApplicationShutdown {
  readonly #logger = new Logger('start');
  readonly #unmet = new Set<StartCondition>();
  readonly #stopped = new AbortController();

  /** Adds a condition, before the service starts. */
  add(name: string, check: () => Promise<void>): void {
    this.#unmet.add({ name, check });
  }

  /** The names of those that have not been met. */
  get unmet(): readonly string[] {
    return [...this.#unmet].map(({ name }) => name);
  }

  /** Tries all that are left once. Returns whether none is. */
  async attempt(): Promise<boolean> {
    await this.#tryAll(1);
    return this.#unmet.size === 0;
  }

  /** Tries until all are met; without effect after a shutdown has begun. */
  async whenMet(work: () => Promise<void>): Promise<void> {
    for (let attempt = 2; this.#unmet.size > 0; attempt += 1) {
      await delay(RETRY_AFTER_MS, undefined, { signal: this.#stopped.signal, ref: false }).catch(
        () => undefined,
      );
      if (this.#stopped.signal.aborted) return;
      await this.#tryAll(attempt);
    }
    await work();
    this.#logger.log({ msg: 'all conditions of the start are met' });
  }

  beforeApplicationShutdown(): void {
    this.#stopped.abort();
  }

  async #tryAll(attempt: number): Promise<void> {
    await Promise.all([...this.#unmet].map((condition) => this.#try(condition, attempt)));
  }

  async #try(condition: StartCondition, attempt: number): Promise<void> {
    try {
      await condition.check();
      this.#unmet.delete(condition);
    } catch (error) {
      if (attempt % LOG_EVERY_ATTEMPTS !== 1) return;
      this.#logger.error({
        msg: 'not ready: this must work once before calls are accepted',
        condition: condition.name,
        err: error,
      });
    }
  }
}
