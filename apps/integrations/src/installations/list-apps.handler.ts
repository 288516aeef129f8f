import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { listApps, type AppList } from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { AppCatalog } from '../catalog/app-catalog.js';
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
      installed: installed.map(({ appId, installedAt, settings }) => ({
        app_id: appId,
        status: 'active',
        installed_at: installedAt,
        settings,
      })),
      available: this.catalog.ids,
    };
  }
}
