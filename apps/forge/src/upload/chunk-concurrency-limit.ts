import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { Counter, Gauge } from 'prom-client';
import { ForgeConfig } from '../config.js';

const receiving = new Gauge({
  name: 'vaultsvc_chunks_receiving',
  help: 'Chunks that are being received at this moment.',
});
const refused = new Counter({
  name: 'vaultsvc_chunks_refused_total',
  help: 'Chunks that were refused because CHUNKS_AT_ONCE_MAX others were being received, or seven eighths of that for the account.',
});

/** One account's slow uploads must not block those of others. */
const ACCOUNT_SHARE_MAX = 7 / 8;

/** tus clients retry after INTERNAL_ERROR, and may reach another instance. */
class ConcurrencyLimitReached extends Error {
  override readonly name = 'ConcurrencyLimitReached';
}

/** Limits the chunks that a process receives concurrently, and so its memory and file handles. */
@Injectable()
export class ChunkConcurrencyLimit {
  #running = 0;
  readonly #runningByAccount = new Map<string, number>();

  constructor(private readonly config: ForgeConfig) {}

  /** Runs the work, or throws INTERNAL_ERROR at the limit of the process or of the account. */
  async run<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    if (!this.#isBelowLimit(accountId)) throw this.#limitReached();
    this.#count(accountId, 1);
    receiving.inc();
    try {
      return await work();
    } finally {
      this.#count(accountId, -1);
      receiving.dec();
    }
  }

  #isBelowLimit(accountId: string): boolean {
    const { CHUNKS_AT_ONCE_MAX: max } = this.config;
    return this.#running < max && this.#runningOf(accountId) < Math.ceil(max * ACCOUNT_SHARE_MAX);
  }

  #runningOf(accountId: string): number {
    return this.#runningByAccount.get(accountId) ?? 0;
  }

  #count(accountId: string, change: 1 | -1): void {
    this.#running += change;
    const running = this.#runningOf(accountId) + change;
    if (running > 0) this.#runningByAccount.set(accountId, running);
    else this.#runningByAccount.delete(accountId);
  }

  #limitReached(): AppError {
    refused.inc();
    return new AppError('INTERNAL_ERROR', undefined, {
      cause: new ConcurrencyLimitReached('this process receives no more chunks, or no more of this account'),
    });
  }
}
