import { Injectable } from '@nestjs/common';
import { AppError, type AccountContext } from '@vaultsvc/contracts';
import type { AppId, Authorization } from '@vaultsvc/contracts/integrations';
import { AppCatalog } from '../catalog/app-catalog.js';
import { InstallationChanges, ownerOf } from '../installations/installation-changes.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import type { ProviderGrant } from '../providers/oauth-provider.js';
import { OAuthProviders } from '../providers/oauth-providers.js';
import { TokenRevocations } from '../tokens/token-revocations.js';
import { TokenSealer } from '../tokens/token-sealer.js';

/** How an integration is connected. */
export interface ConnectionTerms {
  readonly vaultId: string | null;
  /** Whether an existing connection is renewed in place; otherwise it must be uninstalled first (APP-22). */
  readonly renews: boolean;
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
  ) {}

  /** Installs nothing unless the provider confirms the grant (APP-20). */
  async connect(
    appId: AppId,
    { code, redirect_uri: redirectUri }: Authorization,
    { vaultId, renews }: ConnectionTerms,
    context: AccountContext,
  ): Promise<ProviderGrant> {
    const provider = this.providers.configured(appId);
    const { accountId } = context.credential;
    if (!renews) await this.#assertNotConnected(accountId, appId);
    const grant = await provider.exchange({ code, redirectUri });
    const tokens = await this.sealer.seal(accountId, appId, grant.tokens);
    const connection = { ...grant, vaultId, tokens };
    const entry = this.catalog.entry(appId);
    await this.changes.install(entry, context, async (tx) => {
      const before = await this.installations.lockConnection(tx, accountId, appId);
      if (before && !renews) throw new AppError('APP_INSTALLED');
      await this.installations.connect(tx, ownerOf(context), appId, connection);
      // The tokens of the same workspace may be equal, and a revocation would end the new connection.
      if (before && before.remoteId !== grant.remoteId)
        await this.revocations.add(tx, accountId, appId, before.tokens);
    });
    this.revocations.wake();
    return grant;
  }

  /** Before the exchange, which uses the code up. */
  async #assertNotConnected(accountId: string, appId: AppId): Promise<void> {
    if (await this.installations.tokens(accountId, appId)) throw new AppError('APP_INSTALLED');
  }
}
