import { Controller } from '@nestjs/common';
import { assertAdmin, type AccountContext, type Input } from '@vaultsvc/contracts';
import { deleteApp } from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { AppCatalog } from '../catalog/app-catalog.js';
import { InstallationChanges } from './installation-changes.js';

@Controller()
export class DeleteApp {
  constructor(
    private readonly catalog: AppCatalog,
    private readonly changes: InstallationChanges,
  ) {}

  @Handles(deleteApp)
  async handle({ params }: Input<typeof deleteApp>, context: AccountContext): Promise<void> {
    assertAdmin(context);
    await this.changes.uninstall(this.catalog.entry(params.app_id).appId, context);
  }
}
