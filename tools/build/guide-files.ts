import { fileURLToPath } from 'node:url';

/** Pages of docs/ for authors of clients, in reading order. */
export const guideNames = [
  'sessions',
  'links',
  'files',
  'structured-ingots',
  'entropy',
  'notify',
  'audit',
  'billing',
  'idempotency',
  'client',
  'cli',
  'integrations',
  'console',
  'identity-providers',
  'glossary',
];

export const guidePathOf = (name: string) => fileURLToPath(new URL(`../../docs/${name}.md`, import.meta.url));

/** The files that the module is made of. */
export const guidePaths = guideNames.map(guidePathOf);
