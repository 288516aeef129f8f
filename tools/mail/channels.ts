import type { Message } from './page.ts';

/** The names of the channels on the page. */
export const channels: Record<Message['channel'], string> = {
  email: 'E-mail',
  sms: 'SMS',
  voice: 'Call',
  whatsapp: 'WhatsApp',
  rcs: 'RCS',
  push: 'Push',
  web_push: 'Web push',
  webhook: 'Webhook',
  slack: 'Slack',
  teams: 'Teams',
};
