import { Injectable } from '@nestjs/common';
import { actorOf, type AccountContext, type VaultContext } from '@vaultsvc/contracts';
import type { SparkOwner } from '@vaultsvc/contracts/sparks';
import { structuredRetrieved, vaultActionOf, type StructuredValue } from '@vaultsvc/contracts/vaults';
import { newId, shardOf } from '@vaultsvc/crypto/encoding';
import { Outbox } from '@vaultsvc/messaging';
import type { LockVault } from '../../session/vault-authorizer.js';
import { VaultCounters } from '../../vault/vault-counters.repository.js';
import { SparkClaimRepository } from './spark-claim.repository.js';
import { SparkMinter, type ValueToMint } from './spark-minter.js';
import type { StructuredIdentity } from '../structured-key.js';
import { StructuredTransactions } from '../structured-transactions.js';

/** The ingot whose values are released, and the lock that fences the access token. */
export interface ReleaseSource {
  readonly ingot: StructuredIdentity;
  readonly lock: LockVault;
}

/** A value that was found, with the requested name of its key. */
export interface ValueToRelease extends Omit<ValueToMint, 'sparkId'> {
  readonly name: string;
}

/**
 * Releases values as Sparks. The Sparks are created before the commit that checks the access token. If a seal commits first,
 * none of them is released; a later seal finds the retrieval complete. The claim is stored first, so that another instance
 * removes the Sparks when this one dies in between.
 */
@Injectable()
export class ValueReleaser {
  constructor(
    private readonly claims: SparkClaimRepository,
    private readonly minter: SparkMinter,
    private readonly transactions: StructuredTransactions,
    private readonly counters: VaultCounters,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Returns the Spark of each key name. Throws what `SparkMinter.mint` does, AUTHENTICATION_ERROR or VAULT_NOT_FOUND when
   * the token or the vault has ended; no Spark is left then.
   */
  async release(
    source: ReleaseSource,
    values: readonly ValueToRelease[],
    ttlSeconds: number,
    context: VaultContext,
  ): Promise<[string, StructuredValue][]> {
    const owner = ownerOf(context);
    const shard = shardOf(owner.account_id);
    const sparks = values.map((value) => ({ ...value, sparkId: newId('spk_', shard) }));
    const unclaimed = { ...owner, spark_ids: sparks.map(({ sparkId }) => sparkId) };
    const claim = await this.claims.insert(unclaimed, context.requestId);
    try {
      const expiries = await this.minter.mint(sparks, owner, ttlSeconds, context);
      await this.#commit(source, values, claim, context);
      return sparks.map(({ name, sparkId: spark_id }, index) => [
        name,
        { spark_id, expires_at: expiries[index] as number },
      ]);
    } catch (error) {
      await this.claims.abandon(claim);
      throw error;
    }
  }

  /** Counts the retrieval even if the ingot has changed since its values were read: the answer is as of that moment. */
  #commit(
    { ingot, lock }: ReleaseSource,
    values: readonly ValueToRelease[],
    claim: string,
    context: AccountContext,
  ): Promise<void> {
    const { vaultId, ingotId } = ingot;
    const bytes = values.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const payload = { ...vaultActionOf(context, vaultId), ingot_id: ingotId, value_count: values.length };
    return this.transactions.run(ingot, lock, context, async (tx) => {
      await this.claims.settle(tx, claim);
      await this.counters.addTraffic(tx, [{ vaultId, ingotId, bytes, downloads: 1 }]);
      await this.outbox.publish(tx, structuredRetrieved, payload, context);
    });
  }
}

function ownerOf(context: VaultContext): SparkOwner {
  return { account_id: context.credential.accountId, ...actorOf(context) };
}
