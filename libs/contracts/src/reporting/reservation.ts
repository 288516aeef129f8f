import { IdOf, Int, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

/** Body of `reserveStorage`. */
export class Reservation {
  @IdOf('acc') account_id: string;
  @Text({ max: 40, description: 'The version of the upload.' }) reservation_id: string;
  @Int({ min: 1 }) bytes: number;
  @Text({ max: 40, optional: true, description: 'The version that the upload supersedes.' })
  instead_of?: string;
}

/** The reservation is made or released. */
export class ReservationMade {}

/**
 * Reserves storage for an upload, decided in one statement. Idempotent. The reservation lasts 10 minutes unless
 * `vaults.version-opened` confirms it, then until its version is activated or dropped. Reservations of superseded
 * versions count as available; they are kept until `vaults.version-dropped` releases them. QUOTA_EXCEEDED if the pool
 * has no room.
 */
export const reserveStorage = operation({
  name: 'reporting.reserve-storage',
  summary: 'Reserves storage of the account for an upload.',
  access: 'internal',
  callers: ['vaults'],
  body: Reservation,
  reply: ReservationMade,
  errors: ['QUOTA_EXCEEDED'],
  repeatable: true,
});

/** Body of `releaseStorage`. */
export class ReservationRef {
  @IdOf('acc') account_id: string;
  @Text({ max: 40 }) reservation_id: string;
}

/** Releases the reservation of an upload that was not opened. Idempotent. */
export const releaseStorage = operation({
  name: 'reporting.release-storage',
  summary: 'Releases the storage reservation of an upload.',
  access: 'internal',
  callers: ['vaults'],
  body: ReservationRef,
  reply: ReservationMade,
  repeatable: true,
});
