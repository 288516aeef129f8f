import type { JsonSchema } from './schema.js';

/** All examples are of one day: what was created then expires a day later. */
const CREATED_AT = 1_795_600_000;
const DAY = 86_400;

const CODE = 'hT5vX9kQm2Zr7nLsB4wYcD';
const ACCESS_TOKEN =
  'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJ1c3JfV205a1QzdlF4N1pyTjVuTGIyWXNIZiJ9.c2ln';

/** The time of every example in epoch seconds, or a number of seconds after it. */
export const exampleTime = (after = 0) => CREATED_AT + after;

/** The refresh token of every example. */
export const EXAMPLE_REFRESH_TOKEN =
  'vkr_Ab8yR3nWq6XvM2kLs9TpZjUAAAABbQ7wN4xT1cVe5Hf0uKi2oPa9sDg3lZr6mYtB8vJnCq';
/** The Vault Master Key of every example. */
export const EXAMPLE_VMK = 'vmk_Rm4QhL07dJ2y2MpVOk2atlWkmiZ1sQIRIttOiS5M3SY330Ud8';
/** The code of a link in every example. */
export const EXAMPLE_LINK_CODE = CODE;
/** The page of that link. */
export const EXAMPLE_LINK_URL = `https://link.example.com/${CODE}`;
/** The page of a durable link of a file. */
export const EXAMPLE_FILE_URL = `https://files.example.com/${CODE}`;
/** The user whom the owner invites and manages in examples. */
export const EXAMPLE_MEMBER = {
  user_id: 'usr_Hd4vQ9mTz2XrB7nLs5YpKw',
  email: 'ben@example.com',
  name: 'Ben Example',
  role: 'member',
} as const;

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
  at: CREATED_AT + 120,
  burned_at: CREATED_AT + 95,
  expires_at: CREATED_AT + DAY,
  updated_at: CREATED_AT + 60,
  revoked_at: CREATED_AT + 7_200,
  last_used_at: CREATED_AT + 3_600,
  last_unsealed_at: CREATED_AT + 1_800,
  seen_at: CREATED_AT + 95,
  sent_at: CREATED_AT + 5,
  former_ends_at: CREATED_AT + DAY,
  delivered_at: CREATED_AT + 5,
  verified_at: CREATED_AT,
  cycle_resets_at: CREATED_AT + 30 * DAY,
  resets_at: CREATED_AT + 60,
  period_start: CREATED_AT - 30 * DAY,
  period_end: CREATED_AT,
  current_period_end: CREATED_AT + 30 * DAY,
  start_time: CREATED_AT - 30 * DAY,
  end_time: CREATED_AT,
  paid_at: CREATED_AT + 30,
  current_period_start: CREATED_AT,
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
  access_token: ACCESS_TOKEN,
  api_key: 'vk_live_8VpTqZ3mvcXnxY4c3sX665WmoPBuNc3GbQrEyochbgF0aIVJv',
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
  delivery_id: 'f3de5f3e-76ae-40a3-8f13-c561fc0725f6',
  description: 'Contracts of our customers',
  domain: 'example.com',
  download_url: 'https://forge.example.com/decrypt?istk=x5Kf0Yw3vTq8ZrN1mLb7sPdHg2JkXcVnB4QeRtUiOpA',
  email: 'ana@example.com',
  end_date: '2026-11-24',
  dvak_token: 'dvak_Tz14Irsl479ExOtagOkRw5yTDHnHmR3svXeEgEufM6GIc2x7Qa',
  event_id: '27166b60-b4ff-4d5c-9f08-f72ffc763576',
  event_type: 'secret_sent',
  filename: 'contract.pdf',
  forge_url: 'https://forge.example.com/encrypt?istk=Yw3vTq8ZrN1mLb7sPdHg2JkXcVnB4QeRtUiOpAx5Kf0',
  full_name: 'Ana Example',
  identity: 'carla@example.org',
  // An id, or a colon and a name: its schema accepts any text.
  ingot_id: 'ing_6nQ0bVtX4yKfWm2RzLc8Ha',
  invites: 'carla@example.org',
  key_preview: 'vk_live_...IVJv',
  keys: 'db_password',
  last4: 'x7Qa',
  last_4_chars: 'x7Qa',
  jws: 'eyJhbGciOiJFZERTQSIsInR5cCI6InJlY2VpcHQrand0In0.eyJhY3Rpb24iOiJhY2tub3dsZWRnZSJ9.c2ln',
  link_code: CODE,
  link_url: EXAMPLE_LINK_URL,
  next_cursor: 'eyJhZnRlciI6InNwa18ifQ.c2lnbmF0dXJl',
  object_type: 'contact',
  opening: '1d9e40b7f6a2583cc05b8e7214f39ad6e7718c20b54f6d93a0821cbe4f57360d',
  org_id: '00D5g000004ABCD',
  organization_name: 'Example Ltd.',
  original_filename: 'contract.pdf',
  payload: 'correct horse battery staple',
  plan: 'team',
  portal_id: '62515000',
  public_url: EXAMPLE_FILE_URL,
  push_token_id: 'ptk_Xw6rUuihGuObXHPzbkKCwZ',
  suppression_id: 'sup_c1vXo7PZkQm4Rt9LdWyB2s',
  recipient: 'carla@example.org',
  recipient_id: 'carla',
  recipients: 'carla@example.org',
  record_id: '12345',
  redirect_uri: 'https://app.example.com/callback',
  send_id: 'ntsnd_Gk6wT2vQx8ZrN4mLb9YsPd',
  share_url: EXAMPLE_LINK_URL,
  start_date: '2026-11-01',
  team_id: 'T1DC2JH3J',
  token: 'bk3RNwTe3H0CI2k_HHwgIpoDKCIZvvDM',
  token_ending: 'IZvvDM',
  total_storage_gb: '0.04',
  txt_name: '_vaultsvc.example.com',
  txt_value: 'vaultsvc-domain-verification=g-fGxM4lFG1tAX66yj87eTcTiDXvw1ETtJtFSL9D3JM',
  value: 'c7a01f5be2d94386b0739ed4415c8fa2603be97d18f24a5c0e6d7b91f3a82c54',
  vat: 'vat_Jd6nQ0bVtX4yKfWm2RzLc8HaZk4mQ9vT2xW7rB1nLs8YpSxc1',
  viewer_token: 'eyJhbGciOiJFZERTQSIsInR5cCI6InZpZXdlcitqd3QifQ.eyJhdWQiOiJ2aWV3ZXIifQ.c2lnbmF0dXJl',
  vmk: EXAMPLE_VMK,
  verification_token: 'Yw3vTq8ZrN1mLb7sPdHg2JkXcVnB4QeRtUiOpAx5Kf0',
  verified_by: 'carla@example.org',
  session_secret: 'q7Wd2RkVn9XbT4mLs8YpZc3HfJ6gQa1Ue5Ki0oPxSwE',
  state: 'Zr8LmT4vQx2NkB7wYs9PdH3fJc6GaU1eK5iOoXqWRtV',
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
