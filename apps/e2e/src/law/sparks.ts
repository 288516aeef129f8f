import { actor } from './actor.js';
import { bool, id, int, is, opt, orNull, page, text, time, url } from './notation.js';
import { DRAWS, law } from './row.js';
import { bytes, cursor, entries, flag, length, may, must, oneOf, range, refused, words } from './rules.js';

const created = {
  spark_id: id('spk'),
  size_bytes: int,
  status: is('active'),
  created_at: time,
  expires_at: time,
  ttl_minutes: int,
  filename: opt(text), // only if given
  label: opt(text), // ours: docs/links.md
  kindling: opt(id('kdl')),
  link_url: opt(url), // link Sparks
  link_code: opt(text),
};

const spark = {
  ...created,
  created_by: opt(actor), // ours: docs/links.md
  account_id: id('acc'),
  content_type: text,
  status: is('active', 'reading', 'ash', 'expired'),
  burned_at: orNull(time),
  time_remaining: int,
};

const share = {
  shared: is(true),
  share_url: url,
  link_url: url, // ours: the other name (D6)
  link_code: text,
  visibility: is('public', 'authenticated', 'invite_only'),
  invites: [text] as const,
  expires_at: time,
  created_at: time,
};

export const sparks = law({
  'POST /v1/sparks': {
    law: 'SPK-01 SPK-03 SPK-05 SPK-12 SPK-13 SPK-15 OPEN-02 OPEN-58 AMB-08',
    status: 201,
    billable: 'write',
    body: {
      payload: must(bytes(256_000)),
      ttl_minutes: may(range(1, 1_440), 1_440),
      content_type: may(words, 'text/plain'),
      filename: may(words),
      label: may(length(1, 100)), // ours: docs/links.md
      with_kindling: may(flag, false),
      kindling: refused(may(words)),
      bound_ip: refused(may(words)),
    },
    data: created,
    errors: [...DRAWS, '404 NOT_FOUND'], // an unknown kindling group
  },
  'GET /v1/sparks': {
    law: 'SPK-16 SPK-17 SPK-18 SPK-19',
    status: 200,
    query: {
      status: may(oneOf('active', 'ash')),
      kindling: refused(may(words)),
      limit: may(range(1, 500), 100),
      cursor: may(cursor),
    },
    data: page('sparks', spark),
  },
  // Ours: docs/links.md.
  'GET /v1/sparks/history': {
    law: 'SPK-53',
    status: 200,
    query: {
      limit: may(range(1, 100), 25),
      cursor: may(cursor),
      from: may(range(0)),
      to: may(range(0)),
      created_by: may(words),
    },
    data: page('items', {
      type: is('spark', 'ingot'),
      spark_id: opt(id('spk')),
      link_id: opt(text),
      vault_id: opt(id('vlt')),
      ingot_id: opt(id('ing')),
      label: opt(text),
      status: is('active', 'opened', 'withdrawn', 'expired', 'unknown'),
      created_at: time,
      created_by: actor,
      expires_at: orNull(time),
      openings: [{ opened_at: time, opened_by: actor, verified_by: orNull(text) }],
      has_more_openings: bool,
      ended_at: orNull(time),
      ended_by: orNull(actor),
    }),
    errors: ['403 FORBIDDEN'], // a member who asks for another creator
  },
  'GET /v1/sparks/{spark_id}': {
    law: 'SPK-25 SPK-27 SPK-28 SPK-29 SPK-30 SPK-31 OPEN-58',
    status: 200,
    billable: 'read',
    data: {
      spark_id: id('spk'),
      payload: text,
      content_type: text,
      filename: orNull(text), // default null
      size_bytes: int,
      status: is('ash'),
      created_at: time,
      burned_at: time,
      was_active: is(true),
    },
    errors: ['403 FORBIDDEN', '409 CONFLICT'],
  },
  'DELETE /v1/sparks/{spark_id}': {
    law: 'SPK-36 SPK-37 AMB-05 OPEN-55',
    status: 204,
    unknown: 204,
    errors: ['409 CONFLICT'], // while it is read
  },
  'PATCH /v1/sparks/{spark_id}/share': {
    law: 'SPK-39 SPK-40 SPK-42 SPK-44 SPK-46 AMB-37',
    status: 200,
    body: {
      visibility: may(oneOf('public', 'authenticated', 'invite_only'), 'public'),
      invites: refused(may(entries(1), [])),
      expires_in_seconds: may(range(60)), // capped at the end of the Spark, so there is no upper bound
    },
    data: { ...share, already_shared: is(true, false) },
    errors: ['403 FORBIDDEN', '409 CONFLICT'], // while it is read
  },
  'GET /v1/sparks/{spark_id}/share': {
    law: 'SPK-47 SPK-48',
    status: 200,
    data: {
      shared: is(true, false),
      spark_id: id('spk'),
      // The others only when it is shared.
      share_url: opt(url),
      link_url: opt(url), // ours: the other name (D6)
      link_code: opt(text),
      visibility: opt(share.visibility),
      invites: opt(share.invites),
      status: opt(is('active', 'consumed', 'revoked')),
      expires_at: opt(time),
      created_at: opt(time),
    },
  },
  'DELETE /v1/sparks/{spark_id}/share': {
    law: 'SPK-49',
    status: 200,
    data: { shared: is(false), message: text },
  },
  // Ours: docs/links.md.
  'POST /v1/sparks/{spark_id}/share/resend': {
    law: 'SPK-54',
    status: 200,
    data: { spark_id: id('spk'), resent: is(true), sent_at: time },
    errors: ['403 FORBIDDEN', '409 CONFLICT'], // burned or expired; while it is read
  },
});
