import { Injectable } from '@nestjs/common';
import { AppError, type AccountContext } from '@vaultsvc/contracts';
import { appUpdated, type AppId, type Authorization } from '@vaultsvc/contracts/integrations';
import type { Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { AppCatalog } from '../catalog/app-catalog.js';
import { InstallationChanges, ownerOf } from '../lifecycle/installation-changes.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import type { ProviderGrant } from '../providers/oauth-provider.js';
import { OAuthProviders } from '../providers/oauth-providers.js';
import { TokenRevocations } from '../tokens/token-revocations.js';
import { TokenSealer } from '../tokens/token-sealer.js';
import { ConnectionRepository } from './connection.repository.js';
import { OAuthStateRepository } from './oauth-state.repository.js';

/** How an integration is connected. */
export interface ConnectionTerms {
  readonly vaultId: string | null;
  /** Whether an existing connection is renewed in place; otherwise it must be uninstalled first (APP-22). */
  readonly renews: boolean;
  /** In the transaction of a connection that is no renewal. */
  readonly onNew?: (tx: Transaction, connection: { readonly generation: number }) => Promise<void>;
}

/** Exchanges authorization codes, and connects accounts to workspaces, portals and orgs. */
@Injectable()
export class Connector {
  constructor(
    private readonly catalog: AppCatalog,
    private readonly providers: OAuthProviders,
    private readonly installations: InstallationRepository,
    private readonly changes: InstallationChanges,
    private readonly sealer: TokenSealer,
    private readonly revocations: TokenRevocations,
    private readonly connections: ConnectionRepository,
    private readonly states: OAuthStateRepository,
    private readonly outbox: Outbox,
  ) {}

  /** Installs nothing unless the provider confirms the grant (APP-20). Tokens of a grant that is not used are revoked. */
  async connect(
    appId: AppId,
    { code, redirect_uri: redirectUri, state }: Authorization,
    terms: ConnectionTerms,
    context: AccountContext,
  ): Promise<ProviderGrant> {
    const provider = this.providers.configured(appId);
    const { accountId } = context.credential;
    if (!terms.renews) await this.#assertNotConnected(accountId, appId);
    if (state !== undefined) await this.states.use(state, appId, redirectUri, context);
    const exchange = await provider.exchange({ code, redirectUri });
    const { tokens, remoteId } = exchange;
    let grant: ProviderGrant | undefined;
    try {
      grant = { ...(await exchange.identify()), tokens };
      await this.#install(appId, grant, terms, context);
    } catch (error) {
      await this.revocations.discard(accountId, appId, tokens, grant?.remoteId ?? remoteId ?? null);
      throw error;
    }
    this.revocations.wake();
    return grant;
  }

  async #install(
    appId: AppId,
    { tokens, remoteId, remote }: ProviderGrant,
    { vaultId, renews, onNew }: ConnectionTerms,
    context: AccountContext,
  ): Promise<void> {
    const { accountId } = context.credential;
    const sealed = await this.sealer.seal(accountId, appId, tokens);
    await this.changes.install(this.catalog.entry(appId), context, async (tx) => {
      const before = await this.connections.lock(tx, accountId, appId, remoteId);
      if (before && !renews) throw new AppError('APP_INSTALLED');
      await this.#displaceClaims(tx, appId, remoteId, context);
      const connection = { remoteId, remote, vaultId, tokens: sealed };
      const generation = await this.connections.connect(tx, ownerOf(context), appId, connection);
      if (before?.remoteId !== remoteId) await onNew?.(tx, { generation });
      // The tokens of the same workspace may be equal, and a revocation would end the new connection.
      if (before && before.remoteId !== remoteId) await this.revocations.add(tx, accountId, appId, before);
    });
  }

  /** Other accounts that claim the workspace without a grant lose it; their installations stay (APP-10). */
  async #displaceClaims(
    tx: Transaction,
    appId: AppId,
    remoteId: string,
    { credential, requestId }: AccountContext,
  ): Promise<void> {
    for (const account_id of await this.connections.displaceClaims(tx, credential.accountId, appId, remoteId))
      await this.outbox.publish(
        tx,
        appUpdated,
        { account_id, app_id: appId, actor_id: appId },
        { requestId, accountId: account_id },
      );
  }

  /** Before the exchange, which uses the code up. */
  async #assertNotConnected(accountId: string, appId: AppId): Promise<void> {
    if (await this.installations.tokens(accountId, appId)) throw new AppError('APP_INSTALLED');
  }
}
