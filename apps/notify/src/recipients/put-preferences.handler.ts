import { Controller } from '@nestjs/common';
import { validationError, type Input } from '@vaultsvc/contracts';
import { putPreferences, type PreferencesStored } from '@vaultsvc/contracts/notify';
import { Handles } from '@vaultsvc/messaging';
import { PreferenceRepository } from './preference.repository.js';
import { isTimeZone } from './time-zone.js';

@Controller()
export class PutPreferences {
  constructor(private readonly preferences: PreferenceRepository) {}

  @Handles(putPreferences)
  async handle({ body }: Input<typeof putPreferences>): Promise<PreferencesStored> {
    if (body.quiet_hours && !isTimeZone(body.quiet_hours.time_zone))
      throw validationError({ field: 'quiet_hours.time_zone', message: 'must be an IANA time zone' });
    await this.preferences.put(body);
    return { stored: true };
  }
}
