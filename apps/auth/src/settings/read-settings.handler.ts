import { Controller } from '@nestjs/common';
import type { ContextOf, Input } from '@vaultsvc/contracts';
import { readSettings, type AccountSettings } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { SettingsRepository } from './settings.repository.js';

@Controller()
export class ReadSettings {
  constructor(private readonly settings: SettingsRepository) {}

  @Handles(readSettings)
  async handle(
    _: Input<typeof readSettings>,
    context: ContextOf<typeof readSettings>,
  ): Promise<AccountSettings> {
    return { settings: await this.settings.read(context.credential.accountId) };
  }
}
