import { plural } from './catalogue.js';

/** Texts of the live feed. */
export const feedTexts = {
  title: 'Live feed',
  hint: 'Notifications by the channel Live feed arrive here while the page is open, for everybody of your organization.',
  list: 'Entries of the live feed',
  connecting: 'Connecting …',
  live: 'Live: new entries appear by themselves.',
  waiting: 'Not connected. What was sent is read every few seconds instead.',
  reconnect: 'Connect now',
  empty: 'No notification was sent by the channel Live feed yet.',
  arrived: (count: number) => plural(count, { one: '# new entry', other: '# new entries' }),
  untitled: 'Without a subject',
  forYou: 'For you',
  isNew: 'New',
  to: (recipient: string) => `To ${recipient}`,
  ended: (moment: string) => `Link ended ${moment}`,
  open: 'Open',
  openLabel: (title: string) => `Open: ${title}`,
  status: 'Status',
  statusLabel: (title: string) => `Status: ${title}`,
  fallback: 'Sent by the live feed',
} as const;
