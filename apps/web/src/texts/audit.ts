import { numberText, plural } from './catalogue.js';

const entriesText = (count: number) => plural(count, { one: '# entry', other: '# entries' });

/** Texts of Audit. */
export const auditTexts = {
  title: 'Audit',
  hint: 'Who did what in your organization, newest first. Contents, names of files and codes of links are never recorded.',
  refused:
    'The audit log is for admins and owners. Ask one of them to look for you, or to make you an admin.',
  filters: 'Show only',
  type: 'Type',
  allTypes: 'All types',
  actor: 'Who',
  everybody: 'Everybody',
  otherActor: (id: string) => `Other: ${id}`,
  keyNamed: (name: string) => `API key ${name}`,
  from: 'From',
  to: 'Until',
  wrongDays: 'The first day is after the last one. Choose another.',
  clear: 'Show all',
  list: 'Audit entries',
  none: 'Nothing matches. Choose other days, or show all.',
  empty: 'Nothing was recorded yet.',
  details: 'Details',
  detailsOf: (type: string, moment: string) => `Details: ${type}, ${moment}`,
  onlyActor: 'Only this one',
  vault: (name: string) => `Vault ${name}`,
  entryId: 'Entry',
  kinds: {
    visitor: 'A visitor of a link',
    job: 'The platform',
    operator: 'The operator',
    app: 'An integration',
    person: 'A person',
    api_key: 'An API key',
  } as Readonly<Record<string, string>>,
  somebody: 'A visitor, or the platform',
  integrity: 'Integrity',
  checkAgain: 'Check again',
  checked: 'The log was checked.',
  states: { verified: 'Verified', pending: 'Not published yet', broken: 'Does not match' },
  proven: (entries: number, logged: number) =>
    `${chainText(entries)} The public log has a signed record of them up to entry ${numberText(logged)}.`,
  notYet: (count: number) =>
    `${plural(count, { one: '# newer entry waits', other: '# newer entries wait' })} for the next publication, within an hour.`,
  pending: (entries: number) =>
    `The public log has no record of your ${entriesText(entries)} yet; it is published at least once an hour. Nothing is wrong: check again later.`,
  broken:
    'The newest entries do not follow from each other, or differ from what was published. Somebody may have changed them. Export the log now, keep the file, and tell the operator of this platform.',
  ownProof:
    'This server made the check. To prove it without trusting the server, export JSON Lines and verify the file with “vaultsvc audit verify”, which names the first wrong entry.',
  howTo: 'How to verify',
  export: 'Export',
  exportTitle: 'Export the audit log',
  exportHint:
    'It has all entries of the days that you have chosen, or of all days, and those of vaults. Type and person do not limit it.',
  format: 'Form of the file',
  formats: {
    jsonl: { text: 'JSON Lines', hint: 'With the proofs by which anybody verifies it.' },
    csv: { text: 'CSV', hint: 'For spreadsheets, without proofs.' },
  },
  startExport: 'Export',
  preparing: 'Preparing …',
  progress: 'Export',
  nothingSaved: 'Nothing was saved.',
  received: (lines: number, size: string) => `${plural(lines, { one: '# line', other: '# lines' })}, ${size}`,
  saved: (name: string, lines: number, size: string) =>
    `Saved ${name}: ${plural(lines, { one: '# line', other: '# lines' })}, ${size}.`,
  types: {
    account_updated: 'Changed the organization',
    settings_updated: 'Changed settings',
    billing_subscription_changed: 'Changed the plan',
    billing_payment_method_added: 'Added a payment method',
    billing_payment_method_removed: 'Removed a payment method',
    billing_invoice_paid: 'Paid an invoice',
    api_key_created: 'Created an API key',
    api_key_revoked: 'Revoked an API key',
    person_invited: 'Invited a person',
    person_invitation_resent: 'Sent an invitation again',
    person_joined: 'Joined the organization',
    person_updated: 'Changed a person',
    person_role_changed: 'Changed a role',
    person_removed: 'Removed a person',
    session_opened: 'Signed in',
    session_ended: 'Signed out',
    session_replayed: 'Used a session a second time, which ended it',
    domain_claimed: 'Claimed a domain',
    domain_released: 'Released a domain',
    domain_lapsed: 'Lost a domain: its DNS record was gone',
    app_installed: 'Installed an integration',
    app_updated: 'Changed an integration',
    app_uninstalled: 'Removed an integration',
    spark_created: 'Created a secret',
    spark_read: 'Read a secret',
    spark_deleted: 'Withdrew a secret',
    sparklink_created: 'Created a link',
    sparklink_updated: 'Changed a link',
    sparklink_accessed: 'Opened a link',
    sparklink_deleted: 'Deleted a link',
    sparklink_revoked: 'Withdrew a link',
    sparklink_signed: 'Confirmed receipt of a link',
    sparklink_approved: 'Approved an opening',
    sparklink_denied: 'Denied an opening',
    sparklink_replied: 'Replied to a link',
    notify_sent: 'Sent a notification',
    entropy_generated: 'Made random data',
    vault_created: 'Created a vault',
    vault_updated: 'Changed a vault',
    vault_unsealed: 'Opened a vault',
    vault_sealed: 'Sealed a vault',
    vault_deleted: 'Deleted a vault',
  } as Readonly<Record<string, string>>,
} as const;

/** Entries that one check covers; an export is verified as a whole. */
const CHECKED_ENTRIES = 1_000;

function chainText(entries: number): string {
  if (entries === 1) return 'The only entry was not changed.';
  const which =
    entries > CHECKED_ENTRIES
      ? `The newest ${numberText(CHECKED_ENTRIES)} of ${entriesText(entries)}`
      : `All ${entriesText(entries)}`;
  return `${which} follow from each other: none was changed, removed or added later.`;
}
