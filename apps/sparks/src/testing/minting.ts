import { serviceContext, type AccountContext } from '@vaultsvc/contracts';
import {
  mintSparks,
  withdrawSparks,
  type MintedSparks,
  type SparkMinting,
  type SparkToMint,
} from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { deadlineIn, type Harness } from '@vaultsvc/testing/harness';
import { actorOf } from '../spark/actor.js';

/** For specs: what vaults asks for. */
export function mintingOf(harness: Harness, caller: AccountContext, deadlineSeconds = 10) {
  const of = { account_id: caller.credential.accountId, ...actorOf(caller) };
  const errand = () => serviceContext(caller.requestId, deadlineIn(deadlineSeconds));
  return {
    mint: (sparks: SparkToMint[], terms: Partial<SparkMinting> = {}): Promise<MintedSparks> =>
      harness.bus.call(mintSparks, { body: { ...of, ttl_seconds: 900, sparks, ...terms } }, errand()),
    withdraw: (spark_ids: string[]) =>
      harness.bus.call(withdrawSparks, { body: { ...of, spark_ids } }, errand()),
  };
}

/** A Spark with an id of its own. */
export function sparkOf(content: string | Buffer, content_type = 'text/plain'): SparkToMint {
  return { spark_id: newId('spk_'), content_type, content: Buffer.from(content).toString('base64') };
}
