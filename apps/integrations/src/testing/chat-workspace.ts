import { createHmac } from 'node:crypto';
import type { AccountContext, Operation, PublicSpec } from '@vaultsvc/contracts';
import {
  Authorization,
  connectChatapp,
  receiveChatCommand,
  receiveChatEvent,
  receiveChatInteraction,
  type ChatAnswer,
} from '@vaultsvc/contracts/integrations';
import { newId } from '@vaultsvc/crypto/encoding';
import { deadlineIn } from '@vaultsvc/testing/harness';
import type { WorkspaceState } from '../../../../tools/integrations/chat/conversations.ts';
import { fields, SEND_MODAL, VIEW_ACTION } from '../chat/chat-views.js';
import type { IntegrationsPlatform } from './integrations-platform.js';

/** A request of the chat platform; a test may send the same one twice. */
export interface ChatRequest {
  readonly body: string;
  readonly timestamp: string;
  readonly signature: string;
}

/** Signs a body as the chat platform does. */
export function signedByChat(body: string, secret: string, atMs = Date.now()): ChatRequest {
  const timestamp = String(Math.floor(atMs / 1_000));
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
  return { body, timestamp, signature };
}

/** What a person chooses in the modal of /secret. */
export interface Choice {
  readonly secret: string;
  readonly to: string;
  readonly minutes?: number;
}

/** A connected workspace, whose people use the app. */
export class ChatWorkspace {
  private constructor(
    private readonly platform: IntegrationsPlatform,
    readonly teamId: string,
    readonly state: WorkspaceState,
  ) {}

  static async connect(platform: IntegrationsPlatform, caller: AccountContext): Promise<ChatWorkspace> {
    const body = Object.assign(new Authorization(), {
      code: `local-ok-${newId('code_')}`,
      redirect_uri: 'https://app.example.com/callback',
    });
    const { team_id } = await platform.harness.bus.call(connectChatapp, { body }, caller);
    return new ChatWorkspace(platform, team_id, platform.providers.chat.workspace(team_id));
  }

  command(text = '', changes: Record<string, string> = {}): Promise<ChatAnswer | undefined> {
    const form = new URLSearchParams({
      team_id: this.teamId,
      command: '/secret',
      user_id: 'U0ADA',
      text,
      trigger_id: this.state.newTrigger(),
      ...changes,
    });
    return this.deliver(receiveChatCommand, this.sign(form.toString()));
  }

  submit(choice: Choice, user = 'U0ADA'): Promise<ChatAnswer | undefined> {
    return this.deliver(receiveChatInteraction, this.submission(choice, user));
  }

  /** The request of a submitted modal. @param shared of a shared channel: the workspace of the person, and that of the app */
  submission(
    { secret, to, minutes }: Choice,
    user = 'U0ADA',
    { app_installed_team_id, ...team }: { app_installed_team_id?: string; team?: object } = {},
  ): ChatRequest {
    const values = {
      [fields.secret.block]: { [fields.secret.action]: { value: secret } },
      [fields.recipient.block]: { [fields.recipient.action]: { selected_conversation: to } },
      [fields.expiry.block]: {
        [fields.expiry.action]: {
          selected_option: minutes === undefined ? null : { value: String(minutes) },
        },
      },
    };
    const view = { callback_id: SEND_MODAL, state: { values }, app_installed_team_id };
    const payload = { type: 'view_submission', view, ...team };
    return this.sign(formOf(this.#interaction(payload, user)));
  }

  /** Presses View & Destroy in a message, and confirms. */
  view(
    message: { channel: string; ts: string },
    sparkId: string,
    user = 'U0BOB',
  ): Promise<ChatAnswer | undefined> {
    return this.deliver(receiveChatInteraction, this.viewRequest(message, sparkId, user));
  }

  viewRequest(message: { channel: string; ts: string }, sparkId: string, user = 'U0BOB'): ChatRequest {
    return this.sign(
      formOf(
        this.#interaction(
          {
            type: 'block_actions',
            trigger_id: this.state.newTrigger(),
            channel: { id: message.channel },
            message: { ts: message.ts },
            actions: [{ action_id: VIEW_ACTION, value: sparkId }],
          },
          user,
        ),
      ),
    );
  }

  interact(payload: object, user = 'U0ADA'): Promise<ChatAnswer | undefined> {
    return this.deliver(receiveChatInteraction, this.sign(formOf(this.#interaction(payload, user))));
  }

  event(event: object, changes: object = {}): Promise<ChatAnswer | undefined> {
    const body = { type: 'event_callback', team_id: this.teamId, event_id: newId('Ev_'), event, ...changes };
    return this.deliver(receiveChatEvent, this.sign(JSON.stringify(body)));
  }

  sign(body: string): ChatRequest {
    return signedByChat(body, this.platform.providers.settings['CHATAPP_SIGNING_SECRET'] as string);
  }

  async deliver<S extends PublicSpec>(
    op: Operation<S>,
    request: ChatRequest,
    target: string = op.http.path,
  ): Promise<ChatAnswer | undefined> {
    const headers = { 'x-chat-signature': request.signature, 'x-chat-request-timestamp': request.timestamp };
    const { reply } = await this.platform.harness.bus.forward(op, {}, Buffer.from(request.body), {
      requestId: newId('req_'),
      credential: { kind: 'provider' },
      clientIp: '203.0.113.9',
      deadlineMs: deadlineIn(60),
      signedRequest: { target, headers },
    });
    return reply.length === 0 ? undefined : (JSON.parse(Buffer.from(reply).toString()) as ChatAnswer);
  }

  #interaction(payload: object, user: string): object {
    // Unique, as at the platform: equal requests of one second would be repetitions.
    const trigger_id = newId('trigger_');
    return {
      team: { id: this.teamId },
      trigger_id,
      user: { id: user, name: user.toLowerCase() },
      ...payload,
    };
  }
}

const formOf = (payload: object) => new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
