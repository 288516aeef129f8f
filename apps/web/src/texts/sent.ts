import { durationText } from './common.js';

/** Texts of Sent. */
export const sentTexts = {
  title: 'Sent',
  hint: 'What your organization has sent, until it expires. Secrets themselves are shown nowhere.',
  empty: 'Nothing was sent in the last 24 hours.',
  send: 'Send a secret',
  list: 'Secrets',
  kinds: { text: 'Text', link: 'Address', file: 'File' },
  created: (moment: string) => `Created ${moment}`,
  waiting: (seconds: number) => `Waiting, ${durationText(seconds)} left`,
  opening: 'Being opened',
  opened: (moment: string) => `Opened ${moment}`,
  expired: 'Expired, never opened',
  notShared: 'No link',
  linkWithdrawn: 'Link withdrawn',
  openedBy: (identity: string) => `Opened by ${identity}, who proved it with a code`,
  openedByAnybody: 'Opened by somebody who had the link',
  public: 'Anybody with the link',
  authenticated: 'Anybody who proves an address',
  inviteOnly: (identity: string) => `Only ${identity}`,
  copyLink: 'Copy link',
  withdraw: 'Withdraw',
  withdrawTitle: 'Withdraw this secret?',
  withdrawText: 'Its link stops working at once, and the secret is deleted. This cannot be undone.',
  withdrawn: 'The secret was withdrawn.',
  refresh: 'Refresh',
} as const;
