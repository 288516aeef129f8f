import type { PublicOperation } from '@vaultsvc/contracts';

/** A resource of the API: a tag of the OpenAPI document and a heading of the reference. */
export interface ApiResource {
  readonly name: string;
  /** The heading that groups related resources. */
  readonly group: string;
  readonly description: string;
  /** The guide about it, a page of docs/. */
  readonly guide?: string;
  /** The paths of its operations in reading order. A path belongs to the longest one that it continues. */
  readonly paths: readonly string[];
}

const VAULT = '/v1/vaults/{vault_id}';
const INGOT = `${VAULT}/ingots/{ingot_id}`;

/** The resources in reading order: what a new caller needs first, first. */
export const apiResources: readonly ApiResource[] = [
  {
    name: 'Account',
    group: 'Start',
    description:
      'Who is calling, the organization, its settings, what a client has to know of the platform, and whether it answers.',
    paths: ['/v1/me', '/v1/account', '/v1/profile', '/v1/settings', '/v1/config', '/v1/health'],
  },
  {
    name: 'API keys',
    group: 'Start',
    description: 'Credentials of programs. A key has full access to its account and is shown once.',
    guide: 'people',
    paths: ['/v1/api-keys'],
  },
  {
    name: 'Sessions',
    group: 'Start',
    description: 'Sign-in of people through the identity provider, and single-use refresh tokens.',
    guide: 'sessions',
    paths: [
      '/v1/auth/identity/token',
      '/v1/auth/identity/verify',
      '/v1/auth/complete-signup',
      '/v1/auth/refresh',
      '/v1/auth/logout',
      '/v1/me/sessions',
      '/v1/auth',
      '/.well-known/jwks.json',
    ],
  },
  {
    name: 'People',
    group: 'Start',
    description: 'Users of the account, their roles and seats, and invitations.',
    guide: 'people',
    paths: ['/v1/users', '/v1/invitations'],
  },
  {
    name: 'Domains',
    group: 'Start',
    description: 'E-mail domains that an organization has claimed by a DNS record.',
    paths: ['/v1/domains/challenge', '/v1/domains'],
  },
  {
    name: 'Sparks',
    group: 'Sparks',
    description: 'Secrets that are read once and burned, or expire within 24 hours.',
    guide: 'quickstart',
    paths: ['/v1/sparks'],
  },
  {
    name: 'SparkLinks',
    group: 'Links',
    description: 'Links by which people without an account open a Spark or a file.',
    guide: 'links',
    paths: ['/v1/sparks/{spark_id}/share', '/v1/sparklinks'],
  },
  {
    name: 'Link pages',
    group: 'Links',
    description: 'The requests of the page behind a link, at the origins of links.',
    guide: 'links',
    paths: ['/{link_code}/burn', '/{link_code}/verify', '/{link_code}'],
  },
  {
    name: 'Vaults',
    group: 'Vaults',
    description:
      'Encrypted containers. Unsealing one returns the token that every access to its content needs.',
    guide: 'vault-keys',
    paths: ['/v1/vaults', VAULT, `${VAULT}/unseal`, `${VAULT}/seal`],
  },
  {
    name: 'Delegated keys',
    group: 'Vaults',
    description: 'Revocable keys that open a vault for one user or one program.',
    guide: 'vault-keys',
    paths: [`${VAULT}/dvaks`],
  },
  {
    name: 'Folders',
    group: 'Vaults',
    description: 'Folders of a vault.',
    paths: [`${VAULT}/folders`],
  },
  {
    name: 'Ingots',
    group: 'Files',
    description: 'Files of a vault, up to 5 TB.',
    guide: 'files',
    paths: [
      `${VAULT}/ingots`,
      `${VAULT}/ingots/search`,
      INGOT,
      `${INGOT}/download`,
      `${VAULT}/upload-sources`,
    ],
  },
  {
    name: 'Transfers',
    group: 'Files',
    description: 'Forge, at its own origin: resumable uploads by tus 1.0.0, and downloads with ranges.',
    guide: 'files',
    paths: ['/encrypt', '/{upload_id}', '/decrypt', '/progress', '/health'],
  },
  {
    name: 'File sharing',
    group: 'Files',
    description: 'Durable shares and one-time links of files.',
    guide: 'links',
    paths: [`${INGOT}/sharing`, `${INGOT}/sparklinks`, '/v1/files'],
  },
  {
    name: 'Structured ingots',
    group: 'Structured',
    description: 'Keys and values in a vault. A value leaves only as a Spark.',
    guide: 'structured-ingots',
    paths: ['/v1/products/structured-ingots'],
  },
  {
    name: 'Entropy',
    group: 'Entropy',
    description: 'Random data of a hardware source combined with a local one.',
    guide: 'entropy',
    paths: ['/v1/entropy'],
  },
  {
    name: 'Notifications',
    group: 'Notify',
    description: 'Sealed notifications over many channels, with signed receipts.',
    guide: 'notify',
    paths: [
      '/v1/products/notify/send',
      '/v1/products/notify',
      '/v1/messaging',
      '/{link_code}/interact',
      '/v1/unsubscribe',
    ],
  },
  {
    name: 'Push tokens',
    group: 'Notify',
    description: 'Devices that receive push notifications.',
    guide: 'notify',
    paths: ['/v1/push-tokens'],
  },
  {
    name: 'Audit log',
    group: 'Audit',
    description: 'What happened in the account, in a vault and to an ingot, in a verifiable log.',
    guide: 'audit',
    paths: ['/v1/audit-logs', `${VAULT}/audit-logs`, `${INGOT}/audit-logs`],
  },
  {
    name: 'Analytics',
    group: 'Audit',
    description: 'Figures of the account over time.',
    paths: ['/v1/analytics'],
  },
  {
    name: 'Usage',
    group: 'Billing',
    description: 'Pools of storage, bandwidth and seats, and the ledger of what was used.',
    guide: 'console',
    paths: ['/v1/usage', '/v1/billing/transactions', '/v1/billing/aggregate'],
  },
  {
    name: 'Subscription',
    group: 'Billing',
    description: 'The plan of the account and its changes.',
    guide: 'billing',
    paths: ['/v1/billing/subscription', '/v1/billing/seats', '/v1/billing/checkout', '/v1/billing/iap'],
  },
  {
    name: 'Payments',
    group: 'Billing',
    description: 'Invoices, payment methods and the portal of the payment provider.',
    guide: 'billing',
    paths: ['/v1/billing'],
  },
  {
    name: 'Apps',
    group: 'Integrations',
    description: 'The catalogue of integrations and their installation.',
    guide: 'integrations',
    paths: ['/v1/apps'],
  },
  {
    name: 'Chat app',
    group: 'Integrations',
    description: 'Secrets in a chat: its connection, its figures and its webhooks.',
    guide: 'integrations',
    paths: ['/v1/apps/chatapp'],
  },
  {
    name: 'CRM apps',
    group: 'Integrations',
    description: 'Files on the records of two CRMs: requests that the CRMs sign.',
    guide: 'integrations',
    paths: ['/v1/apps/crma', '/v1/apps/crmb'],
  },
  {
    name: 'CRM panels',
    group: 'Integrations',
    description: 'The requests of the panel that a CRM shows in a frame.',
    guide: 'integrations',
    paths: ['/v1/apps/{app_id}/panel'],
  },
];

