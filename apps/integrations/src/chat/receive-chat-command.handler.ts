import { Controller } from '@nestjs/common';
import type { Input, ProviderContext } from '@vaultsvc/contracts';
import { receiveChatCommand, type ChatAnswer } from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { BackgroundWork } from '../background-work.js';
import { ChatClients } from './chat-client.js';
import { sendModal } from './chat-views.js';
import { ChatWebhook } from './chat-webhook.js';
import { recipientIn } from './command-text.js';

/** Opens the modal of /secret, after the command was acknowledged (CHT-15). */
@Controller()
export class ReceiveChatCommand {
  constructor(
    private readonly webhook: ChatWebhook,
    private readonly clients: ChatClients,
    private readonly background: BackgroundWork,
  ) {}

  @Handles(receiveChatCommand)
  async handle(
    input: Input<typeof receiveChatCommand>,
    context: ProviderContext,
  ): Promise<ChatAnswer | undefined> {
    // The platform checks certificates without a signature; every other field of such a request is ignored.
    if (new URLSearchParams(input.raw.toString('utf8')).get('ssl_check') === '1') return undefined;
    const { text, signature } = this.webhook.verify(input, context);
    const form = new URLSearchParams(text);
    const teamId = form.get('team_id') ?? '';
    const installation = await this.webhook.installation(teamId);
    if (!installation) return notConnected;
    await this.webhook.count(installation);
    if (!(await this.webhook.isFirst(signature))) return undefined;
    const view = sendModal(recipientIn(form.get('text') ?? ''));
    const trigger_id = form.get('trigger_id') ?? '';
    this.background.start({ requestId: context.requestId, teamId }, async () => {
      await (await this.clients.of(installation)).views.open({ trigger_id, view });
    });
    return undefined;
  }
}

const notConnected: ChatAnswer = {
  response_type: 'ephemeral',
  text: 'This workspace is not connected. An admin of your organization can install the chat app.',
};
