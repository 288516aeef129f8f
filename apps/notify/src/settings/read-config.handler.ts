import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { readConfig, type NotifyConfigurationState } from '@vaultsvc/contracts/notify';
import { Handles } from '@vaultsvc/messaging';
import { ConfigPresenter } from './config-presenter.js';

@Controller()
export class ReadConfig {
  constructor(private readonly presenter: ConfigPresenter) {}

  @Handles(readConfig)
  handle(
    _input: Input<typeof readConfig>,
    { credential }: AccountContext,
  ): Promise<NotifyConfigurationState> {
    return this.presenter.present(credential.accountId);
  }
}
