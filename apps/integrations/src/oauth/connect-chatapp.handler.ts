import { Controller } from '@nestjs/common';
import { assertAdmin, type AccountContext, type Input } from '@vaultsvc/contracts';
import { connectChatapp, type ChatConnection } from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { Connector } from './connector.js';

@Controller()
export class ConnectChatapp {
  constructor(private readonly connector: Connector) {}

  @Handles(connectChatapp)
  async handle({ body }: Input<typeof connectChatapp>, context: AccountContext): Promise<ChatConnection> {
    assertAdmin(context);
    const terms = { vaultId: null, renews: true };
    const { remoteId, remote } = await this.connector.connect('chatapp', body, terms, context);
    return {
      installed: true,
      team_id: remoteId,
      team_name: remote.name,
      account_id: context.credential.accountId,
    };
  }
}
