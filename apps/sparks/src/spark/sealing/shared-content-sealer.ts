import { Injectable } from '@nestjs/common';
import { openContent, sealContent } from '@vaultsvc/crypto/aead';
import { unwrapKey, wrapKey } from '@vaultsvc/crypto/wrap';
import { EpochKeys } from '../../epoch-keys/epoch-keys.js';
import { newKey, unwrapDek, withKey, wrapDek, type SparkIdentity } from './spark-key.js';
import type { SealedSpark } from './spark-sealer.js';

/** The associated data of a shared content: it opens for no other account, send and type. */
export interface SendIdentity {
  readonly accountId: string;
  /** The send. */
  readonly groupId: string;
  readonly contentType: string;
}

/**
 * Seals one content for several Sparks (ADR 38). A random content key seals it. Each Spark has a key of its own (DEK), as
 * every Spark has, which wraps the content key in place of a content. The labels are not those of a Spark's own content: an
 * instance that does not know them cannot open the Spark, instead of disclosing the content key as the content.
 */
@Injectable()
export class SharedContentSealer {
  constructor(private readonly keys: EpochKeys) {}

  sealContent(contentKey: Buffer, send: SendIdentity, content: Buffer): Buffer {
    return sealContent(contentKey, 'vk/v1/shared-content', fieldsOf(send), content);
  }

  /** The Sparks' own ciphertexts, in the order of the ids. Throws `KmsUnavailable`. */
  wrapFor(
    sparkIds: readonly string[],
    { accountId, groupId, contentType }: SendIdentity,
    contentKey: Buffer,
  ): Promise<SealedSpark[]> {
    return this.keys.current((epochKey, kid) =>
      sparkIds.map((id) => {
        const spark = { id, accountId, contentType, kindling: null };
        return { kid, ...wrapUnder(epochKey, spark, groupId, contentKey) };
      }),
    );
  }

  /** Returns the content, which the caller wipes. Throws as `SparkSealer.open`. */
  open(spark: SparkIdentity, sealed: SealedSpark, groupId: string, shared: Buffer): Promise<Buffer> {
    return this.keys.byId(sealed.kid, (epochKey) =>
      withKey(unwrapDek(epochKey, spark, sealed.wrappedDek), (dek) =>
        withKey(unwrapContentKey(dek, spark, groupId, sealed.ciphertext), (contentKey) =>
          openContent(contentKey, 'vk/v1/shared-content', fieldsOf({ ...spark, groupId }), shared),
        ),
      ),
    );
  }
}

function wrapUnder(epochKey: Buffer, spark: SparkIdentity, groupId: string, contentKey: Buffer) {
  const { accountId, id, contentType } = spark;
  return withKey(newKey(), (dek) => ({
    wrappedDek: wrapDek(epochKey, spark, dek),
    ciphertext: wrapKey(dek, 'vk/v1/shared-content-key', [accountId, id], [groupId, contentType], contentKey),
  }));
}

function unwrapContentKey(dek: Buffer, spark: SparkIdentity, groupId: string, wrapped: Buffer): Buffer {
  const { accountId, id, contentType } = spark;
  return unwrapKey(dek, 'vk/v1/shared-content-key', [accountId, id], [groupId, contentType], wrapped);
}

function fieldsOf({ accountId, groupId, contentType }: SendIdentity): string[] {
  return [accountId, groupId, contentType];
}
