import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import type { AppId } from '@vaultsvc/contracts/integrations';
import { ChatOAuth } from './chat-oauth.js';
import { CrmaOAuth } from './crma-oauth.js';
import { CrmbOAuth } from './crmb-oauth.js';
import type { OAuthProvider } from './oauth-provider.js';

/** The authorization servers, by integration. */
@Injectable()
export class OAuthProviders {
  readonly #byApp: ReadonlyMap<string, OAuthProvider>;

  constructor(chat: ChatOAuth, crma: CrmaOAuth, crmb: CrmbOAuth) {
    this.#byApp = new Map([chat, crma, crmb].map((provider) => [provider.appId, provider]));
  }

  of(appId: AppId): OAuthProvider {
    const provider = this.#byApp.get(appId);
    if (!provider) throw new Error(`${appId} has no provider`);
    return provider;
  }

  /** @throws APP_UNCONFIGURED while the operator has not set the credentials of the app */
  configured(appId: AppId): OAuthProvider {
    const provider = this.of(appId);
    if (!provider.isConfigured) throw new AppError('APP_UNCONFIGURED');
    return provider;
  }
}
