import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError, type ConnectedApp } from '@vaultsvc/contracts';
import { TokenRefreshes } from './token-refreshes.js';
import { InstallationChanges } from './installation-changes.js';

/** An event of a provider that says that an installation has ended. */
export interface ReceivedHint {
  readonly installation: ConnectedApp;
  readonly requestId?: string;
  /** Whether an admin of the org has sent it in a session that says so: nothing needs to be confirmed. */
  readonly isAdmin?: boolean;
  /** Epoch seconds; undefined: the event does not say when it was. */
  readonly eventTime?: number | undefined;
}

/**
 * Events that say that an installation has ended are hints (OPEN-38): whoever can send one must not be able to end an installation.
 * The provider is asked whether the connection lives; where the chat platform does not answer, its signature and the time of the
 * event suffice.
 */
@Injectable()
export class UninstallHints {
  constructor(
    private readonly refreshes: TokenRefreshes,
    private readonly changes: InstallationChanges,
  ) {}

  /** Resolves once the hint is stored; the provider is asked after that. */
  async receive({
    installation,
    requestId = randomUUID(),
    isAdmin = false,
    eventTime,
  }: ReceivedHint): Promise<void> {
    const { accountId, appId, remoteId } = installation;
    if (isAdmin) return this.#uninstall(installation, requestId);
    if (remoteId === null) return;
    const suffices = appId === 'chatapp' && eventTime !== undefined;
    await this.refreshes.confirm({ accountId, appId, remoteId, eventTime, suffices });
  }

  async #uninstall({ accountId, appId, tokens }: ConnectedApp, requestId: string): Promise<void> {
    const ended = { tokens, isConfirmed: false };
    try {
      await this.changes.uninstall(appId, { provider: appId, accountId, requestId, ended });
    } catch (error) {
      if (!(error instanceof AppError) || error.reason !== 'APP_NOT_INSTALLED') throw error;
    }
  }
}
