/** The channels of notifications (NTF-13). */
export const notifyChannels = [
  'in_app',
  'websocket',
  'email',
  'sms',
  'push',
  'web_push',
  'voice',
  'whatsapp',
  'rcs',
  'webhook',
  'slack',
  'teams',
] as const;
export type NotifyChannel = (typeof notifyChannels)[number];

/** Categories whose content is always sealed (NTF-25). A tenant can add others. */
export const sealedCategories = ['secure', 'conversation', 'approval', 'signature'] as const;
