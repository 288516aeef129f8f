import { posix } from 'node:path';

/**
 * The folders of each service from the ground up, with their contents, which are the reason of their place: a folder imports only
 * those before it. Files without a line, such as the module, compose the service: they import everything, no folder imports them.
 */
export const folders: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  auth: {
    migrations: 'tables',
    'config.ts': 'settings',
    'actor.ts': 'the actor of a call',
    names: 'canonical forms of domains, addresses and display names',
    accounts: 'accounts, the rows of users and their states',
    'signing-keys': 'rotating keys of access tokens and receipts, the key set',
    tokens: 'access tokens and tokens of viewers',
    credentials: 'principals of API keys and sessions, and their credential records',
    'api-keys': 'API keys',
    sessions: 'session families, refresh tokens, session limit',
    domains: 'claims of domains and their checks',
    identity: 'the identity provider, verified identities, the upgrade of an identity-only session',
    owners: 'who may change the owners of an account, and the mails to them',
    invitations: 'invitations, from their expiry to their acceptance',
    users: 'users of an account, their seats and profiles',
    'sign-in': 'sign-in and sign-up',
    settings: 'settings of an account',
  },
  sparks: {
    migrations: 'tables',
    'config.ts': 'settings',
    'storage.ts': 'both databases',
    'call-context.ts': 'deadline of a call',
    entropy: 'random data in its formats',
    'epoch-keys': 'hourly keys and their destruction',
    safety: 'threat lists and the check of URLs',
    creators: 'the creators of Sparks and links, as their account reads them',
    kindling: 'groups of Sparks, and the shards that have Sparks of a group',
    link: 'the link itself: code, sealed texts, invites, events, end; what its owner reads of it',
    message: 'messages about links, their limits and texts',
    'spark/sealing': 'keys and ciphertexts of Sparks, content shared by a send',
    'spark/burning': 'the burn and its tombstone',
    spark: 'creating, reading, listing, expiring and deleting Sparks',
    'spark/minting': 'Sparks that vaults mints for a retrieval',
    'visit/admission': 'the link that a visitor has the code of, and its terms',
    'visit/verification': 'one-time codes and verification tokens',
    'visit/passkey': 'passkeys of visitors',
    'visit/opening': 'opening a link, with its record',
    'sharing/spark': 'links of a Spark',
    'sharing/grant': 'links of a send, one for each recipient',
    'sharing/ingot': 'links of an ingot',
  },
  vaults: {
    migrations: 'tables',
    'config.ts': 'settings',
    'priority-semaphore.ts': 'places for work, small before large',
    keys: 'keys of vaults, files and names',
    transfer: 'calls to forge: ISTKs, and their revocation',
    vault: 'vaults, their locks, transactions and counters',
    analytics: 'statistics of vaults',
    dvak: 'DVAKs and share keys; opening a vault key by VMK or DVAK',
    session: 'VATs: issued, checked, revoked',
    ingot: 'finding, listing and renaming ingots',
    sharing: 'shares of ingots, their share keys and invites',
    folder: 'the tree of folders',
    version: 'versions, from the upload to the activation',
    link: 'links of versions and their keys',
    download: 'downloads of versions',
    removal: 'deletion of ingots and vaults',
    record: 'files for the records of a CRM',
    structured: 'structured ingots and their values',
    'structured/retrieval': 'retrieval of values as Sparks',
  },
  forge: {
    migrations: 'tables',
    'config.ts': 'settings',
    'heap-growth.ts': 'flags of V8',
    exchange: 'a request with its response: errors, log lines, brute-force limit',
    tus: 'protocol and headers of tus',
    fairness: 'places and rates, shared between accounts',
    istk: 'ISTKs: admitted, found, revoked',
    cleanup: 'the end of uploads and the deletion of their objects',
    upload: 'uploads, chunk by chunk',
    download: 'downloads within their byte budgets',
    progress: 'the progress of a transfer',
    revocation: 'revocation of transfers, by calls and events',
    server: 'the public listener',
  },
  notify: {
    migrations: 'tables',
    'operator-settings': 'parsers of the settings of mail, texts and push',
    'config.ts': 'settings',
    text: 'forms of texts',
    outbound: 'requests to providers and their failures',
    recipients: 'recipients and their preferences',
    'recipients/unsubscribe': 'unsubscribe links and what they change',
    suppressions: 'suppressed addresses',
    email: 'mails over SMTP',
    sms: 'texts by Twilio',
    push: 'push tokens',
    messages: 'the queue of messages',
    settings: 'channels and targets of an account',
    sends: 'sends: plan, grants, content',
    'sends/report': 'the report of a send, and replays',
    interactions: 'answers of recipients and their receipts',
    feed: 'the live feed',
    providers: 'mail, chat, webhook and in-app providers',
    'providers/push': 'APNs, FCM and web push',
    'providers/phone': 'text, WhatsApp, RCS and voice',
    deliveries: 'the delivery of a notification to addresses',
    domain: 'warnings about domains',
    owners: 'mails to owners about their changes',
    invitation: 'invitations to accounts',
    link: 'messages about links',
    sending: 'the queue of each channel and its places',
  },
  integrations: {
    migrations: 'tables',
    'config.ts': 'settings',
    'background-work.ts': 'work after the answer',
    catalog: 'the catalog of integrations',
    installations: 'installations and their installers',
    providers: 'OAuth of each provider',
    tokens: 'tokens of providers: sealed, leased, revoked',
    lifecycle: 'installing, uninstalling, refreshing',
    crm: 'records of CRMs and their files',
    'crm/panel': 'panels of records',
    chat: 'secrets in the chat platform',
    guards: 'verification of the requests of providers',
    oauth: 'consent and connection',
  },
  reporting: {
    migrations: 'tables',
    settings: 'settings of billing, stores, log and sinks; the plan table',
    'config.ts': 'settings',
    shards: 'the shard of this instance, and the others',
    ledger: 'entries of the usage ledger and their roll-up',
    analytics: 'counters of usage and their reports',
    'audit/log': 'the transparency log',
    'audit/archive': 'old entries of the audit log in the object store',
    audit: 'the audit log: rules, chain, list, export',
    'audit/sinks': 'sinks of audit entries',
    history: 'the history of Sparks and links, read from the audit log',
    pool: 'pools and their snapshots',
    reservation: 'reservations of storage',
    'billing/quote': 'prices and the state of a subscription',
    'billing/provider': 'what billing asks of a payment provider',
    'billing/invoice': 'invoices',
    'billing/subscription': 'subscriptions and their changes',
    'billing/payment': 'payments of invoices',
    'billing/operator': "the operator's changes of billing",
    'billing/payment-method': 'payment methods',
    'billing/checkout': 'checkout and portal of the provider',
    'billing/purchase': 'purchases in app stores',
    'billing/stripe': 'Stripe, the payment provider',
    events: 'events of all services, applied to the above',
  },
  gateway: {
    'frame-origin.ts': 'parser of a setting',
    'config.ts': 'settings',
    access: 'credentials, roles and kinds of sessions',
    exchange: 'a request with its answer: envelope, errors, headers, log lines',
    pages: 'documents, compressed once',
    'page-client': 'parts that scripts of pages share',
    pipeline: 'routing, and the way of an operation',
    feed: 'WebSockets of the live feed',
    'audit-log': 'files of the transparency log',
    'link-page/client': 'script of the link page',
    'link-page': 'the link page',
    links: 'the listener of the link origins',
    'panel/client': 'script of the panel',
    panel: 'the panel of a CRM record',
    'unsubscribe/client': 'script of the unsubscribe page',
    unsubscribe: 'the unsubscribe page',
    'reference/operations': 'names and texts of operations',
    'reference/samples': 'code samples',
    'reference/openapi': 'the OpenAPI document',
    'reference/search/client': 'the search of the reference, in the browser',
    'reference/search': 'entries and script of the search',
    'reference/client': 'script of the reference, the guides and the errors',
    reference: 'pages of the reference, the guides and the errors',
    install: 'files to install, and their page',
    web: 'page and files of the web application',
    server: 'the public listener',
  },
  web: {
    'preview-frame': 'the document in which files are shown',
    styles: 'style sheets',
    texts: 'the catalogue of texts',
    api: 'errors in words, the cache of queries, what places keep',
    ui: 'components that places share',
    session: 'signing in, the session and its end',
    shell: 'the frame of all places',
    places: 'the places, none of which imports another',
  },
};

