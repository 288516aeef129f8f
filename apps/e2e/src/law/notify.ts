import { bool, form, id, int, is, map, number, opt, orNull, page, text, time, url } from './notation.js';
import { DRAWS, law } from './row.js';
import { cursor, entries, length, may, must, object, oneOf, range, refused, words } from './rules.js';

const CHANNELS = [
  ...['in_app', 'websocket', 'email', 'sms', 'push', 'web_push', 'voice', 'whatsapp', 'rcs', 'webhook'],
  ...['slack', 'teams'],
];
const channel = is(...CHANNELS);

const send = {
  send_id: text, // ntsnd_… unless the sender chose it
  recipients: int,
  status: is('pending', 'delivering', 'delivered', 'partial', 'failed'),
  title: orNull(text),
  category: orNull(text),
  type: orNull(text),
  channels: [text] as const,
  seen: int,
  created_at: time,
  expires_at: time,
};

const delivery = {
  delivery_id: text,
  channel,
  step: int,
  state: is('queued', 'scheduled', 'sent', 'skipped', 'unconfigured', 'failed'),
  attempts: int,
  reason: orNull(text),
  provider_id: orNull(text),
  due_at: orNull(time),
  sent_at: orNull(time),
};

const action = is('view', 'acknowledge', 'sign', 'approve', 'deny', 'reply');
const level = is('none', 'identifier', 'passkey', 'out_of_band', 'dual_control');

export const sends = law({
  'POST /v1/products/notify/send': {
    law: 'NTF-01 NTF-02 NTF-05 NTF-19 NTF-20 NTF-22 OPEN-02 OPEN-03 OPEN-32 OPEN-64',
    status: 202,
    billable: 'write',
    body: {
      recipients: must(entries(500)),
      content: refused(may(object)), // exactly one of content and ingot
      ingot: refused(may(object)),
      policy: may(object),
      channels: may(entries(12)),
      escalation: refused(may(object)),
      title: may(words),
      category: may(words),
      type: may(words),
      history_ttl_days: may(range(1), 30),
      send_id: may(words),
    },
    data: { send_id: text, recipients: int, status: is('pending'), idempotent: bool },
    // A VAT without the right; an ingot or vault that is not there; an ingot without content.
    errors: [...DRAWS, '403 FORBIDDEN', '404 NOT_FOUND', '409 CONFLICT'],
  },
  'GET /v1/products/notify/inbox': {
    law: 'NTF-33 NTF-37 OPEN-32',
    status: 200,
    query: { limit: may(range(1, 100), 50), cursor: may(cursor) },
    data: page('sends', send),
  },
  'GET /v1/products/notify/sends/{send_id}': {
    law: 'NTF-34 NTF-38 OPEN-32 OPEN-35',
    status: 200,
    data: {
      ...send,
      recipient_states: [
        {
          recipient: text,
          grant: orNull(is('active', 'consumed', 'revoked', 'expired')),
          link_url: orNull(url),
          seen_at: orNull(time),
          actions: [text],
          deliveries: [delivery],
        },
      ],
    },
  },
  'GET /v1/products/notify/sends/{send_id}/receipts': {
    law: 'NTF-34 NTF-39 NTF-45 OPEN-36',
    status: 200,
    data: {
      send_id: text,
      receipts: [
        {
          recipient: text,
          action,
          action_hash: orNull(text),
          verification_level: level,
          at: time,
          reply_spark_id: orNull(id('spk')),
          jws: text,
        },
      ],
      count: int,
    },
  },
  // Ours: docs/notify.md.
  'POST /v1/products/notify/sends/{send_id}/deliveries/{delivery_id}/replay': {
    law: 'OPEN-35',
    status: 202,
    data: { delivery_id: text, state: is('queued') },
    errors: ['409 CONFLICT'],
  },
});

const target = orNull({ url });
const config = {
  default_channels: opt([channel]),
  channel_priority: opt(map()),
  delivery: opt({ escalation_enabled: opt(bool), escalation_delays: opt([number]) }),
  security: opt({ mandatory_seal_categories: opt([text]) }),
  targets: opt({ webhook: opt(orNull({ url, secret: opt(text) })), slack: opt(target), teams: opt(target) }),
  configured_channels: [text] as const,
};

const quiet_hours = orNull({ from: text, to: text, time_zone: text });
const preferences = {
  recipient_id: text,
  channels_off: [channel] as const,
  categories_off: [{ category: text, channel: opt(orNull(channel)) }] as const,
  quiet_hours,
};

/** What the page behind a mail's unsubscribe link shows and sets. The token is the credential (OPEN-33, RFC 8058). */
const subscription = {
  unsubscribed: bool,
  channel: text,
  category: orNull(text),
  organization_name: text,
  address: orNull(text),
  all_mails_off: bool,
  categories: [{ category: text, is_on: bool }] as const,
  quiet_hours,
};
const byToken = { by: 'none', status: 200, query: { token: must(words) }, data: subscription } as const;

export const recipients = law({
  'GET /v1/products/notify/config': { law: 'NTF-42 OPEN-34', status: 200, data: config },
  'PUT /v1/products/notify/config': {
    law: 'NTF-42 OPEN-34',
    role: 'admin', // ours: it decides where content goes
    status: 200,
    body: {
      default_channels: may(entries(12)),
      channel_priority: may(object),
      delivery: may(object),
      security: may(object),
      targets: may(object),
    },
    data: config,
  },
  'GET /v1/products/notify/preferences/{recipient_id}': {
    law: 'OPEN-34 NTF-35',
    status: 200,
    data: preferences,
  },
  'PUT /v1/products/notify/preferences/{recipient_id}': {
    law: 'OPEN-34 NTF-35',
    status: 200,
    body: { channels_off: may(entries(12)), categories_off: refused(may(words)), quiet_hours: may(object) },
    data: preferences,
  },
  // Ours: docs/notify.md (N14).
  'GET /v1/products/notify/suppressions': {
    law: 'OPEN-34',
    status: 200,
    query: { limit: may(range(1, 100), 50), cursor: may(cursor) },
    data: page('suppressions', { suppression_id: id('sup'), address: text, reason: text, created_at: time }),
  },
  'DELETE /v1/products/notify/suppressions/{suppression_id}': { law: 'OPEN-34', status: 204 },
  'GET /v1/unsubscribe': { law: 'NTF-41 OPEN-33 OPEN-64', ...byToken },
  'POST /v1/unsubscribe': { law: 'NTF-41 OPEN-33 OPEN-64', ...byToken },
  'PUT /v1/unsubscribe': {
    law: 'OPEN-34',
    ...byToken,
    body: {
      unsubscribed: may(words),
      all_mails_off: may(words),
      categories: may(words),
      quiet_hours: may(object),
    },
  },
});

const pushToken = {
  push_token_id: text,
  platform: is('ios', 'android', 'fcm', 'web'),
  recipient_id: text,
  token_ending: form(/^.{0,8}$/),
  created_at: time,
};

export const pushTokens = law({
  'POST /v1/push-tokens': {
    law: 'NTF-40 OPEN-02 OPEN-64',
    status: 201,
    body: {
      platform: refused(must(oneOf('ios', 'android', 'fcm', 'web'))),
      token: must(words),
      recipient_id: must(length(1, 128)),
    },
    data: pushToken,
  },
  'GET /v1/push-tokens': {
    law: 'NTF-40',
    status: 200,
    query: { recipient_id: may(words) },
    data: { push_tokens: [pushToken], count: int },
  },
  'DELETE /v1/push-tokens/{push_token_id}': { law: 'NTF-40', status: 204 },
});
