import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { Counter, Gauge } from 'prom-client';
import { ForgeConfig } from '../config.js';
import { FairSemaphore, SemaphoreFull } from '../fairness/fair-semaphore.js';
import type { Permit } from '../fairness/permit.js';
import type { ForgeExchange } from '../exchange/forge-exchange.js';

const receiving = new Gauge({
  name: 'vaultsvc_chunks_receiving',
  help: 'Chunks that are being received at this moment.',
});
const refused = new Counter({
  name: 'vaultsvc_chunks_refused_total',
  help: 'Chunks refused by the limit of the account, or of the process after a wait.',
  labelNames: ['limit'],
});

/** An account that is alone leaves room for the first chunks of others, which then need not wait. */
const ACCOUNT_MAX = 7 / 8;
const ACCOUNT_SHARE = 1 / 4;

/**
 * Limits the chunks that a process receives concurrently, and so its memory and file handles. While chunks of others wait,
 * an account is limited to a quarter of them; its further chunks are ended, and clients resume them.
 */
@Injectable()
export class ChunkConcurrencyLimit {
  readonly #semaphore: FairSemaphore;

  constructor({ CHUNKS_AT_ONCE_MAX: max, TRANSFER_WAIT_MS: waitMs }: ForgeConfig) {
    const [accountMax, accountShare] = [Math.ceil(max * ACCOUNT_MAX), Math.ceil(max * ACCOUNT_SHARE)];
    this.#semaphore = new FairSemaphore({ max, accountMax, accountShare, waitMs });
  }

  /**
   * Runs the work, or throws INTERNAL_ERROR: tus clients retry it, perhaps at another instance, and give up after 429. The
   * body is unread meanwhile.
   */
  async run<T>(
    { response }: ForgeExchange,
    accountId: string,
    work: (permit: Permit) => Promise<T>,
  ): Promise<T> {
    const permit = await this.#semaphore.acquire(accountId, response).catch((error: unknown) => {
      throw error instanceof SemaphoreFull ? limitReached(error) : error;
    });
    receiving.inc();
    try {
      return await work(permit);
    } finally {
      receiving.dec();
      permit.release();
    }
  }
}

function limitReached(cause: SemaphoreFull): AppError {
  refused.inc({ limit: cause.scope });
  return new AppError('INTERNAL_ERROR', undefined, { cause });
}
