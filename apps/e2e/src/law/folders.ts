import { id, orNull, page, text, time } from './notation.js';
import { law } from './row.js';
import { cursor, length, may, must, range, refused, words } from './rules.js';

const folder = {
  folder_id: id('fld'),
  vault_id: id('vlt'),
  parent_id: orNull(id('fld')),
  name: text,
  path: text,
  created_at: time,
  updated_at: time,
};

export const folders = law({
  'POST /v1/vaults/{vault_id}/folders': {
    law: 'OPEN-11 OPEN-02 AMB-57',
    vat: 'write',
    status: 201,
    body: { name: must(length(1, 255)), parent_id: refused(may(words)) },
    data: folder,
    errors: ['404 NOT_FOUND', '409 CONFLICT'],
  },
  'GET /v1/vaults/{vault_id}/folders': {
    law: 'OPEN-11 AMB-03',
    vat: 'read',
    status: 200,
    query: { parent_id: refused(may(words)), limit: may(range(1)), cursor: may(cursor) },
    data: page('folders', folder),
  },
  'GET /v1/vaults/{vault_id}/folders/{folder_id}': { law: 'OPEN-11', vat: 'read', status: 200, data: folder },
  'PATCH /v1/vaults/{vault_id}/folders/{folder_id}': {
    law: 'OPEN-11',
    vat: 'write',
    status: 200,
    body: { name: may(length(1, 255)), parent_id: refused(may(words)) },
    data: folder,
    errors: ['409 CONFLICT'],
  },
  'DELETE /v1/vaults/{vault_id}/folders/{folder_id}': {
    law: 'OPEN-11',
    vat: 'write',
    status: 204,
    errors: ['409 CONFLICT'],
  },
});
