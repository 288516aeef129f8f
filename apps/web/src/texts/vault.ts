import { durationText } from './common.js';

/** Texts of the page of a vault. */
export const vaultTexts = {
  one: 'Vault',
  all: 'All vaults',
  missing: 'This vault does not exist, or was deleted.',
  parts: 'Parts of the vault',
  files: 'Files',
  secrets: 'Secrets',
  keys: 'Keys',
  activity: 'Activity',
} as const;

/** Texts of opening, locking and sealing. */
export const unsealTexts = {
  title: 'Open this vault here',
  text: 'In this tab only. The key is used once and not kept.',
  key: 'Key of the vault',
  keyHint: 'The master key, or a key that was delegated to you.',
  open: 'Open here',
  invalid: 'This key does not open this vault. Copy it whole.',
  anothers: 'This key was delegated to another person.',
  duration: 'Lock again after',
  hours: (seconds: number) => durationText(seconds),
  openElsewhere: 'It is open in another tab or for somebody else, or was open here before a reload.',
  left: (seconds: number) => `Open here, ${durationText(seconds)} left`,
  lock: 'Lock here',
  sealButton: 'Seal',
  seal: 'Seal for everybody',
  sealTitle: 'Seal this vault for everybody?',
  sealText:
    'It closes at once in all browsers and programs that have opened it, of everybody. Downloads stop. Anybody with a key can open it again.',
  sealed: 'The vault is sealed.',
  closedBy: {
    lock: 'You have locked this vault here.',
    idle: 'This vault was locked because nobody used this page for 15 minutes. What you typed is still here.',
    expired: 'The time for which this vault was open is over. What you typed is still here.',
    sealed: 'Somebody has sealed this vault, or withdrawn the key. What you typed is still here.',
  },
  idleSoon: (seconds: number) => `Nobody uses this page: the vault locks in ${durationText(seconds)}.`,
  endsSoon: (seconds: number) => `The vault locks in ${durationText(seconds)}. To go on, open it again then.`,
  readOnly: 'You can look, but change nothing: your key or your seat reads only.',
} as const;
