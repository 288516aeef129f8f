import { event } from '../core/event.js';
import { Flag, IdOf, Text } from '../core/fields.js';
import { IngotAction } from './ingot-events.js';

export class SharingAction extends IngotAction {
  @Text({ max: 36, description: 'Of the durable link.' }) link_id: string;
}

export const sharingEnabled = event({
  name: 'vaults.sharing-enabled',
  payload: SharingAction,
  consumers: [],
});
/** Who may open it has changed, or who is invited. */
export const sharingUpdated = event({
  name: 'vaults.sharing-updated',
  payload: SharingAction,
  consumers: [],
});
/** The wrap is shredded: sparks revokes the link, forge ends downloads that it gave out. */
export const sharingDisabled = event({
  name: 'vaults.sharing-disabled',
  payload: SharingAction,
  consumers: ['forge', 'sparks'],
});

/** A link, durable or one-time, that came when what it was to open had gone. */
export class OrphanedLink {
  @IdOf('acc') account_id: string;
  @IdOf('vlt') vault_id: string;
  @IdOf('ing') ingot_id: string;
  @Text({ max: 36 }) link_id: string;
  @Flag({ description: 'The ingot is gone, not only its sharing.' }) is_ingot_gone: boolean;
}

/** Nobody can ever open it: sparks ends it. */
export const linkOrphaned = event({
  name: 'vaults.link-orphaned',
  payload: OrphanedLink,
  consumers: ['sparks'],
});
