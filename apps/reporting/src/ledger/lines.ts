import type { EntropyGeneration, SparkAction, SparkEvent, SparkReading } from '@vaultsvc/contracts/sparks';
import type {
  StructuredDeletion,
  StructuredRemoval,
  StructuredWrite,
  VersionRef,
} from '@vaultsvc/contracts/vaults';
import type { Entry, Resource } from './entry.js';

/** What an event's name does not tell of an entry: the rest comes with the delivery. */
export type Line = Omit<Entry, 'eventId' | 'occurredAtMs'>;

export function sparkLine(
  type: string,
  spark: SparkEvent | SparkAction | SparkReading,
): Omit<Line, 'resource'> {
  return {
    accountId: spark.account_id,
    type,
    quantity: spark.size_bytes,
    referenceId: spark.spark_id,
    vaultId: null,
    actorType: actorType(spark),
  };
}

/** A transfer that moved nothing leaves no line. */
export function moved(type: string, version: VersionRef, bytes: number): Line[] {
  return ingotLines(type, version, 'bandwidth', bytes);
}

export function stored(type: string, version: VersionRef, bytes: number): Line[] {
  return ingotLines(type, version, 'storage', bytes);
}

/** A change that stores as much as before, or that brought no value in, has no line of that. */
export function written(write: StructuredWrite): Line[] {
  return [
    ...ingotLines('structured_write', write, 'storage', write.stored_bytes),
    ...ingotLines('structured_write', write, 'bandwidth', write.written_bytes),
  ];
}

export function released(deletion: StructuredDeletion | StructuredRemoval): Line[] {
  return ingotLines('structured_delete', deletion, 'storage', -deletion.size_bytes);
}

/** There is no charge for the call itself: its bytes are what it draws (ENT-20). */
export function generated(entropy: EntropyGeneration): Line {
  return {
    accountId: entropy.account_id,
    type: 'entropy_generate',
    resource: 'bandwidth',
    quantity: entropy.bytes,
    referenceId: entropy.reference_id,
    vaultId: null,
    actorType: actorType(entropy),
  };
}

/** One line, or none of nothing. */
function ingotLines(
  type: string,
  fact: Pick<VersionRef, 'account_id' | 'ingot_id' | 'vault_id'>,
  resource: Resource,
  quantity: number,
): Line[] {
  if (quantity === 0) return [];
  return [
    {
      accountId: fact.account_id,
      type,
      resource,
      quantity,
      referenceId: fact.ingot_id,
      vaultId: fact.vault_id,
      actorType: actorType(fact),
    },
  ];
}

/** A full session acts for a user, a link for whoever opened it; what no caller did, the platform did. */
function actorType(fact: object): string {
  const { actor_type: actor } = fact as Partial<SparkReading>;
  return actor === 'session' ? 'user' : (actor ?? 'system');
}
