import { Controller } from '@nestjs/common';
import type { ChatContext, Input } from '@vaultsvc/contracts';
import { receiveChatInteraction, type ChatAnswer } from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { BackgroundWork } from '../background-work.js';
import { readInteraction } from './chat-interaction.js';
import { fields, inModal } from './chat-views.js';
import { SecretSender } from './secret-sender.js';
import { SecretViewer } from './secret-viewer.js';

/** The modal stays open: nothing was sent (CHT-25). */
const notConnected = inModal(
  fields.secret.block,
  'This workspace is not connected; nothing was sent, your text is still here.',
);

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
    if (interaction.kind === 'submission')
      return installation ? this.sender.send(interaction, installation, context) : notConnected;
    this.background.start({ requestId, teamId }, async () => {
      const place = installation ? { ...interaction, installation } : await this.viewer.placeOf(interaction);
      if (place) await this.viewer.view(place, place.installation, requestId); // none: it was uninstalled (CHT-25)
    });
    return undefined;
  }
}
