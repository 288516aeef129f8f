import { plural } from './catalogue.js';
import { durationText } from './common.js';

/** Texts of the list of vaults, and of a vault that is opened. */
export const vaultsTexts = {
  title: 'Vaults',
  hint: 'Files and secrets that only the key of their vault opens.',
  list: 'Vaults',
  empty: 'Your organization has no vault yet. A vault keeps files and secrets until you delete them.',
  create: 'Create a vault',
  facts: (files: number, size: string, created: string) =>
    `${plural(files, { one: '# file', other: '# files' })} · ${size} · created ${created}`,
  openHere: 'Open here',
  deleting: 'Being deleted',
  one: 'Vault',
  all: 'All vaults',
  missing: 'This vault does not exist, or was deleted.',
  parts: 'Parts of the vault',
  files: 'Files',
  secrets: 'Secrets',
  keys: 'Keys',
  activity: 'Activity',
} as const;

/** Texts of a new vault and its master key. */
export const newVaultTexts = {
  title: 'Create a vault',
  hint: 'You get a key that opens it. Nobody else has this key, not even we.',
  name: 'Name',
  nameHint: 'Your organization sees it.',
  create: 'Create vault',
  nameless: 'Enter a name.',
  keyTitle: 'Keep the key of your vault',
  keyText:
    'It is shown now, and never again. Without it nobody can open this vault, not even we. Keep it in your password manager, or print it.',
  second: 'Let a second person keep a copy: if the only copy is lost, so is all that the vault holds.',
  key: 'Master key',
  sheet: (vault: string, id: string, key: string, date: string) =>
    [
      'Recovery sheet of a vault',
      '',
      `Vault: ${vault}`,
      `Id: ${id}`,
      `Created: ${date}`,
      '',
      `Master key: ${key}`,
      '',
      'This key opens the vault. Without it nobody can: there is no other way in.',
      'Keep this sheet where only those find it who may read the vault.',
      '',
    ].join('\n'),
  sheetName: 'recovery-sheet.txt',
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
  openElsewhere: 'It is open somewhere else at the moment.',
  left: (seconds: number) => `Open here, ${durationText(seconds)} left`,
  lock: 'Lock here',
  sealButton: 'Seal',
  seal: 'Seal for everybody',
  sealTitle: 'Seal this vault for everybody?',
  sealText:
    'It closes at once in all browsers and programs that have opened it, of everybody. Downloads stop. Who has a key can open it again.',
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
