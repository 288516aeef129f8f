import type { ActorFields } from '@vaultsvc/contracts';
import type { EntropyGeneration, LinkEvent, SparkEvent } from '@vaultsvc/contracts/sparks';
import type { VersionRef } from '@vaultsvc/contracts/vaults';
import type { Entry } from './ledger.repository.js';

/** `operation`: the event uses no bytes; its quantity is 1. */
type Resource = 'storage' | 'bandwidth' | 'operation';

/** The use of one resource of an account by an event. */
export interface Line extends Pick<
  Entry,
  'accountId' | 'type' | 'referenceId' | 'vaultId' | 'actorType' | 'isOperation'
> {
  readonly resource: Resource;
  readonly quantity: number;
}

/** The fields that events of vaults and of what they contain share. */
type InVault = Pick<VersionRef, 'account_id' | 'vault_id'>;
type OfIngot = Pick<VersionRef, 'account_id' | 'vault_id' | 'ingot_id'>;

/** The owner's line of a Spark; `sizeBytes` is negative where storage is released. */
export function sparkLine(
  type: string,
  resource: Resource,
  spark: SparkEvent,
  quantity = spark.size_bytes,
): Line {
  const line = { accountId: spark.account_id, referenceId: spark.spark_id, vaultId: null, ...actorOf(spark) };
  return { ...line, type, resource, quantity };
}

/** Only the bytes are charged, not the call (ENT-20). */
export function entropyLine(entropy: EntropyGeneration): Line {
  return {
    accountId: entropy.account_id,
    type: 'entropy_generate',
    resource: 'bandwidth',
    quantity: entropy.bytes,
    referenceId: entropy.reference_id,
    vaultId: null,
    ...actorOf(entropy),
  };
}

/** The line of an ingot. None for a quantity of 0. */
export function ingotLines(type: string, resource: Resource, event: OfIngot, quantity: number): Line[] {
  if (quantity === 0) return [];
  const { account_id: accountId, ingot_id: referenceId, vault_id: vaultId } = event;
  return [{ accountId, type, resource, quantity, referenceId, vaultId, ...actorOf(event) }];
}

/** The line of a call in a vault that uses no bytes. */
export function vaultOperation(type: string, event: InVault, referenceId: string): Line {
  const { account_id: accountId, vault_id: vaultId } = event;
  return { accountId, type, resource: 'operation', quantity: 1, referenceId, vaultId, ...actorOf(event) };
}

/** The line of a call on a SparkLink. It refers to the Spark or ingot: the code of a link may still open it (LNK-22). */
export function linkOperation(type: string, link: LinkEvent): Line {
  const { account_id: accountId, asset_id: referenceId, vault_id: vaultId } = link;
  return { accountId, type, resource: 'operation', quantity: 1, referenceId, vaultId, ...actorOf(link) };
}

/**
 * `user` for a session, `link` for a visitor, `app` for an integration, whose installer does not act (OPEN-28), `system` for
 * events without an actor. An entry is an operation, as analytics
 * count them, if it has an actor: expiries, activations, transferred bytes and removals have none.
 */
function actorOf(event: object): Pick<Line, 'actorType' | 'isOperation'> {
  const { actor_type: type = 'system', actor } = event as Partial<ActorFields<string>>;
  if (actor?.kind === 'app') return { actorType: 'app', isOperation: true };
  return { actorType: type === 'session' ? 'user' : type, isOperation: type !== 'system' };
}
