import { Controller } from '@nestjs/common';
import { assertAdmin, validationError, type AccountContext, type Input } from '@vaultsvc/contracts';
import { startOAuth, type StartedOAuth } from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { AppCatalog } from '../catalog/app-catalog.js';
import { OAuthProviders } from '../providers/oauth-providers.js';
import { OAuthStateRepository } from './oauth-state.repository.js';

/** Issues the state of an authorization, and the consent page that carries it. */
@Controller()
export class StartOAuth {
  constructor(
    private readonly catalog: AppCatalog,
    private readonly providers: OAuthProviders,
    private readonly states: OAuthStateRepository,
  ) {}

  @Handles(startOAuth)
  async handle(
    { params, body: { redirect_uri } }: Input<typeof startOAuth>,
    context: AccountContext,
  ): Promise<StartedOAuth> {
    assertAdmin(context);
    const { appId } = this.catalog.entry(params.app_id);
    const provider = this.providers.configured(appId);
    if (!isWebUrl(redirect_uri))
      throw validationError({
        field: 'redirect_uri',
        message: 'redirect_uri must be a URL of https or http',
      });
    const { state, expiresAt } = await this.states.issue(appId, redirect_uri, context);
    const authorize_url = provider.authorizeUrl({ redirectUri: redirect_uri, state }).href;
    return { authorize_url, state, expires_at: expiresAt };
  }
}

/** The provider compares it with those of the app. */
function isWebUrl(text: string): boolean {
  return URL.canParse(text) && ['https:', 'http:'].includes(new URL(text).protocol);
}
