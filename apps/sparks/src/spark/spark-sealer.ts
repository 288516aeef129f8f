import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { openContent, sealContent } from '@vaultsvc/crypto/aead';
import { DataKeys, hourly } from '@vaultsvc/crypto/data-keys';
import { unwrapKey, wrapKey } from '@vaultsvc/crypto/wrap';

const PURPOSE = 'spark-epoch';
const DEK_BYTES = 32;

/** What is bound to a Spark's content: a row that was moved or changed in one of these no longer opens. */
export interface SparkIdentity {
  readonly id: string;
  readonly accountId: string;
  readonly contentType: string;
  readonly kindling: string | null;
}

export interface SparkContent {
  readonly spark: SparkIdentity;
  readonly content: Buffer;
}

export interface SealedSpark {
  /** The hour whose key wraps the Spark's own. */
  readonly kid: string;
  readonly wrappedDek: Buffer;
  readonly ciphertext: Buffer;
}

/**
 * Each Spark has a key of its own, wrapped by the key of its hour. To destroy either is to destroy the content: the
 * first with the burn, the second, backups included, a day after the hour.
 */
@Injectable()
export class SparkSealer {
  constructor(private readonly keys: DataKeys) {}

  /** Throws `KmsUnavailable` when the hour's key is neither cached nor to be had. */
  seal(spark: SparkIdentity, content: Buffer): Promise<SealedSpark> {
    return this.keys.current(PURPOSE, hourly, (epochKey, kid) => ({
      kid,
      ...sealUnder(epochKey, spark, content),
    }));
  }

  /** As `seal`, all of them under the key of one hour, in their order. */
  sealMany(sparks: readonly SparkContent[]): Promise<SealedSpark[]> {
    return this.keys.current(PURPOSE, hourly, (epochKey, kid) =>
      sparks.map(({ spark, content }) => ({ kid, ...sealUnder(epochKey, spark, content) })),
    );
  }

  /** The content; the caller fills it with 0 when done. Throws as `DataKeys.byId`, `unwrapKey` and `openContent`. */
  open(spark: SparkIdentity, { kid, wrappedDek, ciphertext }: SealedSpark): Promise<Buffer> {
    return this.keys.byId(PURPOSE, kid, (epochKey) => {
      const dek = unwrapDek(epochKey, spark, wrappedDek);
      try {
        return openContent(dek, 'vk/v1/spark-dek', fieldsOf(spark), ciphertext);
      } finally {
        dek.fill(0);
      }
    });
  }
}

function sealUnder(epochKey: Buffer, spark: SparkIdentity, content: Buffer): Omit<SealedSpark, 'kid'> {
  const dek = randomBytes(DEK_BYTES);
  try {
    return {
      wrappedDek: wrapDek(epochKey, spark, dek),
      ciphertext: sealContent(dek, 'vk/v1/spark-dek', fieldsOf(spark), content),
    };
  } finally {
    dek.fill(0);
  }
}

function wrapDek(epochKey: Buffer, spark: SparkIdentity, dek: Buffer): Buffer {
  return wrapKey(epochKey, 'vk/v1/epoch-key', [spark.accountId, spark.id], attributesOf(spark), dek);
}

function unwrapDek(epochKey: Buffer, spark: SparkIdentity, wrappedDek: Buffer): Buffer {
  return unwrapKey(epochKey, 'vk/v1/epoch-key', [spark.accountId, spark.id], attributesOf(spark), wrappedDek);
}

function attributesOf({ contentType, kindling }: SparkIdentity): string[] {
  return [contentType, kindling ?? ''];
}

function fieldsOf({ accountId, id, contentType }: SparkIdentity): string[] {
  return [accountId, id, contentType];
}
