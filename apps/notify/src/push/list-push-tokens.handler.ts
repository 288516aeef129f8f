import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { listPushTokens, type PushTokenList } from '@vaultsvc/contracts/notify';
import { Handles } from '@vaultsvc/messaging';
import { PushTokenRepository } from './push-token.repository.js';

@Controller()
export class ListPushTokens {
  constructor(private readonly tokens: PushTokenRepository) {}

  @Handles(listPushTokens)
  async handle(
    { query }: Input<typeof listPushTokens>,
    { credential }: AccountContext,
  ): Promise<PushTokenList> {
    const push_tokens = await this.tokens.list(credential.accountId, query.recipient_id);
    return { push_tokens, count: push_tokens.length };
  }
}
