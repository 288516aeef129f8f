/** Keys of what this place reads; none has a name, an address or a link in it. */
export const notifyKeys = {
  all: ['notifications'],
  sends: ['notifications', 'sends'],
  recentSends: ['notifications', 'recent-sends'],
  send: (id: string) => ['notifications', 'send', id],
  receipts: (id: string) => ['notifications', 'receipts', id],
  config: ['notifications', 'config'],
  colleagues: ['notifications', 'colleagues'],
  preferences: ['notifications', 'preferences'],
  devices: ['notifications', 'devices'],
  refused: ['notifications', 'refused'],
} as const;
