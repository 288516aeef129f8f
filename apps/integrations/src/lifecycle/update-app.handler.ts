import { Controller } from '@nestjs/common';
import {
  AppError,
  assertAdmin,
  validationError,
  type AccountContext,
  type ErrorReason,
  type Input,
} from '@vaultsvc/contracts';
import {
  APP_SETTINGS_BYTES_MAX,
  appUpdated,
  updateApp,
  type App,
  type AppId,
} from '@vaultsvc/contracts/integrations';
import type { Transaction } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { AppCatalog } from '../catalog/app-catalog.js';
import { AppPresenter } from '../installations/app-presenter.js';
import { InstallationChanges, ownerOf } from './installation-changes.js';
import { InstallationRepository, type Settings } from '../installations/installation.repository.js';

@Controller()
export class UpdateApp {
  constructor(
    private readonly catalog: AppCatalog,
    private readonly changes: InstallationChanges,
    private readonly installations: InstallationRepository,
    private readonly presenter: AppPresenter,
  ) {}

  @Handles(updateApp)
  async handle({ params, body }: Input<typeof updateApp>, context: AccountContext): Promise<App> {
    assertAdmin(context);
    const { appId } = this.catalog.entry(params.app_id);
    const { accountId } = context.credential;
    const change = { settings: body.settings, remoteId: body.remote_id };
    const installation = await this.changes.apply(appUpdated, appId, context, async (tx) => {
      const updated = await this.installations.update(tx, ownerOf(context), appId, change);
      if (!updated) throw new AppError(await this.#refusalOf(tx, accountId, appId));
      assertSmall(updated.settings); // a refusal rolls the merge back
      return updated;
    });
    return this.presenter.present(appId, installation, context);
  }

  async #refusalOf(tx: Transaction, accountId: string, appId: AppId): Promise<ErrorReason> {
    const active = await this.installations.activeIds(tx, accountId);
    return active.includes(appId) ? 'APP_CONNECTED' : 'APP_NOT_INSTALLED';
  }
}

/** Measures the JSON that callers send and receive, not PostgreSQL's form of it. */
function assertSmall(settings: Settings): void {
  if (Buffer.byteLength(JSON.stringify(settings)) <= APP_SETTINGS_BYTES_MAX) return;
  throw validationError({
    field: 'settings',
    message: `settings must be at most ${APP_SETTINGS_BYTES_MAX} bytes of JSON together`,
  });
}
