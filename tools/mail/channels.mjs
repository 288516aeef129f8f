/**
 * The names of the channels on the page.
 * @type {Record<import('./page.mjs').Message['channel'], string>}
 */
export const channels = {
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
