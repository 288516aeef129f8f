import { Injectable } from '@nestjs/common';
import type { VaultContext } from '@vaultsvc/contracts';
import type { SparkOwner } from '@vaultsvc/contracts/sparks';
import type { StructuredValue } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { actionOf } from '../actor.js';
import { Minting, type ValueToMint } from './minting.js';
import { RetrievalRecord, type RetrievedIngot } from './retrieval-record.js';
import { SparkClaims } from './spark-claims.repository.js';

/** A value that was found, by the name that it was asked for. */
export interface ValueToRelease extends Omit<ValueToMint, 'sparkId'> {
  readonly name: string;
}

/**
 * Lets values leave. Their Sparks are there before the commit that proves the access token to be alive: a seal that
 * commits first leaves nobody with a Spark, one that commits later comes after the answer was decided. Which ones are
 * made is kept before, so that they go also when this process dies in between.
 */
@Injectable()
export class ValueRelease {
  constructor(
    private readonly claims: SparkClaims,
    private readonly minting: Minting,
    private readonly record: RetrievalRecord,
  ) {}

  /** The Spark of each, by its name. Throws what `Minting.mint` and `RetrievalRecord.commit` do; nothing is left then. */
  async release(
    from: RetrievedIngot,
    values: readonly ValueToRelease[],
    ttlSeconds: number,
    context: VaultContext,
  ): Promise<[string, StructuredValue][]> {
    const owner = ownerOf(context, from.ingot.vaultId);
    const sparks = values.map((value) => ({ ...value, sparkId: newId('spk_') }));
    const unclaimed = { ...owner, spark_ids: sparks.map(({ sparkId }) => sparkId) };
    const claim = await this.claims.make(unclaimed, context.requestId);
    try {
      const expiries = await this.minting.mint(sparks, owner, ttlSeconds, context);
      await this.record.commit(from, values, claim, context);
      return sparks.map(({ name, sparkId: spark_id }, index) => [
        name,
        { spark_id, expires_at: expiries[index] as number },
      ]);
    } catch (error) {
      await this.claims.giveUp(claim);
      throw error;
    }
  }
}

function ownerOf(context: VaultContext, vaultId: string): SparkOwner {
  const { account_id, actor_type, actor_id } = actionOf(context, vaultId);
  return { account_id, actor_type, actor_id };
}
