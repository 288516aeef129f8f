import type { HomeView, KnownBlock, ModalView } from '@slack/types';
import type { ChatAnswer } from '@vaultsvc/contracts/integrations';
import { escaped, escapedParts } from './shown-text.js';

/** Ids in modals and messages, by which later requests are recognized. */
export const SEND_MODAL = 'send_secret';
export const VIEW_ACTION = 'view_secret';
export const fields = {
  secret: { block: 'secret', action: 'text' },
  recipient: { block: 'recipient', action: 'conversation' },
  expiry: { block: 'expiry', action: 'minutes' },
} as const;

/** Choices of the expiry in minutes (CHT-19). */
export const expiries: readonly (readonly [minutes: number, label: string])[] = [
  [1, '1 minute'],
  [5, '5 minutes'],
  [15, '15 minutes'],
  [30, '30 minutes'],
  [60, '1 hour'],
  [360, '6 hours'],
  [720, '12 hours'],
  [1_440, '24 hours'],
];
export const EXPIRY_MINUTES_DEFAULT = 60;

/** Most characters of a secret that the chat shows, as they were typed (CHT-21). */
export const SHOWN_CHARACTERS_MAX = 3_000;

const shown = (text: string) => ({ type: 'plain_text', text, emoji: false }) as const;
const plain = (text: string) => shown(escaped(text));
const sections = (text: string): KnownBlock[] =>
  escapedParts(text).map((part) => ({ type: 'section', text: shown(part) }));
const option = ([minutes, label]: (typeof expiries)[number]) => ({
  text: plain(label),
  value: String(minutes),
});

/** The modal of /secret. */
export function sendModal(recipient: string | undefined): ModalView {
  const { secret, recipient: to, expiry } = fields;
  const preset = expiries.find(([minutes]) => minutes === EXPIRY_MINUTES_DEFAULT) ?? [60, '1 hour'];
  return {
    type: 'modal',
    callback_id: SEND_MODAL,
    title: plain('Send a secret'),
    submit: plain('Send'),
    close: plain('Cancel'),
    blocks: [
      {
        type: 'input',
        block_id: secret.block,
        label: plain('Secret'),
        hint: plain(
          'It can be viewed once. Secrets of more than 3,000 characters cannot be shown in the chat.',
        ),
        element: { type: 'plain_text_input', action_id: secret.action, multiline: true },
      },
      {
        type: 'input',
        block_id: to.block,
        label: plain('Send to'),
        element: {
          type: 'conversations_select',
          action_id: to.action,
          ...(recipient === undefined ? {} : { initial_conversation: recipient }),
          filter: { include: ['im', 'mpim', 'private', 'public'], exclude_bot_users: true },
        },
      },
      {
        type: 'input',
        block_id: expiry.block,
        optional: true,
        label: plain('Expires in'),
        element: {
          type: 'static_select',
          action_id: expiry.action,
          initial_option: option(preset),
          options: expiries.map(option),
        },
      },
    ],
  };
}

/** The message in the conversation. Of the secret it has the id alone (CHT-20). */
export function secretMessage(sparkId: string, senderId: string, expiresAt: number) {
  const when = `<!date^${expiresAt}^{date_short_pretty} at {time}|${new Date(expiresAt * 1_000).toISOString()}>`;
  const blocks: KnownBlock[] = [
    {
      type: 'section',
      text: { type: 'mrkdwn', text: `<@${senderId}> sent a secret. It can be viewed once, until ${when}.` },
    },
    {
      type: 'actions',
      elements: [
        {
          type: 'button',
          style: 'danger',
          action_id: VIEW_ACTION,
          value: sparkId,
          text: plain('View & Destroy'),
          confirm: {
            title: plain('View this secret?'),
            text: plain('It is shown to you once, and destroyed for everybody.'),
            confirm: plain('View & Destroy'),
            deny: plain('Cancel'),
          },
        },
      ],
    },
  ];
  return { text: 'A secret was sent to you. It can be viewed once.', blocks };
}

/** What the message says once the secret was viewed. */
export function burnedMessage(viewerId: string) {
  const text = `Secret Burned. <@${viewerId}> viewed it, and it was destroyed.`;
  return { text, blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }] as KnownBlock[] };
}

/** The answer to a submission that keeps its modal open, with a message at a block. */
export function inModal(block: string, message: string): ChatAnswer {
  return { response_action: 'errors', errors: { [block]: message } };
}

/** A message with one text. */
export function textMessage(text: string): { readonly text: string } {
  return { text: escaped(text) };
}

/** A modal with one text: what it shows until the secret is there, the secret itself, or why there is none. */
export function textModal(title: string, text: string): ModalView {
  return { type: 'modal', title: plain(title), close: plain('Close'), blocks: sections(text) };
}

/** The home of the app. */
export function homeView(): HomeView {
  return {
    type: 'home',
    blocks: [
      { type: 'header', text: plain('Secrets that are viewed once') },
      ...sections(HELP),
      ...sections(
        'The secret never passes through the chat: messages contain its id only, and viewing destroys it.',
      ),
    ],
  };
}

/** The answer to a direct message. */
export const HELP =
  'Write /secret to send a secret, or /secret @person or /secret #channel. The recipient presses "View & Destroy", sees it once, and it is gone. Unread secrets expire after 1 minute to 24 hours.';
