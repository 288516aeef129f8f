import { bool, id, int, is, orNull, page, text, time } from './notation.js';
import { law } from './row.js';
import { cursor, flag, length, may, must, range, refused, words } from './rules.js';

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
