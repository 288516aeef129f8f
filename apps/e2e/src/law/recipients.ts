import { channel } from './notify.js';
import { bool, form, id, int, is, map, number, opt, orNull, page, text, time, url } from './notation.js';
import { law } from './row.js';
import { cursor, entries, length, may, must, object, oneOf, range, refused, words } from './rules.js';

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
