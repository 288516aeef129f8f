import { plural } from './catalogue.js';

/** Texts of the list of vaults. */
export const vaultsTexts = {
  title: 'Vaults',
  hint: 'Files and secrets that only the key of their vault opens.',
  list: 'Vaults',
  empty: 'Your organization has no vault yet. A vault keeps files and secrets until you delete them.',
  create: 'Create a vault',
  facts: (files: number, size: string, created: string) =>
    `${plural(files, { one: '# file', other: '# files' })} · ${size} · created ${created}`,
  deleting: 'Being deleted',
} as const;
