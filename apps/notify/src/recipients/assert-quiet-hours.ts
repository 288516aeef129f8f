import { validationError } from '@vaultsvc/contracts';
import type { QuietHours } from '@vaultsvc/contracts/notify';
import { isTimeZone } from './time-zone.js';

/** @throws VALIDATION_ERROR unless their time zone is one of IANA */
export function assertQuietHours(quiet: QuietHours | null | undefined): void {
  if (quiet && !isTimeZone(quiet.time_zone))
    throw validationError({ field: 'quiet_hours.time_zone', message: 'must be an IANA time zone' });
}
