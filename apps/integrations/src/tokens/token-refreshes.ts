import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { InstallationChanges } from '../installations/installation-changes.js';
import {
  InstallationRepository,
  type ConnectedInstallation,
} from '../installations/installation.repository.js';
import { OAuthProviders } from '../providers/oauth-providers.js';
import { TokenSealer } from './token-sealer.js';

/**
 * Refreshes the tokens of every CRM about once a day. So tokens stay usable, and an app that was removed at its provider is
 * uninstalled here, too, even if no webhook told of it (APP-24).
 */
@Injectable()
export class TokenRefreshes {
  readonly everySeconds = 60;
  readonly #logger = new Logger('tokens');

  constructor(
    private readonly installations: InstallationRepository,
    private readonly providers: OAuthProviders,
    private readonly sealer: TokenSealer,
    private readonly changes: InstallationChanges,
  ) {}

  /** Refreshes what is due. Safe on any number of instances: each installation is leased first. */
  async run(): Promise<void> {
    for (;;) {
      const due = await this.installations.claimRefresh();
      if (!due) return;
      await this.#refresh(due);
    }
  }

  async #refresh(installation: ConnectedInstallation): Promise<void> {
    const { accountId, appId } = installation;
    try {
      const provider = this.providers.of(appId);
      const tokens = await provider.refresh(await this.sealer.open(accountId, appId, installation.tokens));
      if (tokens)
        await this.installations.replaceTokens(
          installation,
          await this.sealer.seal(accountId, appId, tokens),
        );
      else await this.#uninstall(installation);
    } catch (error) {
      this.#logger.warn({ msg: 'tokens are refreshed later', accountId, appId, err: error });
    }
  }

  async #uninstall({ accountId, appId }: ConnectedInstallation): Promise<void> {
    this.#logger.warn({
      msg: 'the provider has ended the connection; the app is uninstalled',
      accountId,
      appId,
    });
    try {
      await this.changes.uninstall(appId, { provider: appId, accountId, requestId: randomUUID() });
    } catch (error) {
      if (!(error instanceof AppError) || error.reason !== 'APP_NOT_INSTALLED') throw error;
    }
  }
}
