import { bool, form, id, int, is, opt, orNull, text, time } from './notation.js';
import { law } from './row.js';
import { cursor, may, must, oneOf, range, refused, words } from './rules.js';

const access_level = is('read', 'read_write');
const dvak_type = is('user', 'nhi');
const last_4_chars = form(/^.{4}$/);
const holder = {
  authorized_user_id: orNull(id('usr')),
  authorized_user_email: orNull(text), // null for nhi
  nhi_description: orNull(text), // null for user
};

export const dvaks = law({
  'POST /v1/vaults/{vault_id}/dvaks': {
    law: 'DVK-01 DVK-02 DVK-03 DVK-04 DVK-05 DVK-06 DVK-07 OPEN-02',
    role: 'admin',
    status: 201,
    body: {
      vmk: must(words),
      dvak_type: refused(may(oneOf('user', 'nhi'), 'user')),
      authorized_user_id: refused(may(words)),
      nhi_description: refused(may(words)),
      access_level: may(oneOf('read', 'read_write'), 'read_write'),
    },
    data: {
      dvak_token: id('dvak'),
      dvak_type,
      ...holder,
      access_level,
      last_4_chars,
      created_at: time,
      warning: text,
    },
    errors: ['412 PRECONDITION_FAILED'],
  },
  'GET /v1/vaults/{vault_id}/dvaks': {
    law: 'DVK-01 DVK-10 DVK-11 DVK-12 DVK-13 AMB-03',
    role: 'admin',
    status: 200,
    query: {
      limit: may(range(1, 100), 25),
      cursor: may(cursor),
      status: may(oneOf('active', 'revoked')),
    },
    data: {
      dvaks: [
        {
          dvak_type: is('user', 'nhi', 'system'),
          ...holder,
          system_purpose: orNull(is('sharing', 'upload_portal', 'upload_widget', 'messaging')),
          access_level: orNull(access_level), // null on a legacy key
          last_4_chars,
          status: is('active', 'revoked'),
          created_at: time,
          last_used_at: orNull(time),
          use_count: int,
        },
      ],
      has_more: bool,
      cursor: orNull(text),
      next_cursor: opt(text), // ours: the other name (D6)
    },
  },
  'DELETE /v1/vaults/{vault_id}/dvaks/{last4}': {
    law: 'DVK-01 DVK-17 DVK-18',
    role: 'admin',
    status: 200,
    data: { last_4_chars, status: is('revoked'), revoked_at: time },
  },
});