/** The groups of the reference in reading order, each with the names of its resources. */
export function resourceGroups(): readonly { readonly name: string; readonly tags: readonly string[] }[] {
  const groups = [...new Set(apiResources.map(({ group }) => group))];
  return groups.map((name) => ({
    name,
    tags: apiResources.filter(({ group }) => group === name).map((resource) => resource.name),
  }));
}

/** The resource of a path; undefined for paths outside the table. */
export function resourceOf(path: string): ApiResource | undefined {
  return placeOf(path)?.resource;
}

interface Place {
  readonly resource: ApiResource;
  /** The position in the table of the path that it continues. */
  readonly order: number;
  readonly length: number;
}

const places: readonly (Place & { readonly path: string })[] = apiResources
  .flatMap((resource) => resource.paths.map((path) => ({ resource, path })))
  .map((place, order) => ({ ...place, order, length: place.path.length }));

function placeOf(path: string): Place | undefined {
  const continued = places.filter((place) => path === place.path || path.startsWith(`${place.path}/`));
  return continued.sort((one, other) => other.length - one.length)[0];
}

const methods = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'];

/** Operations in reading order: by resource, then by path, then as a resource lives: created, read, changed, deleted. */
export function inReadingOrder(operations: readonly PublicOperation[]): PublicOperation[] {
  return [...operations].sort((one, other) => compare(one, other));
}

function compare({ http: one }: PublicOperation, { http: other }: PublicOperation): number {
  return (
    (placeOf(one.path)?.order ?? places.length) - (placeOf(other.path)?.order ?? places.length) ||
    one.path.split('/').length - other.path.split('/').length ||
    one.path.localeCompare(other.path) ||
    methods.indexOf(one.method) - methods.indexOf(other.method)
  );
}
