import { bool, form, id, int, is, opt, orNull, page, text, time } from './notation.js';
import { law } from './row.js';
import { cursor, flag, length, may, must, oneOf, range, refused, words } from './rules.js';

const counters = {
  ingot_count: int,
  storage_bytes: int,
  total_access_count: int,
  total_bandwidth_bytes: int,
};

export const vaults = law({
  'POST /v1/vaults': {
    law: 'VLT-01 VLT-02 VLT-03 OPEN-02',
    status: 201,
    body: { name: must(length(1, 200)) },
    data: { vault_id: id('vlt'), name: text, vmk: text, vmk_warning: text, created_at: time },
    errors: ['409 CONFLICT'],
  },
  'GET /v1/vaults': {
    law: 'VLT-05 VLT-06 VLT-07 VLT-08',
    status: 200,
    query: { limit: may(range(1, 500), 100), cursor: may(cursor), status: may(words) },
    data: page('vaults', {
      vault_id: id('vlt'),
      name: text,
      status: is('sealed', 'deleting'), // active ones show as sealed
      ...counters,
      created_at: time,
    }),
  },
  'GET /v1/vaults/{vault_id}': {
    law: 'VLT-09 VLT-10 OPEN-20',
    status: 200,
    data: {
      vault_id: id('vlt'),
      name: text,
      description: orNull(text),
      status: is('sealed', 'unsealed'),
      ...counters,
      created_at: time,
      created_by_user_id: orNull(id('usr')), // null: made by an API key
      last_unsealed_at: orNull(time),
      unseal_count: int,
      public_file_sharing: bool,
    },
  },
  'PUT /v1/vaults/{vault_id}': {
    law: 'VLT-11 VLT-12 OPEN-20',
    status: 200,
    body: {
      name: may(length(1, 200)),
      description: may(length(0, 1_000)),
      public_file_sharing: may(flag),
    },
    data: { vault_id: id('vlt'), name: text, description: orNull(text), updated_at: time },
    errors: ['403 FORBIDDEN', '409 CONFLICT'], // public_file_sharing is for admins and owners
  },
  'DELETE /v1/vaults/{vault_id}': {
    law: 'VLT-23 OPEN-12 AMB-18',
    seat: 'full',
    status: 202,
    data: { vault_id: id('vlt'), status: is('deleting') },
    errors: ['403 FORBIDDEN'], // the viewer seat
  },
  'POST /v1/vaults/{vault_id}/unseal': {
    law: 'VLT-13 VLT-15 VLT-16 VLT-17 VLT-18 VLT-19 VLT-20 OPEN-02',
    status: 200,
    body: {
      vmk: refused(may(words)), // exactly one of vmk and dvak_token
      dvak_token: refused(may(words)),
      ttl_seconds: may(range(1, 86_400), 3_600),
    },
    data: {
      vat: id('vat'),
      vault_id: id('vlt'),
      issued_at: time,
      expires_at: time,
      ttl_seconds: int,
      warning: text,
    },
    errors: ['401 UNAUTHORIZED', '403 FORBIDDEN', '412 PRECONDITION_FAILED'],
  },
  'POST /v1/vaults/{vault_id}/seal': { law: 'VLT-22', status: 204 },
});

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
