import type { JsonSchema } from './schema.js';

/** All examples are of one day: what was created then expires a day later. */
const CREATED_AT = 1_795_600_000;
const DAY = 86_400;

/** An identifier of 22 characters that differs by kind, so that nobody takes one for another. */
const suffixes: Readonly<Record<string, string>> = {
  acc: 'K3vQ8mZt1XrB7nLs5YpAdW',
  cs: 'Lm4tG8wQz2XrB7nKs5YpAd',
  ent: 'Qw7pN2kLx9RtV4mZb8YsCd',
  fld: 'Jh5kT9vNq3XrB7mLs2YpGf',
  identity: 'Rv4mQ9xT2zW7kB1nLs8YpA',
  in: 'Bd8yR3nWq6XvM2kLs9TpZj',
  ing: '6nQ0bVtX4yKfWm2RzLc8Ha',
  inv: 'Dw2nV7qTk9XrB4mLs6YpHg',
  kdl: 'Tz8mR4qLv1XkB9nWs3YpJd',
  key: 'Vn3xQ7mTz5RkB2pLs8YwFa',
  ntsnd: 'Gk6wT2vQx8ZrN4mLb9YsPd',
  pm: 'Hq9nW4tVx6ZkR2mLb7YsPc',
  spk: 'Zk4mQ9vT2xW7rB1nLs8YpA',
  txn: 'Nf5tV8qRx2ZkM7wLb4YsGd',
  usr: 'Wm9kT3vQx7ZrN5nLb2YsHf',
  vlt: 'Pb7nV2qTx9ZkR4mLs6YwDc',
};

const times: Readonly<Record<string, number>> = {
  burned_at: CREATED_AT + 95,
  expires_at: CREATED_AT + DAY,
  updated_at: CREATED_AT + 60,
  revoked_at: CREATED_AT + 7_200,
  last_used_at: CREATED_AT + 3_600,
  last_unsealed_at: CREATED_AT + 1_800,
  seen_at: CREATED_AT + 240,
  delivered_at: CREATED_AT + 5,
  cycle_resets_at: CREATED_AT + 30 * DAY,
  resets_at: CREATED_AT + 60,
  period_start: CREATED_AT - 30 * DAY,
  period_end: CREATED_AT,
  current_period_end: CREATED_AT + 30 * DAY,
  start_time: CREATED_AT - 30 * DAY,
  end_time: CREATED_AT,
  paid_at: CREATED_AT + 30,
  timestamp: CREATED_AT,
};

const numbers: Readonly<Record<string, number>> = {
  access_count: 3,
  active: 1,
  count: 1,
  expires_in: 3_600,
  ingot_count: 12,
  key_count: 2,
  limit: 100,
  num_bytes: 32,
  size_bytes: 1_482_903,
  storage_bytes: 48_211_004,
  time_remaining: DAY,
  total_access_count: 37,
  total_bandwidth_bytes: 51_904_112,
  ttl_minutes: 1_440,
  ttl_seconds: 3_600,
  unseal_count: 4,
  use_count: 5,
};

const flags: Readonly<Record<string, boolean>> = {
  has_more: false,
  public_file_sharing: false,
  truncated: false,
};

