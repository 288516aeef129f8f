import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { InstallationChanges } from './installation-changes.js';
import { OAuthProviders } from '../providers/oauth-providers.js';
import { RefreshRepository, type DueRefresh, type UninstallHint } from '../tokens/refresh.repository.js';
import { TokenSealer } from '../tokens/token-sealer.js';

/**
 * Refreshes the tokens of every CRM about once a day, and of a connection that its provider is said to have ended at once: only a
 * refusal uninstalls the app (OPEN-38). So tokens stay usable, and an app that was removed at its provider is uninstalled here, too,
 * even if no event told of it (APP-24).
 */
@Injectable()
export class TokenRefreshes {
  readonly everySeconds = 5;
  readonly #logger = new Logger('tokens');

  constructor(
    private readonly refreshes: RefreshRepository,
    private readonly providers: OAuthProviders,
    private readonly sealer: TokenSealer,
    private readonly changes: InstallationChanges,
  ) {}

  /** Asks the provider after an event that says that a connection has ended. Returns before the provider answers. */
  async confirm(hint: UninstallHint): Promise<void> {
    if (!(await this.refreshes.hint(hint))) return;
    this.run().catch((error: unknown) =>
      this.#logger.error({ msg: 'an uninstallation is confirmed later', err: error }),
    );
  }

  /** Refreshes what is due. Safe on any number of instances: each installation is leased first. */
  async run(): Promise<void> {
    for (;;) {
      const due = await this.refreshes.claim();
      if (!due) return;
      await this.#refresh(due);
    }
  }

  async #refresh(due: DueRefresh): Promise<void> {
    const { accountId, appId } = due;
    try {
      const tokens = await this.providers
        .of(appId)
        .refresh(await this.sealer.open(accountId, appId, due.tokens));
      if (!tokens) return await this.#uninstall(due, true);
      await this.refreshes.replaceTokens(due, await this.sealer.seal(accountId, appId, tokens));
    } catch (error) {
      this.#logger.warn({ msg: 'tokens are refreshed later', accountId, appId, err: error });
      await (due.endsUnanswered && isUnanswered(error)
        ? this.#uninstall(due, false)
        : this.refreshes.postpone(due));
    }
  }

  async #uninstall({ accountId, appId, tokens }: DueRefresh, isConfirmed: boolean): Promise<void> {
    this.#logger.warn({
      msg: 'the provider has ended the connection; the app is uninstalled',
      accountId,
      appId,
      isConfirmed,
    });
    const ended = { tokens, isConfirmed };
    try {
      await this.changes.uninstall(appId, { provider: appId, accountId, requestId: randomUUID(), ended });
    } catch (error) {
      if (!(error instanceof AppError) || error.reason !== 'APP_NOT_INSTALLED') throw error;
    }
  }
}

function isUnanswered(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'APP_PROVIDER_UNAVAILABLE';
}
