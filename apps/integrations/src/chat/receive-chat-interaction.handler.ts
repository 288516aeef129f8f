import { Controller } from '@nestjs/common';
import type { ChatContext, Input } from '@vaultsvc/contracts';
import { receiveChatInteraction, type ChatAnswer } from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { BackgroundWork } from '../background-work.js';
import { readInteraction } from './chat-interaction.js';
import { SecretSender } from './secret-sender.js';
import { SecretViewer } from './secret-viewer.js';

/** Sends the secret of a submitted modal, and shows one when its button was pressed and confirmed. */
@Controller()
export class ReceiveChatInteraction {
  constructor(
    private readonly sender: SecretSender,
    private readonly viewer: SecretViewer,
    private readonly background: BackgroundWork,
  ) {}

  @Handles(receiveChatInteraction)
  async handle(
    _: Input<typeof receiveChatInteraction>,
    context: ChatContext,
  ): Promise<ChatAnswer | undefined> {
    const { installation, teamId, requestId } = context;
    const interaction = readInteraction(context);
    if (!interaction) return undefined;
    if (!installation) return undefined; // it was uninstalled: nothing can be sent or viewed (CHT-25)
    if (interaction.kind === 'submission') return this.sender.send(interaction, installation, context);
    this.background.start({ requestId, teamId }, () =>
      this.viewer.view(interaction, installation, requestId),
    );
    return undefined;
  }
}
