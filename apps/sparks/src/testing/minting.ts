import { actorOf, serviceContext, type AccountContext } from '@vaultsvc/contracts';
import {
  mintSparks,
  type MintedSparks,
  type SparkMinting,
  type SparkToMint,
} from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import type { RunningService } from '@vaultsvc/service';
import { deadlineIn, type Harness } from '@vaultsvc/testing/harness';
import { SparkRemovalRepository } from '../spark/spark-removal.repository.js';

/** For specs: mints Sparks as vaults does. */
export function mintingOf(harness: Harness, caller: AccountContext, deadlineSeconds = 10) {
  const of = { account_id: caller.credential.accountId, ...actorOf(caller) };
  const context = () =>
    serviceContext({ requestId: caller.requestId, deadlineMs: deadlineIn(deadlineSeconds) });
  return {
    mint: (sparks: SparkToMint[], terms: Partial<SparkMinting> = {}): Promise<MintedSparks> =>
      harness.bus.call(mintSparks, { body: { ...of, ttl_seconds: 900, sparks, ...terms } }, context()),
  };
}

/** Applies the event that these Sparks are unclaimed. */
export function removeUnclaimed(
  { context }: RunningService,
  spark_ids: string[],
  caller: AccountContext,
): Promise<void> {
  const unclaimed = { account_id: caller.credential.accountId, ...actorOf(caller), spark_ids };
  const removals = context.get(SparkRemovalRepository);
  return context.get(Database).transaction((tx) => removals.removeUnclaimed(tx, unclaimed, caller.requestId));
}

/** A Spark to mint, with a random id. */
export function sparkOf(content: string | Buffer, content_type = 'text/plain'): SparkToMint {
  return { spark_id: newId('spk_'), content_type, content: Buffer.from(content).toString('base64') };
}
