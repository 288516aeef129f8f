/** Texts of the first steps of a new organization. */
export const firstStepsTexts = {
  title: 'First steps for your organization',
  hide: 'Hide',
  done: 'Done',
  open: 'To do',
  people: 'Invite a colleague',
  peopleHint: 'A second owner keeps your organization open if you lose access.',
  vaults: 'Create a vault',
  vaultsHint: 'For files and secrets that stay, behind a key that only you keep.',
  domains: 'Claim your domain',
  domainsHint: 'So that nobody else signs up with addresses of your organization.',
  keys: 'Create an API key',
  keysHint: 'For programs that send and read secrets.',
} as const;
