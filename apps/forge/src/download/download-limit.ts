import { Injectable } from '@nestjs/common';
import { LimitReached } from '@vaultsvc/contracts';
import { ConnectionClosed } from '@vaultsvc/http';
import { Counter, Gauge } from 'prom-client';
import { ForgeConfig } from '../config.js';
import { FairSemaphore, SemaphoreFull } from '../fairness/fair-semaphore.js';
import type { Permit } from '../fairness/permit.js';
import { TransferRate } from '../fairness/transfer-rate.js';
import type { Istk } from '../istk/istk.js';
import type { ForgeExchange } from '../exchange/forge-exchange.js';
import type { ResponseWritable } from './response-writable.js';

const running = new Gauge({
  name: 'vaultsvc_downloads_running',
  help: 'Downloads that are being sent at this moment.',
});
const refused = new Counter({
  name: 'vaultsvc_downloads_refused_total',
  help: 'Downloads refused with 429, by the limit that was reached: of the account, or of the process.',
  labelNames: ['limit'],
});
const ended = new Counter({
  name: 'vaultsvc_downloads_ended_total',
  help: 'Streaming downloads that ended because others waited and their clients read slower than DOWNLOAD_BYTES_PER_SECOND_MIN.',
});

const RETRY_AFTER_SECONDS = 5;

/**
 * Limits the downloads that a process sends concurrently, and so its memory and its connections to the store. An account at
 * its limit gets 429 at once. At the limit of the process a request waits first, because its own account cannot make room:
 * slow streaming downloads are ended for it.
 */
@Injectable()
export class DownloadLimit {
  readonly #semaphore: FairSemaphore;

  constructor(private readonly config: ForgeConfig) {
    const { DOWNLOADS_AT_ONCE_MAX: max, DOWNLOADS_PER_ACCOUNT_MAX: accountMax } = config;
    this.#semaphore = new FairSemaphore({
      max,
      accountMax,
      accountShare: accountMax,
      waitMs: config.TRANSFER_WAIT_MS,
    });
  }

  /** Runs the work, or throws TOO_MANY_DOWNLOADS (429, ENV-44). */
  async run<T>(
    { response }: ForgeExchange,
    { accountId }: Istk,
    work: (permit: Permit) => Promise<T>,
  ): Promise<T> {
    const permit = await this.#semaphore.acquire(accountId, response).catch((error: unknown) => {
      throw error instanceof SemaphoreFull ? tooMany(error) : error;
    });
    running.inc();
    try {
      return await work(permit);
    } finally {
      running.dec();
      permit.release();
    }
  }

  /**
   * Lets a streaming download be ended while others wait; its client resumes by Range. A single-use download cannot be
   * resumed and is never ended. Returns the function that stops the measurement of its rate.
   */
  allowEnding(permit: Permit, { terms }: Istk, body: ResponseWritable): () => void {
    if (terms.mode === 'once') return () => undefined;
    const rate = new TransferRate(body);
    permit.transfer = {
      get progressBytes() {
        return rate.windowBytes;
      },
      isSlow: () => rate.isBelow(this.config.DOWNLOAD_BYTES_PER_SECOND_MIN),
      end: () => {
        ended.inc();
        body.destroy(new ConnectionClosed('others waited, and the caller read too slowly'));
      },
    };
    return () => rate.stop();
  }
}

function tooMany({ scope, limit }: SemaphoreFull): LimitReached {
  refused.inc({ limit: scope });
  const resetsAt = Math.floor(Date.now() / 1_000) + RETRY_AFTER_SECONDS;
  return new LimitReached('TOO_MANY_DOWNLOADS', { limit, used: limit, resets_at: resetsAt });
}
