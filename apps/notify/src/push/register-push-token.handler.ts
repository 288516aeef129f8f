import { Controller } from '@nestjs/common';
import { validationError, type AccountContext, type Input } from '@vaultsvc/contracts';
import { registerPushToken, type PushToken } from '@vaultsvc/contracts/notify';
import { Handles } from '@vaultsvc/messaging';
import { NotifyConfig } from '../config.js';
import { isSubscription } from './web-subscription.js';
import { PushTokenRepository } from './push-token.repository.js';

@Controller()
export class RegisterPushToken {
  constructor(
    private readonly tokens: PushTokenRepository,
    private readonly config: NotifyConfig,
  ) {}

  @Handles(registerPushToken)
  async handle(
    { body }: Input<typeof registerPushToken>,
    { credential }: AccountContext,
  ): Promise<PushToken> {
    if (body.platform === 'web' && !isSubscription(body.token, this.config))
      throw validationError({
        field: 'token',
        message:
          'token must be the JSON of a PushSubscription with an https endpoint and the keys p256dh and auth',
      });
    return this.tokens.register(credential.accountId, body);
  }
}