/**
 * The reason why a file may not import another one of its service, as a sentence; nothing for an allowed import.
 * @param file relative to the workspace, with slashes
 * @param specifier as written in the import
 */
export function folderViolation(file: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const from = placeOf(file);
  const to = placeOf(posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts'));
  if (!from || to?.service !== from.service) return undefined;
  const places = [file, posix.join(posix.dirname(file), specifier)].map(placeOfWeb);
  if (places[0] && places[1] && places[0] !== places[1])
    return `${places[0]} and ${places[1]} are places of the web application: what both need belongs into ui, session, texts or api.`;
  const unlisted = [from, to].find(({ name, level }) => level === TOP && name.includes('/'));
  if (unlisted)
    return `${unlisted.name} has no line in tools/lint/folders.ts: give it one after all folders that it imports.`;
  if (to.level <= from.level) return undefined;
  return to.level === TOP
    ? `${to.name} composes the service, so no folder imports it: what ${from.name} needs of it belongs into a folder before it.`
    : `${from.name} comes before ${to.name} in tools/lint/folders.ts: what needs both belongs into ${to.name} or a folder after it.`;
}

/** The place of the web application to which a file belongs. */
function placeOfWeb(path: string): string | undefined {
  return /^apps\/web\/src\/(places\/[^/]+)\//.exec(path)?.[1];
}

/** The level of what has no line. */
const TOP = Infinity;

/**
 * The innermost folder of a file that has a line, and its level; for a file without one its folder, or itself in the root.
 * @returns nothing for tests, and outside of services
 */
function placeOf(file: string): { service: string; name: string; level: number } | undefined {
  const [, service = '', path = ''] = /^apps\/([^/]+)\/src\/(.+)$/.exec(file) ?? [];
  const table = folders[service];
  if (!table || /^testing\/|\.spec\.ts$/.test(path)) return undefined;
  const names = Object.keys(table);
  const name = names
    .filter((listed) => path === listed || path.startsWith(`${listed}/`))
    .sort((one, other) => other.length - one.length)[0];
  if (name === undefined) return { service, name: path.replace(/[^/]+$/, '') || path, level: TOP };
  return { service, name, level: names.indexOf(name) };
}
