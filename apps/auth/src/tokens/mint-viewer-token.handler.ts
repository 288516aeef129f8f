import { Controller } from '@nestjs/common';
import type { ContextOf, Input } from '@vaultsvc/contracts';
import { mintViewerToken, type ViewerToken } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { actorIdOf } from '../actor.js';
import { AccessTokens, VIEWER_TOKEN_SECONDS } from './access-tokens.js';

@Controller()
export class MintViewerToken {
  constructor(private readonly tokens: AccessTokens) {}

  @Handles(mintViewerToken)
  async handle(
    _: Input<typeof mintViewerToken>,
    context: ContextOf<typeof mintViewerToken>,
  ): Promise<ViewerToken> {
    const { accountId } = context.credential;
    const token = await this.tokens.signViewerToken({ accountId, subject: actorIdOf(context) });
    return { viewer_token: token, expires_in: VIEWER_TOKEN_SECONDS };
  }
}
