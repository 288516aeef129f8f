import { Example } from '../core/example.js';
import { JsonObject, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

/** Most bytes of a webhook: a modal with a secret of 256,000 bytes, percent-encoded (OPEN-06). */
export const CHAT_WEBHOOK_BYTES_MAX = 1_048_576;

/** An answer in the format of the chat platform. Without fields it has no body, which acknowledges the request. */
@Example({
  response_type: 'ephemeral',
  text: 'This workspace is not connected. An admin of your organization can install the chat app.',
})
export class ChatAnswer {
  @Text({ max: 4_096, optional: true, description: 'Of url_verification, unchanged.' }) challenge?: string;
  @OneOf(['ephemeral'], { optional: true, description: 'Only the person who wrote the command sees it.' })
  response_type?: 'ephemeral';
  @Text({ max: 3_000, optional: true }) text?: string;
  @OneOf(['errors'], { optional: true, description: 'The modal stays open.' }) response_action?: 'errors';
  @JsonObject({ bytesMax: 4_096, optional: true, description: 'Messages by block of the modal.' })
  errors?: Record<string, string>;
}

const webhook = {
  bodyBytesMax: CHAT_WEBHOOK_BYTES_MAX,
  bare: true,
  reply: ChatAnswer,
} as const;

/** The command /secret. AUTHENTICATION_ERROR without a valid signature that is at most five minutes old. */
export const receiveChatCommand = operation({
  name: 'integrations.receive-chat-command',
  summary:
    'Receives the command /secret of the chat platform, which signs it in the header X-Chat-Signature.',
  http: { method: 'POST', path: '/v1/apps/chatapp/webhooks/commands', status: 200 },
  access: { provider: 'chatapp', content: 'form' },
  ...webhook,
});

/** Submitted modals and pressed buttons. */
export const receiveChatInteraction = operation({
  name: 'integrations.receive-chat-interaction',
  summary: 'Receives submitted modals and pressed buttons of the chat platform.',
  http: { method: 'POST', path: '/v1/apps/chatapp/webhooks/interactions', status: 200 },
  access: { provider: 'chatapp', content: 'payload' },
  ...webhook,
});

/** Events of the workspace: url_verification, app_uninstalled, tokens_revoked, app_home_opened, direct messages (CHT-14). */
export const receiveChatEvent = operation({
  name: 'integrations.receive-chat-event',
  summary: 'Receives events of the chat platform.',
  http: { method: 'POST', path: '/v1/apps/chatapp/webhooks/events', status: 200 },
  access: { provider: 'chatapp', content: 'json' },
  ...webhook,
});
