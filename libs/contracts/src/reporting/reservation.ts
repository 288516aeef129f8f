import { IdOf, Int, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

export class Reservation {
  @IdOf('acc') account_id: string;
  @Text({ max: 40, description: 'The version that the room is for.' }) reservation_id: string;
  @Int({ min: 1 }) bytes: number;
  @Text({ max: 40, optional: true, description: 'The version that ends when this one is opened.' })
  instead_of?: string;
}

export class ReservationMade {}

/**
 * Keeps room in the storage pool, decided in one statement. It lasts 10 minutes unless `vaults.version-opened`
 * confirms it, then until its version is activated or dropped. Asked again it answers alike. What is kept for the version
 * that ends with it, and for those that ended before, counts as room: all are kept until `vaults.version-dropped` gives
 * them back.
 */
export const reserveStorage = operation({
  name: 'reporting.reserve-storage',
  summary: 'Keeps room for an upload in the storage pool of its account.',
  access: 'internal',
  body: Reservation,
  reply: ReservationMade,
  errors: ['QUOTA_EXCEEDED'],
  repeatable: true,
});

export class ReservationRef {
  @IdOf('acc') account_id: string;
  @Text({ max: 40 }) reservation_id: string;
}

/** Gives back what was kept for an upload that was not opened after all. */
export const releaseStorage = operation({
  name: 'reporting.release-storage',
  summary: 'Gives back the room that was kept for an upload.',
  access: 'internal',
  body: ReservationRef,
  reply: ReservationMade,
  repeatable: true,
});
