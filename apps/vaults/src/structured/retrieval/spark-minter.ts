import { Injectable } from '@nestjs/common';
import { AppError, serviceContext, type AccountContext } from '@vaultsvc/contracts';
import {
  MINT_BYTES_MAX,
  MINT_SPARKS_MAX,
  mintSparks,
  type SparkOwner,
  type SparkToMint,
} from '@vaultsvc/contracts/sparks';
import { Bus } from '@vaultsvc/messaging';
import { assertBeforeDeadline } from '../../priority-semaphore.js';

/** A value to be released as a Spark. */
export interface ValueToMint {
  readonly sparkId: string;
  readonly contentType: string;
  /** Of the plaintext. */
  readonly sizeBytes: number;
  /** Decrypts the value. Called when its batch is sent, so that at most one batch is in memory as plaintext. */
  readonly open: () => Buffer;
}

/** Asks sparks to create Sparks of values. The caller generates their ids, so that it can revoke them after a failure. */
@Injectable()
export class SparkMinter {
  constructor(private readonly bus: Bus) {}

  /**
   * Returns their expiry times in epoch seconds, in the order of the values. A failed call may have created some of them:
   * the caller then abandons its claim (`SparkClaimRepository`). Throws `Busy` near the deadline, INTERNAL_ERROR when
   * sparks fails, and what `open` throws.
   */
  async mint(
    values: readonly ValueToMint[],
    owner: SparkOwner,
    ttlSeconds: number,
    context: AccountContext,
  ): Promise<number[]> {
    const callContext = serviceContext(context);
    const expiries: number[] = [];
    for (const batch of batchesOf(values)) {
      assertBeforeDeadline(context.deadlineMs);
      const body = { ...owner, ttl_seconds: ttlSeconds, sparks: batch.map(sparkOf) };
      const { expires_at } = await this.bus.call(mintSparks, { body }, callContext).catch(asInternalError);
      expiries.push(...batch.map(() => expires_at));
    }
    return expiries;
  }
}

/** Consecutive batches, each as large as a message may be. */
function batchesOf(values: readonly ValueToMint[]): ValueToMint[][] {
  const batches: ValueToMint[][] = [];
  let freeBytes = 0;
  for (const value of values) {
    const last = batches.at(-1);
    freeBytes -= value.sizeBytes;
    if (last && freeBytes >= 0 && last.length < MINT_SPARKS_MAX) {
      last.push(value);
    } else {
      batches.push([value]);
      freeBytes = MINT_BYTES_MAX - value.sizeBytes;
    }
  }
  return batches;
}

function sparkOf({ sparkId, contentType, open }: ValueToMint): SparkToMint {
  const content = open();
  try {
    return { spark_id: sparkId, content_type: contentType, content: content.toString('base64') };
  } finally {
    content.fill(0);
  }
}

/** An error of sparks is never the caller's fault here: passed through, it could answer 400 for a bug of ours. */
function asInternalError(error: unknown): never {
  throw new AppError('INTERNAL_ERROR', undefined, { cause: error });
}
