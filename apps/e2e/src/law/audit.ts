import { form, int, is, map, orNull, page, text, time } from './notation.js';
import { law } from './row.js';
import { cursor, length, may, must, object, oneOf, range, refused, words } from './rules.js';

const entry = {
  event_id: text,
  event_type: form(/^[\w.-]{1,64}$/),
  timestamp: time,
  details: map(),
  actor_type: orNull(is('user', 'api_key')), // null for visitors and jobs (OPEN-65)
  actor_display: orNull(text),
};

const query = {
  limit: may(range(1, 100), 25),
  cursor: may(cursor),
  event_types: may(words),
  from: may(range(0)), // ours: docs/audit.md
  to: may(range(0)),
  actor: may(words),
};
const entries = { ...page('entries', entry), event_types: [text] as const };

export const audit = law({
  'GET /v1/audit-logs': { law: 'AUD-01 AUD-06 AUD-09 AUD-10 OPEN-28', status: 200, query, data: entries },
  'GET /v1/audit-logs/apps/{app_slug}': {
    law: 'AUD-02 AUD-06 AUD-09 AMB-23',
    status: 200,
    query,
    data: page('entries', entry), // event_types is not for this scope
  },
  'POST /v1/audit-logs/apps': {
    law: 'AUD-03 OPEN-02 OPEN-65',
    status: 201,
    body: { app_slug: must(words), event_type: must(length(1, 64)), metadata: may(object) },
    data: entry,
    errors: ['404 NOT_FOUND'], // an unknown slug
  },
  'GET /v1/vaults/{vault_id}/audit-logs': {
    law: 'AUD-04 AUD-06 AUD-09 AMB-10',
    vat: 'read',
    status: 200,
    query,
    data: entries,
  },
  'GET /v1/vaults/{vault_id}/ingots/{ingot_id}/audit-logs': {
    law: 'AUD-05 AUD-06 AUD-09 AMB-10 AMB-56',
    vat: 'read',
    status: 200,
    query,
    data: entries,
    errors: ['409 CONFLICT'], // an ambiguous name
  },
  // Ours: docs/audit.md. JSON Lines, so there is no envelope.
  'GET /v1/audit-logs/export': {
    law: 'AUD-15',
    role: 'admin',
    status: 200,
    bare: true,
    query: {
      from: may(range(0)),
      to: may(range(0)),
      from_size: refused(may(range(1))),
      format: refused(may(oneOf('jsonl', 'csv'))),
    },
  },
  'GET /v1/audit-logs/integrity': {
    law: 'AUD-14',
    status: 200,
    data: {
      state: is('verified', 'pending', 'broken'),
      entries: int,
      logged_entries: int,
      tree_size: int,
      origin: text,
      keys: [text],
    },
  },
});
