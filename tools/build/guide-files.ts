import { fileURLToPath } from 'node:url';

/** Pages for people who use a deployment and have no clone, in reading order. All but the changelog are in docs/. */
export const guideNames = [
  'quickstart',
  'people',
  'sessions',
  'links',
  'files',
  'vault-keys',
  'structured-ingots',
  'entropy',
  'notify',
  'webhooks',
  'audit',
  'billing',
  'idempotency',
  'client',
  'cli',
  'integrations',
  'console',
  'identity-providers',
  'versions',
  'changelog',
  'glossary',
];

export const guidePathOf = (name: string) =>
  fileURLToPath(
    new URL(name === 'changelog' ? '../../CHANGELOG.md' : `../../docs/${name}.md`, import.meta.url),
  );

/** The files that the module is made of. */
export const guidePaths = guideNames.map(guidePathOf);
