import { Injectable } from '@nestjs/common';
import type { AccountContext } from '@vaultsvc/contracts';
import { readAccount } from '@vaultsvc/contracts/auth';
import type { App } from '@vaultsvc/contracts/integrations';
import { Bus } from '@vaultsvc/messaging';
import { AppCatalog } from '../catalog/app-catalog.js';
import type { Installation } from './installation.repository.js';

/** Shows an installation merged over its catalog entry (APP-09). */
@Injectable()
export class AppPresenter {
  constructor(
    private readonly catalog: AppCatalog,
    private readonly bus: Bus,
  ) {}

  async present(
    appId: string,
    installation: Installation | undefined,
    context: AccountContext,
  ): Promise<App> {
    const { appId: app_id, requires: _, ...entry } = this.catalog.entry(appId);
    const { organization_name, logo_url_light, logo_url_dark } = await this.bus.call(
      readAccount,
      {},
      context,
    );
    return {
      app_id,
      status: installation ? statusOf(installation) : 'not_installed',
      installed: installation !== undefined,
      installed_at: installation?.installedAt ?? null,
      settings: installation?.settings ?? {},
      remote_id: installation?.remoteId ?? null,
      ...entry,
      account: { organization_name, logo_url_light, logo_url_dark },
    };
  }
}

/** The status of what is installed. */
export function statusOf({ isSuspended }: Installation): 'active' | 'suspended' {
  return isSuspended ? 'suspended' : 'active';
}
