import { plural } from './catalogue.js';

type AppId = 'chatapp' | 'crma' | 'crmb';

const sent = (count: number) => plural(count, { one: '# secret sent', other: '# secrets sent' });

/** Texts of Integrations. */
export const integrationsTexts = {
  title: 'Integrations',
  hint: 'Connect your chat and your CRM, so that people send secrets and keep files where they work.',
  readOnly: 'Admins and owners connect and disconnect.',
  statuses: {
    connected: 'Connected',
    unconnected: 'Added, not connected',
    suspended: 'Suspended',
    absent: 'Not connected',
  },
  suspendedText:
    'The person who connected it has left, and no owner could take over. Requests are refused until an admin takes it over.',
  unconnectedText: 'A program has added it without the consent of the provider. Connect it, or remove it.',
  use: {
    chatapp: 'In a conversation, type /secret and write the secret. The recipient presses View & Destroy.',
    crma: 'Open a record: its panel keeps files and sends secrets.',
    crmb: 'Open a record: its panel keeps files and sends secrets.',
  } satisfies Record<AppId, string>,
  since: 'Since',
  by: 'By',
  remote: { chatapp: 'Workspace', crma: 'Portal', crmb: 'Org' } satisfies Record<AppId, string>,
  usage: 'Last 30 days',
  totals: (created: number, read: number) => `${sent(created)}, ${read} viewed`,
  usageFailed: 'The usage could not be read.',
  people: 'Usage by person',
  peopleHint: 'Secrets of the last 30 days. Days are those of UTC.',
  partial: 'There is more than is listed here, so the numbers are too low.',
  noUsage: 'Nobody has sent or viewed a secret in these days.',
  price: 'Price',
  connect: 'Connect',
  connectAgain: 'Connect again',
  connectTitle: (name: string) => `Connect ${name}`,
  connectText:
    'You go on to the page of the provider, sign in there, and agree. Then you are led back here. It must be done within ten minutes.',
  goOn: 'Go on to the provider',
  vault: 'Vault for the files',
  vaultHint: 'All records keep their files in it, one folder for each record.',
  noVault: 'The files need a vault, and your organization has none yet.',
  toVaults: 'Create a vault',
  takeOver: 'Take over',
  takenOver: 'It goes on, with you as the person who has connected it.',
  disconnect: 'Disconnect',
  remove: 'Remove',
  disconnectTitle: (name: string) => `Disconnect ${name}?`,
  disconnectTexts: {
    chatapp:
      'The command /secret stops working at once for everybody in the workspace. Secrets that nobody has viewed yet can never be viewed.',
    crma: 'The panel on records stops working at once for everybody in the portal. The files stay in their vault.',
    crmb: 'The panel on records stops working at once for everybody in the org, and the session secret ends. The files stay in their vault.',
  } satisfies Record<AppId, string>,
  disconnected: (name: string) => `${name} was disconnected.`,
  newSecret: 'New session secret',
  newSecretTitle: 'Make a new session secret?',
  newSecretText: 'The present one holds for 24 hours more. Enter the new one in the org before that.',
  makeSecret: 'Make the secret',
  secretTitle: 'Keep this secret now',
  secretText: 'The org signs its sessions with it. It is shown this once: enter it in the org.',
  secret: (org: string) => `Session secret of ${org}`,
  secretSheetName: 'session-secret.txt',
  secretSheet: (org: string, secret: string) => `Session secret of the org ${org}\n\n${secret}\n`,
  secretKept: 'The org can sign its sessions.',
} as const;

/** Texts of the page to which a provider leads back. */
export const returnTexts = {
  title: 'Connecting',
  busy: 'The connection is being completed …',
  connected: 'It was connected.',
  failed: 'Nothing was connected',
  declined: 'The page of the provider was left without consent.',
  refused: 'The provider has refused the connection.',
  foreign:
    'This tab has not asked for this connection, or the page was loaded again. Begin again in Integrations.',
  grant: 'The provider did not accept its own answer. It may be too old: begin again.',
  notYours: 'Only admins and owners connect integrations. Ask one of them.',
  back: 'Back to Integrations',
} as const;
