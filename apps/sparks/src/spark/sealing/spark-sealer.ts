import { Injectable } from '@nestjs/common';
import {
  isSplitHalf,
  openContent,
  openSplit,
  sealContent,
  type SealContext,
  sealSplit,
} from '@vaultsvc/crypto/aead';
import { SparksConfig } from '../../config.js';
import { EpochKeys } from '../../epoch-keys/epoch-keys.js';
import { newKey, unwrapDek, withKey, wrapDek, type SparkIdentity } from './spark-key.js';

export interface SparkPlaintext {
  readonly spark: SparkIdentity;
  readonly content: Buffer;
}

export interface SealedSpark {
  /** The epoch key, that of an hour, under which it is sealed. */
  readonly kid: string;
  /** The Spark's half of its key, or its key wrapped by the epoch key. */
  readonly wrappedDek: Buffer;
  readonly ciphertext: Buffer;
}

/** Seals a content under the epoch key, without the name of that key. */
type SealUnder = (epochKey: Buffer, spark: SparkIdentity, content: Buffer) => Omit<SealedSpark, 'kid'>;

/**
 * Seals each Spark under the epoch key of the hour and a half of its own (`sealSplit`). Deleting either destroys the content: the
 * burn deletes the half; the epoch key is deleted a day after its hour, in a database of its own, which covers backups, too
 * (ADR 21). Release 0.1 seals under a key of the Spark's own (DEK), which the epoch key wraps; both forms are opened (ADR 58).
 */
@Injectable()
export class SparkSealer {
  readonly #sealUnder: SealUnder;

  constructor(
    private readonly keys: EpochKeys,
    { OLDEST_RELEASE: oldest }: SparksConfig,
  ) {
    this.#sealUnder = oldest === '0.1' ? sealUnderDek : sealInHalves;
  }

  /** Throws `KmsUnavailable` when the epoch key is neither cached nor available. */
  seal(spark: SparkIdentity, content: Buffer): Promise<SealedSpark> {
    return this.keys.current((epochKey, kid) => ({
      kid,
      ...this.#sealUnder(epochKey, spark, content),
    }));
  }

  /** As `seal`, all under one epoch key; results are in the order of the Sparks. */
  sealMany(sparks: readonly SparkPlaintext[]): Promise<SealedSpark[]> {
    return this.keys.current((epochKey, kid) =>
      sparks.map(({ spark, content }) => ({ kid, ...this.#sealUnder(epochKey, spark, content) })),
    );
  }

  /** Returns the content, which the caller wipes. Throws as `DataKeys.byId`, `unwrapKey`, `openContent` and `openSplit`. */
  open(spark: SparkIdentity, sealed: SealedSpark): Promise<Buffer> {
    return this.keys.byId(sealed.kid, (epochKey) => openUnder(epochKey, spark, sealed));
  }

  /** As `open`, at once: undefined while the epoch key is not in memory. Throws as `unwrapKey`, `openContent` and `openSplit`. */
  openNow(spark: SparkIdentity, sealed: SealedSpark): Buffer | undefined {
    return this.keys.inMemory(sealed.kid, (epochKey) => openUnder(epochKey, spark, sealed));
  }
}

function openUnder(epochKey: Buffer, spark: SparkIdentity, { wrappedDek, ciphertext }: SealedSpark): Buffer {
  if (isSplitHalf(wrappedDek))
    return openSplit(epochKey, contextOf(spark), { half: wrappedDek, sealed: ciphertext });
  return withKey(unwrapDek(epochKey, spark, wrappedDek), (dek) =>
    openContent(dek, 'vk/v1/spark-dek', fieldsOf(spark), ciphertext),
  );
}

function sealInHalves(epochKey: Buffer, spark: SparkIdentity, content: Buffer): Omit<SealedSpark, 'kid'> {
  const { half, sealed } = sealSplit(epochKey, contextOf(spark), content);
  return { wrappedDek: half, ciphertext: sealed };
}

function contextOf({ accountId, id, contentType, kindling }: SparkIdentity): SealContext {
  return {
    label: 'vk/v1/spark-content',
    ids: [accountId, id],
    attributes: [contentType, kindling ?? ''],
  };
}

function sealUnderDek(epochKey: Buffer, spark: SparkIdentity, content: Buffer): Omit<SealedSpark, 'kid'> {
  return withKey(newKey(), (dek) => ({
    wrappedDek: wrapDek(epochKey, spark, dek),
    ciphertext: sealContent(dek, 'vk/v1/spark-dek', fieldsOf(spark), content),
  }));
}

function fieldsOf({ accountId, id, contentType }: SparkIdentity): string[] {
  return [accountId, id, contentType];
}
