import { Injectable } from '@nestjs/common';
import {
  isSplitHalf,
  openContent,
  openSplit,
  sealContent,
  type SealContext,
  sealSplit,
} from '@vaultsvc/crypto/aead';
import { unwrapKey, wrapKey } from '@vaultsvc/crypto/wrap';
import { SparksConfig } from '../../config.js';
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

/** Wraps the content key for one Spark of a send. */
type WrapUnder = (
  epochKey: Buffer,
  spark: SparkIdentity,
  groupId: string,
  contentKey: Buffer,
) => Omit<SealedSpark, 'kid'>;

/**
 * Seals one content for several Sparks (ADR 38). A random content key seals it. Each Spark seals the content key in place of a content,
 * with a half of its own, or with a key of its own (DEK) while release 0.1 may have to open it (ADR 58). The labels are not those of a
 * Spark's own content: an instance that does not know them cannot open the Spark, instead of disclosing the content key as the content.
 */
@Injectable()
export class SharedContentSealer {
  readonly #wrapUnder: WrapUnder;

  constructor(
    private readonly keys: EpochKeys,
    { OLDEST_RELEASE: oldest }: SparksConfig,
  ) {
    this.#wrapUnder = oldest === '0.1' ? wrapUnderDek : wrapInHalves;
  }

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
        return { kid, ...this.#wrapUnder(epochKey, spark, groupId, contentKey) };
      }),
    );
  }

  /** Returns the content, which the caller wipes. Throws as `SparkSealer.open`. */
  open(spark: SparkIdentity, sealed: SealedSpark, groupId: string, shared: Buffer): Promise<Buffer> {
    return this.keys.byId(sealed.kid, (epochKey) =>
      withKey(unwrapContentKey(epochKey, spark, groupId, sealed), (contentKey) =>
        openContent(contentKey, 'vk/v1/shared-content', fieldsOf({ ...spark, groupId }), shared),
      ),
    );
  }
}

const wrapInHalves: WrapUnder = (epochKey, spark, groupId, contentKey) => {
  const { half, sealed } = sealSplit(epochKey, contextOf(spark, groupId), contentKey);
  return { wrappedDek: half, ciphertext: sealed };
};

const wrapUnderDek: WrapUnder = (epochKey, spark, groupId, contentKey) => {
  const { label, ids, attributes } = contextOf(spark, groupId);
  return withKey(newKey(), (dek) => ({
    wrappedDek: wrapDek(epochKey, spark, dek),
    ciphertext: wrapKey(dek, label, ids, attributes, contentKey),
  }));
};

function unwrapContentKey(
  epochKey: Buffer,
  spark: SparkIdentity,
  groupId: string,
  { wrappedDek, ciphertext }: SealedSpark,
): Buffer {
  const context = contextOf(spark, groupId);
  if (isSplitHalf(wrappedDek)) return openSplit(epochKey, context, { half: wrappedDek, sealed: ciphertext });
  return withKey(unwrapDek(epochKey, spark, wrappedDek), (dek) =>
    unwrapKey(dek, context.label, context.ids, context.attributes, ciphertext),
  );
}

function contextOf({ accountId, id, contentType }: SparkIdentity, groupId: string): SealContext {
  return { label: 'vk/v1/shared-content-key', ids: [accountId, id], attributes: [groupId, contentType] };
}

function fieldsOf({ accountId, groupId, contentType }: SendIdentity): string[] {
  return [accountId, groupId, contentType];
}
