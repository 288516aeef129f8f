import { Controller } from '@nestjs/common';
import { AppError, type AccountContext, type Input } from '@vaultsvc/contracts';
import { deletePushToken } from '@vaultsvc/contracts/notify';
import { Handles } from '@vaultsvc/messaging';
import { PushTokenRepository } from './push-token.repository.js';

@Controller()
export class DeletePushToken {
  constructor(private readonly tokens: PushTokenRepository) {}

  @Handles(deletePushToken)
  async handle({ params }: Input<typeof deletePushToken>, { credential }: AccountContext): Promise<void> {
    const isDeleted = await this.tokens.delete(credential.accountId, params.push_token_id);
    if (!isDeleted) throw new AppError('PUSH_TOKEN_NOT_FOUND');
  }
}
