import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { readPreferences, type RecipientPreferences } from '@vaultsvc/contracts/notify';
import { Handles } from '@vaultsvc/messaging';
import { preferenceKeyOf } from './preference-key-of.js';
import { presentPreferences } from './preference-presenter.js';
import { PreferenceRepository } from './preference.repository.js';

@Controller()
export class ReadPreferences {
  constructor(private readonly preferences: PreferenceRepository) {}

  @Handles(readPreferences)
  async handle(
    { params: { recipient_id } }: Input<typeof readPreferences>,
    { credential }: AccountContext,
  ): Promise<RecipientPreferences> {
    const key = preferenceKeyOf(recipient_id);
    return presentPreferences(recipient_id, await this.preferences.read(credential.accountId, key));
  }
}
