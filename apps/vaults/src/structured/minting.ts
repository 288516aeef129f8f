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
import { assertInTime } from '../lane.js';

/** A value that is to leave as a Spark. */
export interface ValueToMint {
  readonly sparkId: string;
  readonly contentType: string;
  /** Of what `open` gives. */
  readonly sizeBytes: number;
  /** Its text. Called when its batch is sent, so that no more than a batch is ever in clear. */
  readonly open: () => Buffer;
}

/** Has sparks make Sparks of values. Whoever asks has drawn their ids, and can give up what it got no answer for. */
@Injectable()
export class Minting {
  constructor(private readonly bus: Bus) {}

  /**
   * When each of them expires, in epoch seconds, in their order. What fails may have minted some: they are to be given up
   * then (`SparkClaims`). Throws `Busy` when it takes too long, INTERNAL_ERROR when sparks does not make them, and what
   * `open` throws.
   */
  async mint(
    values: readonly ValueToMint[],
    owner: SparkOwner,
    ttlSeconds: number,
    { requestId, deadlineMs }: AccountContext,
  ): Promise<number[]> {
    const errand = serviceContext(requestId, deadlineMs);
    const expiries: number[] = [];
    for (const batch of batchesOf(values)) {
      assertInTime(deadlineMs);
      const body = { ...owner, ttl_seconds: ttlSeconds, sparks: batch.map(sparkOf) };
      const { expires_at } = await this.bus.call(mintSparks, { body }, errand).catch(failLoudly);
      expiries.push(...batch.map(() => expires_at));
    }
    return expiries;
  }
}

/** In their order, each as many as a message takes. */
function batchesOf(values: readonly ValueToMint[]): ValueToMint[][] {
  const batches: ValueToMint[][] = [];
  let room = 0;
  for (const value of values) {
    const last = batches.at(-1);
    room -= value.sizeBytes;
    if (last && room >= 0 && last.length < MINT_SPARKS_MAX) {
      last.push(value);
    } else {
      batches.push([value]);
      room = MINT_BYTES_MAX - value.sizeBytes;
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

/** Nothing that sparks refuses here is the caller's fault: it would be told 400 for our own mistake. */
function failLoudly(error: unknown): never {
  throw new AppError('INTERNAL_ERROR', undefined, { cause: error });
}
