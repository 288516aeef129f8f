import { plural } from './catalogue.js';

/** Texts that several places share. */
export const commonTexts = {
  product: 'vaultsvc',
  loading: 'Loading …',
  tryAgain: 'Try again',
  reload: 'Reload the page',
  more: 'Load more',
  cancel: 'Cancel',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  copiedToast: 'Copied. Your system may keep a history of what you copy.',
  copyFailed: 'Your browser refused to copy. Select the text and copy it yourself.',
  failed: 'This did not work',
  bug: 'Something went wrong on this page.',
  notLoaded:
    'A part of this page could not be loaded. Try again. If that does not help, copy what you have typed, and reload the page.',
  newRelease: 'There is a new version of this page',
  newReleaseText: 'Copy what you have typed, if anything. Then reload the page.',
  missing: 'There is no such page',
  missingText: 'The address may be incomplete.',
  refused: 'You cannot use this',
  skip: 'Skip to the content',
  menu: 'Places',
  account: 'Your account',
  help: 'Help and guides',
  actionOn: (action: string, name: string) => `${action}: ${name}`,
  goTo: 'Go to',
  goToLabel: 'Place or action',
  goToKeys: (isMac: boolean) => (isMac ? '⌘ K' : 'Ctrl K'),
  nothingFound: 'Nothing has this name.',
  otherTab: 'opens in another tab',
  noConnection: 'There was no answer. Check your internet connection.',
  signedOut: 'Your session has ended.',
  tooMany: (seconds: number | undefined) =>
    `Too many requests. Try again in ${seconds === undefined ? 'a minute' : durationText(seconds)}.`,
  poolFull: (resource: unknown) =>
    resource === 'bandwidth'
      ? 'Your organization has used up its bandwidth. It starts again with the next cycle.'
      : 'The storage of your organization is full. Delete what you no longer need, or get more.',
  noPlan: 'The plan of your organization is not active.',
  toBilling: 'Go to billing',
  serverFailed: (request: string | undefined) =>
    `Something went wrong on our side. The request was ${request ?? 'not numbered'}.`,
} as const;

/** Names of the places, in navigation, headings and titles. */
export const placeTexts = {
  send: 'Send',
  sent: 'Sent',
  vaults: 'Vaults',
  notifications: 'Notifications',
  people: 'People',
  keys: 'API keys',
  domains: 'Domains',
  usage: 'Usage',
  audit: 'Audit',
  billing: 'Billing',
  integrations: 'Integrations',
  settings: 'Settings',
  profile: 'Profile',
} as const;

/** What pages of places begin, in the command palette. */
export const actionTexts = {
  invite: 'Invite a person',
  createKey: 'Create an API key',
  buySeats: 'Buy or give back seats',
  notify: 'Notify people',
  checkReceipt: 'Check a receipt',
} as const;

/** A duration in the unit in which a person would say it. */
export function durationText(seconds: number): string {
  if (seconds < 90) return plural(Math.max(1, Math.round(seconds)), { one: '# second', other: '# seconds' });
  const minutes = Math.round(seconds / 60);
  if (minutes < 90 && minutes !== 60) return plural(minutes, { one: '# minute', other: '# minutes' });
  return plural(Math.round(minutes / 60), { one: '# hour', other: '# hours' });
}
