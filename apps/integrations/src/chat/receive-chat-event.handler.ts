import { Controller } from '@nestjs/common';
import { AppError, type Input, type ProviderContext } from '@vaultsvc/contracts';
import { receiveChatEvent, type ChatAnswer } from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { BackgroundWork } from '../background-work.js';
import { InstallationChanges } from '../installations/installation-changes.js';
import type { ConnectedInstallation } from '../installations/installation.repository.js';
import { ChatClients } from './chat-client.js';
import { listAt, textAt } from './chat-interaction.js';
import { HELP, homeView } from './chat-views.js';
import { ChatWebhook, parseObject } from './chat-webhook.js';

/** Events of a workspace. Those that end the installation may arrive in any order and repeatedly (CHT-14, APP-24). */
@Controller()
export class ReceiveChatEvent {
  constructor(
    private readonly webhook: ChatWebhook,
    private readonly changes: InstallationChanges,
    private readonly clients: ChatClients,
    private readonly background: BackgroundWork,
  ) {}

  @Handles(receiveChatEvent)
  async handle(
    input: Input<typeof receiveChatEvent>,
    context: ProviderContext,
  ): Promise<ChatAnswer | undefined> {
    const { text } = this.webhook.verify(input, context);
    const json = parseObject(text);
    if (json['type'] === 'url_verification') return { challenge: textAt(json, 'challenge') };
    const installation = await this.webhook.installation(textAt(json, 'team_id'));
    if (!installation) return undefined;
    if (endsInstallation(json, installation)) {
      await this.#uninstall(installation, context);
      return undefined;
    }
    await this.webhook.count(installation);
    if (await this.webhook.isFirst(textAt(json, 'event_id')))
      this.background.start({ requestId: context.requestId, teamId: installation.remoteId }, () =>
        this.#react(json, installation),
      );
    return undefined;
  }

  /** Not repeated deliveries are recorded for this: it has one effect by itself, and must not be lost. */
  async #uninstall({ accountId }: ConnectedInstallation, { requestId }: ProviderContext): Promise<void> {
    try {
      await this.changes.uninstall('chatapp', { provider: 'chatapp', accountId, requestId });
    } catch (error) {
      if (!(error instanceof AppError) || error.reason !== 'APP_NOT_INSTALLED') throw error;
    }
  }

  async #react(json: Record<string, unknown>, installation: ConnectedInstallation): Promise<void> {
    const { event } = json;
    const type = textAt(event, 'type');
    const isOwn = textAt(event, 'bot_id') !== '' || textAt(event, 'subtype') !== '';
    if (type === 'app_home_opened' && textAt(event, 'tab') === 'home') {
      const client = await this.clients.of(installation);
      await client.views.publish({ user_id: textAt(event, 'user'), view: homeView() });
    } else if (type === 'message' && textAt(event, 'channel_type') === 'im' && !isOwn) {
      const client = await this.clients.of(installation);
      await client.chat.postMessage({ channel: textAt(event, 'channel'), text: HELP });
    }
  }
}

/** `tokens_revoked` names users, not tokens: only the bot's own matters. */
function endsInstallation({ event }: Record<string, unknown>, { remote }: ConnectedInstallation): boolean {
  const type = textAt(event, 'type');
  if (type === 'app_uninstalled') return true;
  return type === 'tokens_revoked' && listAt(event, 'tokens', 'bot').includes(remote?.['bot_user_id']);
}
