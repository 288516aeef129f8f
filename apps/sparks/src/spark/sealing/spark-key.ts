import { randomBytes } from 'node:crypto';
import { unwrapKey, wrapKey } from '@vaultsvc/crypto/wrap';

const KEY_BYTES = 32;

/** The associated data of a Spark's content: a row that is moved, or changed in one of these, no longer opens. */
export interface SparkIdentity {
  readonly id: string;
  readonly accountId: string;
  readonly contentType: string;
  readonly kindling: string | null;
}

/** A random key. The caller wipes it. */
export function newKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/** Uses a key, and wipes it afterwards. */
export function withKey<T>(key: Buffer, use: (key: Buffer) => T): T {
  try {
    return use(key);
  } finally {
    key.fill(0);
  }
}

/** Wraps the key of a Spark (DEK) under the epoch key of the hour. */
export function wrapDek(epochKey: Buffer, spark: SparkIdentity, dek: Buffer): Buffer {
  return wrapKey(epochKey, 'vk/v1/epoch-key', [spark.accountId, spark.id], attributesOf(spark), dek);
}

/** Throws as `unwrapKey`. */
export function unwrapDek(epochKey: Buffer, spark: SparkIdentity, wrappedDek: Buffer): Buffer {
  return unwrapKey(epochKey, 'vk/v1/epoch-key', [spark.accountId, spark.id], attributesOf(spark), wrappedDek);
}

function attributesOf({ contentType, kindling }: SparkIdentity): string[] {
  return [contentType, kindling ?? ''];
}
