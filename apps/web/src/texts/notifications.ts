import { plural } from './catalogue.js';

/** Texts that the pages of notifications share, and those of the list. */
export const notifyTexts = {
  title: 'Notifications',
  hint: 'Tell people something that only they can open. The content stays sealed; a message leads to it.',
  parts: 'Parts of notifications',
  sent: 'Sent',
  feed: 'Live feed',
  mine: 'For me',
  configuration: 'Configuration',
  list: 'Sent notifications',
  compose: 'Notify people',
  check: 'Check a receipt',
  all: 'All notifications',
  empty: 'Your organization has sent no notification yet.',
  untitled: 'Without a subject',
  recipients: (count: number) => plural(count, { one: '# recipient', other: '# recipients' }),
  opened: (seen: number, all: number) => `${seen} of ${all} opened`,
  sentOn: (moment: string) => `Sent ${moment}`,
  asksForReply: (count: number) => plural(count, { one: '# reply', other: '# replies' }),
} as const;

/** Names of the channels. */
export const channelTexts = {
  in_app: 'Own application',
  websocket: 'Live feed',
  email: 'E-mail',
  sms: 'Text message',
  push: 'Push on phones',
  web_push: 'Push in browsers',
  voice: 'Phone call',
  whatsapp: 'WhatsApp',
  rcs: 'RCS message',
  webhook: 'Webhook',
  slack: 'Slack',
  teams: 'Teams',
} as const;

export const sendStatusTexts = {
  pending: 'Accepted',
  delivering: 'On its way',
  delivered: 'Sent',
  partial: 'Some not reached',
  failed: 'Nobody reached',
} as const;

export const levelTexts = {
  none: 'Anybody with the link',
  identifier: 'A code to the address',
  passkey: 'A passkey',
  out_of_band: 'A code by another channel',
  dual_control: 'Two people together',
} as const;
