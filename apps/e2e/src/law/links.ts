import { actor } from './actor.js';
import { id, int, is, opt, orNull, text, time, url } from './notation.js';
import { law } from './row.js';
import { cursor, may, oneOf, range } from './rules.js';

const link = {
  link_id: opt(text), // ours: as in the history (LNK-24)
  link_code: text,
  link_url: url,
  link_type: is('spark', 'ingot'),
  asset_id: opt(text),
  vault_id: opt(id('vlt')), // ingot links
  visibility: is('public', 'authenticated', 'invite_only'),
  status: is('active', 'consumed', 'revoked'),
  bound_ip: opt(text),
  session_length: opt(int),
  expires_at: orNull(time), // null: a durable share has no end (SHR-07)
  created_at: time,
  created_by: opt(actor), // ours: docs/links.md
  label: opt(text), // ours: of the Spark
  verified_by: opt(text),
  verified_at: opt(time),
};

/** An unknown code, or that of another account, is 400 with "SparkLink not found" (LNK-07). */
const unknown = 400;

export const links = law({
  'GET /v1/sparklinks': {
    law: 'LNK-01 LNK-02 LNK-03 LNK-04 LNK-24 AMB-03',
    status: 200,
    query: { type: may(oneOf('spark', 'ingot')), limit: may(range(1, 100), 50), cursor: may(cursor) },
    data: {
      sparklinks: [{ ...link, invites: [text] }],
      count: int,
      cursor: orNull(text),
      next_cursor: opt(text), // ours: the other name (D6)
    },
  },
  'GET /v1/sparklinks/{link_code}': {
    law: 'LNK-03 LNK-04 LNK-06 LNK-07 LNK-24',
    status: 200,
    data: { ...link, invites: [{ identity: text, type: is('email', 'phone') }] },
    unknown,
  },
  'DELETE /v1/sparklinks/{link_code}': {
    law: 'LNK-07 LNK-08',
    status: 200,
    data: { deleted: is(true), link_code: text },
    unknown,
  },
});
