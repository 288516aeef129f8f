import { Controller } from '@nestjs/common';
import type { Input, ProviderContext } from '@vaultsvc/contracts';
import { receiveChatInteraction, type ChatAnswer } from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { BackgroundWork } from '../background-work.js';
import { readInteraction } from './chat-interaction.js';
import { ChatWebhook } from './chat-webhook.js';
import { SecretSender } from './secret-sender.js';
import { SecretViewer } from './secret-viewer.js';

/** Sends the secret of a submitted modal, and shows one when its button was pressed and confirmed. */
@Controller()
export class ReceiveChatInteraction {
  constructor(
    private readonly webhook: ChatWebhook,
    private readonly sender: SecretSender,
    private readonly viewer: SecretViewer,
    private readonly background: BackgroundWork,
  ) {}

  @Handles(receiveChatInteraction)
  async handle(
    input: Input<typeof receiveChatInteraction>,
    context: ProviderContext,
  ): Promise<ChatAnswer | undefined> {
    const { text, signature } = this.webhook.verify(input, context);
    const interaction = readInteraction(new URLSearchParams(text).get('payload') ?? '');
    if (!interaction) return undefined;
    const installation = await this.webhook.installation(interaction.teamId);
    if (!installation) return undefined; // it was uninstalled: nothing can be sent or viewed (CHT-25)
    await this.webhook.count(installation);
    if (!(await this.webhook.isFirst(signature))) return undefined;
    if (interaction.kind === 'submission') return this.sender.send(interaction, installation, context);
    const { requestId } = context;
    this.background.start({ requestId, teamId: interaction.teamId }, () =>
      this.viewer.view(interaction, installation, requestId),
    );
    return undefined;
  }
}
