import { event } from '../core/event.js';
import { IdOf, Int, TextList } from '../core/fields.js';
import { MINT_SPARKS_MAX, SparkOwner } from '../sparks/mint-sparks.js';
import { IngotAction } from './ingot-events.js';

/** A change of a structured ingot. Bytes are those of the texts of its values. */
export class StructuredWrite extends IngotAction {
  @Int({ min: 1 }) version: number;
  @Int({ min: 0 }) key_count: number;
  @Int({ description: 'What it stores more than before; negative where it stores less.' })
  stored_bytes: number;
  @Int({ min: 0, description: 'Of the values that came in.' }) written_bytes: number;
}

export const structuredCreated = event({
  name: 'vaults.structured-created',
  payload: StructuredWrite,
  consumers: ['reporting'],
});
/** All of its keys were replaced: its version is 1 again. */
export const structuredOverwritten = event({
  name: 'vaults.structured-overwritten',
  payload: StructuredWrite,
  consumers: ['reporting'],
});
export const structuredUpdated = event({
  name: 'vaults.structured-updated',
  payload: StructuredWrite,
  consumers: ['reporting'],
});

export class StructuredDeletion extends IngotAction {
  @Int({ min: 0, description: 'What it stored.' }) size_bytes: number;
}

export const structuredDeleted = event({
  name: 'vaults.structured-deleted',
  payload: StructuredDeletion,
  consumers: ['reporting'],
});

/** Nobody does it: it went with its vault. */
export class StructuredRemoval {
  @IdOf('acc') account_id: string;
  @IdOf('vlt') vault_id: string;
  @IdOf('ing') ingot_id: string;
  @Int({ min: 0 }) size_bytes: number;
}

export const structuredRemoved = event({
  name: 'vaults.structured-removed',
  payload: StructuredRemoval,
  consumers: ['reporting'],
});

export class StructuredRetrieval extends IngotAction {
  @Int({ min: 0, description: 'Values that left as Sparks.' }) value_count: number;
}

/** The Sparks tell of themselves what they draw. */
export const structuredRetrieved = event({
  name: 'vaults.structured-retrieved',
  payload: StructuredRetrieval,
  consumers: [],
});

/** Sparks whose ids nobody was told: what they were made for failed. */
export class UnclaimedSparks extends SparkOwner {
  @TextList({ maxItems: MINT_SPARKS_MAX, max: 40 }) spark_ids: string[];
}

/** Sparks removes those that are there and unread; the others do not matter. */
export const sparksUnclaimed = event({
  name: 'vaults.sparks-unclaimed',
  payload: UnclaimedSparks,
  consumers: ['sparks'],
});
