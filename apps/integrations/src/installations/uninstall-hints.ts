import { Injectable } from '@nestjs/common';
import { AppError, type AppInstallation } from '@vaultsvc/contracts';
import { InstallationChanges } from './installation-changes.js';

/** What a provider says of the end of an installation. */
export interface UninstallHint {
  readonly installation: AppInstallation;
  readonly requestId: string;
  /** Whether an admin of the org has asked for it, for crmb. */
  readonly isAdmin?: boolean;
}

/** Receives the hints of providers that they have ended an installation (APP-24, OPEN-38). */
@Injectable()
export class UninstallHints {
  constructor(private readonly changes: InstallationChanges) {}

  /** A repetition has no effect. */
  async receive({ installation: { accountId, appId }, requestId }: UninstallHint): Promise<void> {
    try {
      await this.changes.uninstall(appId, { provider: appId, accountId, requestId });
    } catch (error) {
      if (!(error instanceof AppError) || error.reason !== 'APP_NOT_INSTALLED') throw error;
    }
  }
}
