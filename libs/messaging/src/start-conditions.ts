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
const LOG_EVERY_MS = 30_000;

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
  #loggedAtMs = -Infinity;
  #isAccepting = false;

  /** Adds a condition, before the service starts. */
  add(name: string, check: () => Promise<void>): void {
    this.#unmet.add({ name, check });
  }

  /** The names of those that have not been met, or what else is left to do; empty once the instance accepts calls. */
  get waitingFor(): readonly string[] {
    if (this.#isAccepting) return [];
    return this.#unmet.size > 0 ? [...this.#unmet].map(({ name }) => name) : ['subscriptions'];
  }

  /**
   * Runs `accept` now if all conditions are met, and resolves after it. Otherwise resolves at once, and runs it as soon as they are, unless
   * a shutdown has begun.
   * @throws what `accept` throws when it runs now
   */
  async whenMet(accept: () => Promise<void>): Promise<void> {
    await this.#tryAll();
    if (this.#unmet.size === 0) return this.#run(accept);
    this.#retry(accept).catch((error: unknown) => {
      this.#logger.fatal({ msg: 'calls cannot be accepted', err: error });
      // Nothing would try again: the process ends, and its supervisor starts another.
      setImmediate(() => {
        throw error;
      });
    });
  }

  beforeApplicationShutdown(): void {
    this.#stopped.abort();
  }

  async #retry(accept: () => Promise<void>): Promise<void> {
    while (this.#unmet.size > 0) {
      await delay(RETRY_AFTER_MS, undefined, { signal: this.#stopped.signal, ref: false }).catch(
        () => undefined,
      );
      if (this.#stopped.signal.aborted) return;
      await this.#tryAll();
    }
    await this.#run(accept);
    if (this.#isAccepting) this.#logger.log({ msg: 'all conditions of the start are met' });
  }

  /** A check may have lasted until after the shutdown began, which nothing may follow. */
  async #run(accept: () => Promise<void>): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    await accept();
    this.#isAccepting = true;
  }

  async #tryAll(): Promise<void> {
    const isLogged = performance.now() - this.#loggedAtMs >= LOG_EVERY_MS;
    if (isLogged) this.#loggedAtMs = performance.now();
    await Promise.all([...this.#unmet].map((condition) => this.#try(condition, isLogged)));
  }

  async #try(condition: StartCondition, isLogged: boolean): Promise<void> {
    try {
      await condition.check();
      this.#unmet.delete(condition);
    } catch (error) {
      if (!isLogged) return;
      this.#logger.error({
        msg: 'not ready: this must work once before calls are accepted',
        condition: condition.name,
        err: error,
      });
    }
  }
}
