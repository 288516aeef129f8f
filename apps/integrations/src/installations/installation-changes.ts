import { Injectable } from '@nestjs/common';
import { AppError, validationError, type AccountContext } from '@vaultsvc/contracts';
import { appInstalled, appUninstalled, type AppId } from '@vaultsvc/contracts/integrations';
import { Database, type Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { AppCatalog, type CatalogEntry } from '../catalog/app-catalog.js';
import { TokenRevocations } from '../tokens/token-revocations.js';
import { InstallationRepository } from './installation.repository.js';

/** Who changes an installation: a caller of the API, or the provider, on behalf of the account that has connected it. */
export type Changer = AccountContext | ProviderChange;

/** A change that a provider has signed. */
export interface ProviderChange {
  readonly provider: AppId;
  readonly accountId: string;
  readonly requestId: string;
}

/** An uninstallation. */
export interface Uninstalled {
  readonly accountId: string;
  readonly remoteId: string | null;
}

/** Changes of installations: each is one transaction, which also publishes its event. */
@Injectable()
export class InstallationChanges {
  constructor(
    private readonly database: Database,
    private readonly catalog: AppCatalog,
    private readonly installations: InstallationRepository,
    private readonly revocations: TokenRevocations,
    private readonly outbox: Outbox,
  ) {}

  /** Throws VALIDATION_ERROR while an integration that this one needs is not installed (APP-12). */
  install<T>(
    { appId, requires }: CatalogEntry & { readonly appId: AppId },
    context: AccountContext,
    change: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    return this.apply(appInstalled, appId, context, async (tx, accountId) => {
      const active = await this.installations.activeIds(tx, accountId);
      const missing = requires.filter((id) => !active.includes(id));
      if (missing.length > 0)
        throw validationError({
          field: 'app_id',
          message: `needs ${missing.join(', ')}, which must be installed first`,
        });
      return change(tx);
    });
  }

  /**
   * Removes an installation and revokes its tokens at the provider, at once or once the provider answers.
   * @throws APP_NOT_INSTALLED; APP_REQUIRED while an installed integration needs this one (APP-16)
   */
  async uninstall(appId: AppId, changer: Changer): Promise<Uninstalled> {
    const removed = await this.apply(appUninstalled, appId, changer, async (tx, accountId) => {
      const active = await this.installations.activeIds(tx, accountId);
      if (active.includes(appId) && this.catalog.dependents(appId).some((id) => active.includes(id)))
        throw new AppError('APP_REQUIRED');
      const { remoteId, tokens } = (await this.installations.remove(tx, accountId, appId)) ?? notInstalled();
      // The provider that uninstalls has ended the tokens itself.
      if (tokens && !('provider' in changer)) await this.revocations.add(tx, accountId, appId, tokens);
      return { accountId, remoteId };
    });
    this.revocations.wake();
    return removed;
  }

  /** One transaction: the change, and the event that tells of it. */
  async apply<T>(
    event: typeof appInstalled,
    appId: AppId,
    changer: Changer,
    change: (tx: Transaction, accountId: string) => Promise<T>,
  ): Promise<T> {
    const { accountId, actorId } = ownerOfChange(changer);
    const result = await this.database.transaction(async (tx) => {
      await this.installations.lock(tx, accountId);
      const changed = await change(tx, accountId);
      const payload = { account_id: accountId, app_id: appId, actor_id: actorId };
      await this.outbox.publish(tx, event, payload, changer);
      return changed;
    });
    this.outbox.wake();
    return result;
  }
}

/** The account of a caller, and the caller as the installer. */
export function ownerOf({ credential: { accountId, userId, credentialId } }: AccountContext) {
  return { accountId, installedBy: { userId, credentialId } };
}

function ownerOfChange(changer: Changer): { accountId: string; actorId: string } {
  if ('provider' in changer) return { accountId: changer.accountId, actorId: changer.provider };
  const { accountId, userId, credentialId } = changer.credential;
  return { accountId, actorId: userId ?? credentialId };
}

function notInstalled(): never {
  throw new AppError('APP_NOT_INSTALLED');
}
