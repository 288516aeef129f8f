import { event } from '../core/event.js';
import { EpochSeconds, IdOf, Int, OneOf } from '../core/fields.js';
import { VaultAction } from './events.js';
import { VersionRef } from './version.js';

export class IngotAction extends VaultAction {
  @IdOf('ing') ingot_id: string;
}

/** An upload was opened for an ingot that was not there before. */
export const ingotCreated = event({ name: 'vaults.ingot-created', payload: IngotAction, consumers: [] });
/** An upload was opened for new content. */
export const ingotReplaced = event({ name: 'vaults.ingot-replaced', payload: IngotAction, consumers: [] });
/** It has another name, another folder, or both. */
export const ingotUpdated = event({ name: 'vaults.ingot-updated', payload: IngotAction, consumers: [] });
export const ingotDeleted = event({
  name: 'vaults.ingot-deleted',
  payload: IngotAction,
  consumers: ['forge', 'sparks'],
});
/** A URL for its content was given out. */
export const ingotDownloaded = event({
  name: 'vaults.ingot-downloaded',
  payload: IngotAction,
  consumers: [],
});

/** A version and its bytes. */
export class VersionFact extends VersionRef {
  @Int({ min: 1 }) size_bytes: number;
}

export class VersionRelease extends VersionFact {
  @OneOf(['replaced', 'deleted'], {
    description: 'replaced: downloads that were given out before go on; deleted: they end.',
  })
  reason: 'replaced' | 'deleted';
  @EpochSeconds({
    nullable: true,
    description: 'When the last one-time link of this very content ends; null: it has none.',
  })
  kept_until: number | null;
}

/** An upload is open: what was reserved for it is wanted. */
export const versionOpened = event({
  name: 'vaults.version-opened',
  payload: VersionFact,
  consumers: ['reporting'],
});
/** Its content is whole and the ingot's own; `size_bytes` is what it takes from now on. */
export const versionActivated = event({
  name: 'vaults.version-activated',
  payload: VersionFact,
  consumers: ['reporting'],
});
/** It will never be anyone's content: superseded, cancelled, expired, or its ingot deleted. */
export const versionDropped = event({
  name: 'vaults.version-dropped',
  payload: VersionRef,
  consumers: ['forge', 'reporting'],
});
/** It was the content of its ingot and is no more. */
export const versionReleased = event({
  name: 'vaults.version-released',
  payload: VersionRelease,
  consumers: ['forge', 'reporting'],
});
