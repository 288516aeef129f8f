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

/** Slow uploads of one account leave room for others. */
const ACCOUNT_SHARE_MAX = 7 / 8;

/** Every seat is taken, or every one for this account. Clients of tus come again after an INTERNAL_ERROR, and find another copy or a free seat. */
class ConcurrencyLimitReached extends Error {
  override readonly name = 'Full';
}

/** What bounds the memory and the file handles of a process: so many chunks at once and no more. */
@Injectable()
export class ChunkConcurrencyLimit {
  #taken = 0;
  readonly #takenBy = new Map<string, number>();

  constructor(private readonly config: ForgeConfig) {}

  /** Runs the work in a seat, or throws INTERNAL_ERROR when there is none, or none for this account. */
  async run<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    if (!this.#hasSeatFor(accountId)) throw this.#full();
    this.#count(accountId, 1);
    receiving.inc();
    try {
      return await work();
    } finally {
      this.#count(accountId, -1);
      receiving.dec();
    }
  }

  #hasSeatFor(accountId: string): boolean {
    const { CHUNKS_AT_ONCE_MAX: max } = this.config;
    return this.#taken < max && this.#heldBy(accountId) < Math.ceil(max * ACCOUNT_SHARE_MAX);
  }

  #heldBy(accountId: string): number {
    return this.#takenBy.get(accountId) ?? 0;
  }

  #count(accountId: string, change: 1 | -1): void {
    this.#taken += change;
    const held = this.#heldBy(accountId) + change;
    if (held > 0) this.#takenBy.set(accountId, held);
    else this.#takenBy.delete(accountId);
  }

  #full(): AppError {
    refused.inc();
    return new AppError('INTERNAL_ERROR', undefined, {
      cause: new ConcurrencyLimitReached('all seats for chunks are taken, or all that this account may have'),
    });
  }
}