const texts: Readonly<Record<string, string>> = {
  access_token:
    'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJ1c3JfV205a1QzdlF4N1pyTjVuTGIyWXNIZiJ9.c2ln',
  app_id: 'chatapp',
  app_slug: 'chatapp',
  bound_ip: '203.0.113.9',
  category: 'invoices',
  code: 'b4a9c1d27e',
  // RFC 7636, appendix B.
  code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  content_type: 'text/plain',
  currency: 'eur',
  date: '2026-11-24',
  delete: 'old_token',
  description: 'Contracts of the customer Example Ltd.',
  domain: 'example.com',
  download_url: 'https://forge.example.com/decrypt?istk=x5Kf0Yw3vTq8ZrN1mLb7sPdHg2JkXcVnB4QeRtUiOpA',
  email: 'ana@example.com',
  end_date: '2026-11-24',
  event_type: 'secret_sent',
  filename: 'contract.pdf',
  forge_url: 'https://forge.example.com/encrypt?istk=Yw3vTq8ZrN1mLb7sPdHg2JkXcVnB4QeRtUiOpAx5Kf0',
  full_name: 'Ana Example',
  identity: 'ana@example.com',
  // An id, or a colon and a name: its schema accepts any text.
  ingot_id: 'ing_6nQ0bVtX4yKfWm2RzLc8Ha',
  invites: 'ana@example.com',
  key_preview: 'vk_live_8VpT…IVJv',
  keys: 'db_password',
  last4: 'x7Qa',
  last_4_chars: 'x7Qa',
  link_code: 'hT5vX9kQm2Zr7nLs',
  link_url: 'https://link.example.com/hT5vX9kQm2Zr7nLs',
  message: 'Done.',
  missing_keys: 'api_token',
  nhi_description: 'Backup job',
  name: 'Contracts',
  next_cursor: 'eyJhZnRlciI6InNwa18ifQ.c2lnbmF0dXJl',
  object_type: 'contact',
  opening: '1d9e40b7f6a2583cc05b8e7214f39ad6e7718c20b54f6d93a0821cbe4f57360d',
  org_id: '00D5g000004ABCD',
  organization_name: 'Example Ltd.',
  original_filename: 'contract.pdf',
  payload: 'correct horse battery staple',
  plan: 'team',
  portal_id: '62515000',
  public_url: 'https://files.example.com/hT5vX9kQm2Zr7nLs',
  recipient: 'ana@example.com',
  recipients: 'ana@example.com',
  record_id: '12345',
  redirect_uri: 'https://app.example.com/callback',
  refresh_token: 'vr_6nQ0bVtX4yKfWm2RzLc8HaZk4mQ9vT2xW7rB1nLs8YpA',
  secret: 'whsec_kBQ0dvOZ8e4x6vPzT9yqL2mWcR7sJfH1nUaXgYbE3iM=',
  send_id: 'invoice-2041',
  share_url: 'https://link.example.com/hT5vX9kQm2Zr7nLs',
  start_date: '2026-11-01',
  team_id: 'T1DC2JH3J',
  token: 'bk3RNwTe3H0CI2k_HHwgIpoDKCIZvvDM',
  total_storage_gb: '0.04',
  type: 'text',
  url: 'https://example.com/hooks/vaultsvc',
  user_id: '101',
  value: 'c7a01f5be2d94386b0739ed4415c8fa2603be97d18f24a5c0e6d7b91f3a82c54',
  vat: 'vat_6nQ0bVtX4yKfWm2RzLc8HaZk4mQ9vT2xW7rB1nLs8Yp',
  verification_token: 'Yw3vTq8ZrN1mLb7sPdHg2JkXcVnB4QeRtUiOpAx5Kf0',
  verified_by: 'ana@example.com',
  warning: 'Keep this value now: it is not shown again.',
};

/** The value of a field that is the same wherever the field occurs; undefined for other names. */
export function exampleOfName(name: string): string | number | boolean | undefined {
  if (name in times) return times[name];
  if (name.endsWith('_at')) return CREATED_AT;
  return texts[name] ?? numbers[name] ?? flags[name];
}

/** A text that fits the pattern of a schema: an id, or a code of six digits; undefined for other schemas. */
export function exampleOfPattern({ pattern, format }: JsonSchema): string | undefined {
  const [, prefix] = /^\^([a-z]+)_\[0-9A-Za-z\]/.exec(pattern ?? '') ?? [];
  if (prefix) return exampleId(prefix);
  if (pattern === '^\\d{6}$') return '417093';
  return format === 'uri' ? 'https://example.com/logo.svg' : undefined;
}

/** The identifier of this kind in every example. */
export function exampleId(prefix: string): string {
  return `${prefix}_${suffixes[prefix] ?? suffixes['spk']}`;
}
