import { Controller } from '@nestjs/common';
import { assertAdmin, type ContextOf, type Input } from '@vaultsvc/contracts';
import {
  putConfig,
  type ChannelTargetChanges,
  type NotifyConfigurationState,
} from '@vaultsvc/contracts/notify';
import { Database, retryOnConflict } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { assertSmallPriority, checkedPriority } from './channel-priority.js';
import { ConfigPresenter } from './config-presenter.js';
import { SettingsRepository, type ConfigurationChanges } from './settings.repository.js';
import { TargetChanges } from './target-changes.js';

@Controller()
export class PutConfig {
  constructor(
    private readonly database: Database,
    private readonly settings: SettingsRepository,
    private readonly targets: TargetChanges,
    private readonly presenter: ConfigPresenter,
  ) {}

  @Handles(putConfig)
  async handle(
    { body }: Input<typeof putConfig>,
    context: ContextOf<typeof putConfig>,
  ): Promise<NotifyConfigurationState> {
    assertAdmin(context);
    const { accountId } = context.credential;
    const { targets = {}, channel_priority: priority = {}, ...others } = body;
    const changes = { ...others, channel_priority: checkedPriority(priority) };
    const generated = await retryOnConflict(() => this.#store(accountId, changes, targets));
    const state = await this.presenter.present(accountId);
    if (generated !== undefined && state.targets?.webhook) state.targets.webhook.secret = generated;
    return state;
  }

  /** Returns the secret that was generated for the webhook. */
  async #store(
    accountId: string,
    changes: ConfigurationChanges,
    requested: ChannelTargetChanges,
  ): Promise<string | undefined> {
    const prepared = await this.targets.prepare(accountId, requested);
    await this.database.transaction(async (tx) => {
      const merged = await this.settings.merge(tx, accountId, changes);
      assertSmallPriority(merged.channel_priority); // a refusal rolls the merge back
      await this.targets.apply(tx, accountId, prepared);
    });
    return prepared.generated;
  }
}
