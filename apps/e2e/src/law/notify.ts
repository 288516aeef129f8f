import { bool, id, int, is, orNull, page, text, time, url } from './notation.js';
import { DRAWS, law } from './row.js';
import { cursor, entries, may, must, object, range, refused, words } from './rules.js';

const CHANNELS = [
  ...['in_app', 'websocket', 'email', 'sms', 'push', 'web_push', 'voice', 'whatsapp', 'rcs', 'webhook'],
  ...['slack', 'teams'],
];
export const channel = is(...CHANNELS);

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

const receipt = {
  recipient: text,
  action,
  action_hash: orNull(text),
  verification_level: level,
  at: time,
  reply_spark_id: orNull(id('spk')),
  jws: text,
};

const conversation = { ...send, reply_count: int };

/** Sends with the interaction `reply` (OPEN-33). */
export const conversations = law({
  'GET /v1/messaging/conversations': {
    law: 'OPEN-33 MISC-04',
    status: 200,
    query: { limit: may(range(1, 100), 50), cursor: may(cursor) },
    data: page('conversations', conversation),
  },
  'GET /v1/messaging/conversations/{send_id}': {
    law: 'OPEN-33 MISC-04 OPEN-36',
    status: 200,
    data: {
      ...conversation,
      replies: [{ recipient: text, reply_spark_id: orNull(id('spk')), at: time }],
      receipts: [receipt],
    },
  },
});

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
      receipts: [receipt],
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
