import { Controller } from '@nestjs/common';
import { textAt, type ChatContext, type Input } from '@vaultsvc/contracts';
import { receiveChatCommand, type ChatAnswer } from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { BackgroundWork } from '../background-work.js';
import { ChatClients } from './chat-clients.js';
import { sendModal } from './chat-views.js';
import { recipientIn } from './command-text.js';

/** Opens the modal of /secret, after the command was acknowledged (CHT-15). */
@Controller()
export class ReceiveChatCommand {
  constructor(
    private readonly clients: ChatClients,
    private readonly background: BackgroundWork,
  ) {}

  @Handles(receiveChatCommand)
  async handle(
    _: Input<typeof receiveChatCommand>,
    { content, installation, teamId, requestId }: ChatContext,
  ): Promise<ChatAnswer | undefined> {
    if (!installation) return notConnected;
    const view = sendModal(recipientIn(textAt(content, 'text')));
    const trigger_id = textAt(content, 'trigger_id');
    this.background.start({ requestId, teamId }, async () => {
      await (await this.clients.of(installation)).views.open({ trigger_id, view });
    });
    return undefined;
  }
}

const notConnected: ChatAnswer = {
  response_type: 'ephemeral',
  text: 'This workspace is not connected. An admin of your organization can install the chat app.',
};
