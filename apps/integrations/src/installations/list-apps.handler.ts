import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { listApps, type AppList } from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { AppCatalog } from '../catalog/app-catalog.js';
import { statusOf } from './app-presenter.js';
import { InstallationRepository } from './installation.repository.js';

@Controller()
export class ListApps {
  constructor(
    private readonly catalog: AppCatalog,
    private readonly installations: InstallationRepository,
  ) {}

  @Handles(listApps)
  async handle(_: Input<typeof listApps>, { credential }: AccountContext): Promise<AppList> {
    const installed = await this.installations.list(credential.accountId);
    return {
      installed: installed.map((one) => ({
        app_id: one.appId,
        status: statusOf(one),
        installed_at: one.installedAt,
        settings: one.settings,
      })),
      available: this.catalog.ids,
    };
  }
}
