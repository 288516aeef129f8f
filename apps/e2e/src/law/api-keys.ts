import { bool, form, id, int, is, opt, orNull, text, time } from './notation.js';
import { law } from './row.js';
import { cursor, length, may, must, range } from './rules.js';

const api_key_id = id('key');

export const apiKeys = law({
  'POST /v1/api-keys': {
    law: 'KEY-01 KEY-02 KEY-03 KEY-04 OPEN-02',
    role: 'admin',
    status: 201,
    body: { name: must(length(1, 100)), expires_in_days: may(range(1, 3_650)) },
    data: {
      api_key_id,
      api_key: form(/^vk_live_\w+$/),
      key_preview: text,
      name: text,
      created_at: time,
      expires_at: orNull(time),
      warning: text,
    },
  },
  'GET /v1/api-keys': {
    law: 'KEY-06 KEY-07 KEY-08',
    status: 200,
    query: { limit: may(range(1, 100), 50), cursor: may(cursor) },
    data: {
      api_keys: [
        {
          api_key_id,
          name: text,
          key_preview: text,
          status: is('active', 'expired', 'revoked'),
          created_at: time,
          last_used_at: orNull(time),
          expires_at: orNull(time),
          revoked_at: orNull(time),
        },
      ],
      count: int,
      has_more: bool,
      next_cursor: opt(text),
      active: int,
    },
  },
  'DELETE /v1/api-keys/{api_key_id}': {
    law: 'KEY-10 KEY-11 KEY-12',
    role: 'admin',
    status: 200,
    data: {
      api_key_id,
      status: is('revoked'),
      revoked_at: time,
      name: opt(text), // the first time; a repeat has the message in its place
      message: opt(text),
    },
  },
});
