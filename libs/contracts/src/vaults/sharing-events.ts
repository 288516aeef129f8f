import { event } from '../core/event.js';
import { Text } from '../core/fields.js';
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
