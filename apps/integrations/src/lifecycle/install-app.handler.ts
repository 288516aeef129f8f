import { Controller } from '@nestjs/common';
import { AppError, assertAdmin, type AccountContext, type Input } from '@vaultsvc/contracts';
import { installApp, type App } from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { AppCatalog } from '../catalog/app-catalog.js';
import { AppPresenter } from '../installations/app-presenter.js';
import { InstallationChanges, ownerOf } from './installation-changes.js';
import { InstallationRepository } from '../installations/installation.repository.js';

/** Installs an integration; a workspace is connected by the OAuth callback only (APP-26). */
@Controller()
export class InstallApp {
  constructor(
    private readonly catalog: AppCatalog,
    private readonly changes: InstallationChanges,
    private readonly installations: InstallationRepository,
    private readonly presenter: AppPresenter,
  ) {}

  @Handles(installApp)
  async handle({ params, body }: Input<typeof installApp>, context: AccountContext): Promise<App> {
    assertAdmin(context);
    const entry = this.catalog.entry(params.app_id);
    const given = { settings: body.settings, remoteId: body.remote_id ?? null };
    const installation = await this.changes.install(entry, context, async (tx) => {
      const installed = await this.installations.install(tx, ownerOf(context), entry.appId, given);
      // Active already (APP-11).
      if (!installed) throw new AppError('APP_INSTALLED');
      return installed;
    });
    return this.presenter.present(entry.appId, installation, context);
  }
}
