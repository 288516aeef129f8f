import { Injectable } from '@nestjs/common';
import { AppError, validationError, type AccountContext, type Actor } from '@vaultsvc/contracts';
import { appInstalled, appUninstalled, type AppId } from '@vaultsvc/contracts/integrations';
import type { SealedText } from '@vaultsvc/crypto/data-keys';
import { Database, type Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { AppCatalog, type CatalogEntry } from '../catalog/app-catalog.js';
import { TokenRevocations } from '../tokens/token-revocations.js';
import { appActorOf } from '../installations/app-actor.js';
import { InstallationRepository } from '../installations/installation.repository.js';

/** Who changes an installation: a caller of the API, or the provider, on behalf of the account that has connected it. */
export type Changer = AccountContext | ProviderChange;

/** A change that a provider has caused. */
export interface ProviderChange {
  readonly provider: AppId;
  readonly accountId: string;
  readonly requestId: string;
  /** The connection that has ended; one that was made since stays. */
  readonly ended?: EndedConnection;
}

/** A connection that its provider has ended. */
export interface EndedConnection {
  readonly tokens: SealedText;
  /** Whether the provider has confirmed it; tokens that may be alive are revoked. */
  readonly isConfirmed: boolean;
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
    const uninstalled = await this.apply(
      appUninstalled,
      appId,
      changer,
      async (tx, accountId) => {
        const active = await this.installations.activeIds(tx, accountId);
        if (active.includes(appId) && this.catalog.dependents(appId).some((id) => active.includes(id)))
          throw new AppError('APP_REQUIRED');
        const ended = 'provider' in changer ? changer.ended : undefined;
        const removed = await this.installations.remove(tx, accountId, appId, ended?.tokens);
        const { remoteId, tokens } = removed ?? notInstalled();
        // The provider that uninstalls has ended the tokens itself.
        const mayLive = !('provider' in changer) || ended?.isConfirmed === false;
        if (tokens && mayLive) await this.revocations.add(tx, accountId, appId, { tokens, remoteId });
        return { accountId, remoteId };
      },
      providerOf(appId, changer),
    );
    this.revocations.wake();
    return uninstalled;
  }

  /** One transaction: the change, and the event that tells of it. `actorOf`: the exact actor, if it is not the caller. */
  async apply<T>(
    event: typeof appInstalled,
    appId: AppId,
    changer: Changer,
    change: (tx: Transaction, accountId: string) => Promise<T>,
    actorOf?: (changed: T) => Actor,
  ): Promise<T> {
    const { accountId, actorId } = ownerOfChange(changer);
    return this.database.transaction(async (tx) => {
      await this.installations.lock(tx, accountId);
      const changed = await change(tx, accountId);
      const actor = actorOf && { actor: actorOf(changed) };
      const payload = { account_id: accountId, app_id: appId, actor_id: actorId, ...actor };
      await this.outbox.publish(tx, event, payload, changer);
      return changed;
    });
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

/** A provider ends the connection of its portal, org or workspace; it names no person who has asked for it. */
function providerOf(appId: AppId, changer: Changer): ((ended: Uninstalled) => Actor) | undefined {
  return 'provider' in changer ? ({ remoteId }) => appActorOf({ appId, remoteId }, null) : undefined;
}

function notInstalled(): never {
  throw new AppError('APP_NOT_INSTALLED');
}
