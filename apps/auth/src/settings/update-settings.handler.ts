import { Controller } from '@nestjs/common';
import { assertAdmin, type ContextOf, type Input, validationError } from '@vaultsvc/contracts';
import {
  SETTINGS_BYTES_MAX,
  settingsChanged,
  updateSettings,
  type AccountSettings,
} from '@vaultsvc/contracts/auth';
import { Database } from '@vaultsvc/database';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { actorIdOf } from '../actor.js';
import { SettingsRepository, type Settings } from './settings.repository.js';

@Controller()
export class UpdateSettings {
  constructor(
    private readonly database: Database,
    private readonly settings: SettingsRepository,
    private readonly outbox: Outbox,
  ) {}

  @Handles(updateSettings)
  async handle(
    { body }: Input<typeof updateSettings>,
    context: ContextOf<typeof updateSettings>,
  ): Promise<AccountSettings> {
    assertAdmin(context);
    const { accountId } = context.credential;
    const settings = await this.database.transaction(async (tx) => {
      const merged = await this.settings.merge(tx, accountId, body.settings);
      assertSmall(merged); // a refusal rolls the merge back
      const fact = { account_id: accountId, actor_id: actorIdOf(context) };
      await this.outbox.publish(tx, settingsChanged, fact, context);
      return merged;
    });
    return { settings };
  }
}

/** Measures the JSON that callers send and receive, not PostgreSQL's form of it. */
function assertSmall(settings: Settings): void {
  if (Buffer.byteLength(JSON.stringify(settings)) <= SETTINGS_BYTES_MAX) return;
  throw validationError({
    field: 'settings',
    message: `settings of the account must be at most ${SETTINGS_BYTES_MAX} bytes of JSON together`,
  });
}
