import { Injectable } from '@nestjs/common';
import { openContent, sealContent } from '@vaultsvc/crypto/aead';
import { EpochKeys } from '../../epoch-keys/epoch-keys.js';
import { newKey, unwrapDek, withKey, wrapDek, type SparkIdentity } from './spark-key.js';

export interface SparkPlaintext {
  readonly spark: SparkIdentity;
  readonly content: Buffer;
}

export interface SealedSpark {
  /** The epoch key, that of an hour, that wraps the Spark's key. */
  readonly kid: string;
  readonly wrappedDek: Buffer;
  readonly ciphertext: Buffer;
}

/**
 * Seals each Spark under a key of its own (DEK), which the epoch key of the hour wraps. Deleting either key destroys the
 * content: the burn deletes the DEK; the epoch key is deleted a day after its hour, in a
 * database of its own, which covers backups, too (ADR 21).
 */
@Injectable()
export class SparkSealer {
  constructor(private readonly keys: EpochKeys) {}

  /** Throws `KmsUnavailable` when the epoch key is neither cached nor available. */
  seal(spark: SparkIdentity, content: Buffer): Promise<SealedSpark> {
    return this.keys.current((epochKey, kid) => ({
      kid,
      ...sealUnder(epochKey, spark, content),
    }));
  }

  /** As `seal`, all under one epoch key; results are in the order of the Sparks. */
  sealMany(sparks: readonly SparkPlaintext[]): Promise<SealedSpark[]> {
    return this.keys.current((epochKey, kid) =>
      sparks.map(({ spark, content }) => ({ kid, ...sealUnder(epochKey, spark, content) })),
    );
  }

  /** Returns the content, which the caller wipes. Throws as `DataKeys.byId`, `unwrapKey` and `openContent`. */
  open(spark: SparkIdentity, sealed: SealedSpark): Promise<Buffer> {
    return this.keys.byId(sealed.kid, (epochKey) => openUnder(epochKey, spark, sealed));
  }

  /** As `open`, at once: undefined while the epoch key is not in memory. Throws as `unwrapKey` and `openContent`. */
  openNow(spark: SparkIdentity, sealed: SealedSpark): Buffer | undefined {
    return this.keys.inMemory(sealed.kid, (epochKey) => openUnder(epochKey, spark, sealed));
  }
}

function openUnder(epochKey: Buffer, spark: SparkIdentity, { wrappedDek, ciphertext }: SealedSpark): Buffer {
  return withKey(unwrapDek(epochKey, spark, wrappedDek), (dek) =>
    openContent(dek, 'vk/v1/spark-dek', fieldsOf(spark), ciphertext),
  );
}

function sealUnder(epochKey: Buffer, spark: SparkIdentity, content: Buffer): Omit<SealedSpark, 'kid'> {
  return withKey(newKey(), (dek) => ({
    wrappedDek: wrapDek(epochKey, spark, dek),
    ciphertext: sealContent(dek, 'vk/v1/spark-dek', fieldsOf(spark), content),
  }));
}

function fieldsOf({ accountId, id, contentType }: SparkIdentity): string[] {
  return [accountId, id, contentType];
}
