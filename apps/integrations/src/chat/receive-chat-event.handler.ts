import { Controller } from '@nestjs/common';
import { listAt, textAt, type ChatContext, type ConnectedApp, type Input } from '@vaultsvc/contracts';
import { receiveChatEvent, type ChatAnswer } from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { BackgroundWork } from '../background-work.js';
import { UninstallHints } from '../lifecycle/uninstall-hints.js';
import { ChatClients } from './chat-clients.js';
import { HELP, homeView, textMessage } from './chat-views.js';

/** Events of a workspace. Those that end the installation may arrive in any order and repeatedly (CHT-14, APP-24). */
@Controller()
export class ReceiveChatEvent {
  constructor(
    private readonly hints: UninstallHints,
    private readonly clients: ChatClients,
    private readonly background: BackgroundWork,
  ) {}

  @Handles(receiveChatEvent)
  async handle(
    _: Input<typeof receiveChatEvent>,
    { content, installation, teamId, requestId }: ChatContext,
  ): Promise<ChatAnswer | undefined> {
    if (content['type'] === 'url_verification') return { challenge: textAt(content, 'challenge') };
    if (!installation) return undefined;
    if (endsInstallation(content, installation))
      await this.hints.receive({ installation, requestId, eventTime: eventTimeOf(content) });
    else this.background.start({ requestId, teamId }, () => this.#react(content, installation));
    return undefined;
  }

  async #react(content: ChatContext['content'], installation: ConnectedApp): Promise<void> {
    const { event } = content;
    const type = textAt(event, 'type');
    const isOwn = textAt(event, 'bot_id') !== '' || textAt(event, 'subtype') !== '';
    if (type === 'app_home_opened' && textAt(event, 'tab') === 'home') {
      const client = await this.clients.of(installation);
      await client.views.publish({ user_id: textAt(event, 'user'), view: homeView() });
    } else if (type === 'message' && textAt(event, 'channel_type') === 'im' && !isOwn) {
      const client = await this.clients.of(installation);
      await client.chat.postMessage({ channel: textAt(event, 'channel'), ...textMessage(HELP) });
    }
  }
}

/** Epoch seconds; undefined for an event without a time. */
function eventTimeOf({ event_time: time }: ChatContext['content']): number | undefined {
  return Number.isSafeInteger(time) ? (time as number) : undefined;
}

/** `tokens_revoked` names users, not tokens: only the bot's own matters. */
function endsInstallation({ event }: ChatContext['content'], { remote }: ConnectedApp): boolean {
  const type = textAt(event, 'type');
  if (type === 'app_uninstalled') return true;
  return type === 'tokens_revoked' && listAt(event, 'tokens', 'bot').includes(remote?.['bot_user_id']);
}
