import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { putPreferences, type RecipientPreferences } from '@vaultsvc/contracts/notify';
import { Handles } from '@vaultsvc/messaging';
import { assertQuietHours } from './assert-quiet-hours.js';
import { preferenceKeyOf } from './preference-key-of.js';
import { presentPreferences, storedChanges } from './preference-presenter.js';
import { PreferenceRepository } from './preference.repository.js';

@Controller()
export class PutPreferences {
  constructor(private readonly preferences: PreferenceRepository) {}

  @Handles(putPreferences)
  async handle(
    { params: { recipient_id }, body }: Input<typeof putPreferences>,
    { credential: { accountId } }: AccountContext,
  ): Promise<RecipientPreferences> {
    const key = preferenceKeyOf(recipient_id);
    assertQuietHours(body.quiet_hours);
    await this.preferences.change(accountId, key, storedChanges(body));
    return presentPreferences(recipient_id, await this.preferences.read(accountId, key));
  }
}
