import { id, int, is, map, nothing, oneShape, text, time } from './notation.js';
import { DRAWS, law } from './row.js';
import { length, may, must, object, range, refused, words } from './rules.js';

const ids = { ingot_id: id('ing'), name: text };

/** Another product's ingot, or several of that name (STR-21, STR-23). */
const notThis = ['403 FORBIDDEN', '409 CONFLICT'] as const;

export const structured = law({
  'POST /v1/products/structured-ingots/{vault_id}': {
    law: 'STR-01 STR-02 STR-05 STR-06 OPEN-03 AMB-43',
    vat: 'write',
    status: 201,
    billable: 'write',
    body: { name: must(length(1, 255)), data: must(object) },
    data: { ...ids, version: is(1), key_count: int, created_at: time },
    errors: [...DRAWS, '409 CONFLICT'],
  },
  'GET /v1/products/structured-ingots/{vault_id}': {
    law: 'STR-01 STR-07 STR-08 OPEN-03',
    vat: 'read',
    status: 200,
    billable: 'read', // "structured ops"
    query: { limit: may(range(1, 500), 100) },
    data: {
      ingots: [{ ...ids, version: nothing, key_count: nothing, created_at: time, updated_at: time }],
      count: int,
    },
  },
  'GET /v1/products/structured-ingots/{vault_id}/{ingot_id}': {
    law: 'STR-01 STR-09 STR-10 STR-11 STR-12 OPEN-03',
    vat: 'read',
    status: 200,
    billable: 'write', // a retrieval makes Sparks
    query: { keys: refused(may(words)), ttl: may(range(60, 86_400), 900) },
    data: oneShape(
      { ingot_id: id('ing'), values: map({ spark_id: id('spk'), expires_at: time }), missing_keys: [text] },
      { ...ids, version: int, key_count: int, keys: [text], created_at: time, updated_at: time },
    ),
    errors: [...DRAWS, ...notThis],
  },
  'PATCH /v1/products/structured-ingots/{vault_id}/{ingot_id}': {
    law: 'STR-01 STR-14 STR-15 STR-16 OPEN-03',
    vat: 'write',
    status: 200,
    billable: 'write',
    body: { set: may(object), delete: refused(may(words)) },
    data: { ingot_id: id('ing'), version: int, key_count: int, updated_at: time },
    errors: [...DRAWS, ...notThis, '412 PRECONDITION_FAILED'],
  },
  'DELETE /v1/products/structured-ingots/{vault_id}/{ingot_id}': {
    law: 'STR-01 STR-17',
    vat: 'write',
    status: 204,
    errors: notThis,
  },
});
