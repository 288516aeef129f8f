import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { readApp, type App } from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { AppCatalog } from '../catalog/app-catalog.js';
import { AppPresenter } from './app-presenter.js';
import { InstallationRepository } from './installation.repository.js';

@Controller()
export class ReadApp {
  constructor(
    private readonly catalog: AppCatalog,
    private readonly installations: InstallationRepository,
    private readonly presenter: AppPresenter,
  ) {}

  @Handles(readApp)
  async handle({ params }: Input<typeof readApp>, context: AccountContext): Promise<App> {
    const { appId } = this.catalog.entry(params.app_id);
    const installation = await this.installations.find(context.credential.accountId, appId);
    return this.presenter.present(appId, installation, context);
  }
}
