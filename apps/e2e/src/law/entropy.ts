import { form, id, int, is, opt, oneShape, text } from './notation.js';
import { DRAWS, law } from './row.js';
import { flag, may, must, oneOf, range } from './rules.js';

const formats = [
  'hex',
  'base64',
  'base64url',
  'alphanumeric',
  'alphanumeric-mixed',
  'password',
  'numeric',
  'uuid',
];
const result = {
  num_bytes: int,
  reference_id: id('ent'),
  opening: opt(form(/^[0-9a-f]{64}$/)), // ours, only if asked for: it opens the commitment in the audit log (OPEN-28)
};

export const entropy = law({
  'POST /v1/entropy/generate': {
    law: 'ENT-01 ENT-02 ENT-03 ENT-04 ENT-05 ENT-13 ENT-17 ENT-18 OPEN-02',
    status: 200,
    billable: 'write',
    body: {
      format: may(oneOf(...formats, 'bytes'), 'hex'),
      num_bytes: must(range(1, 1_024)), // up to 512 for three formats
      with_commitment: may(flag, false),
    },
    data: oneShape(
      { value: text, format: is(...formats), ...result },
      { value: [int], format: is('bytes'), ...result },
    ),
    errors: [...DRAWS, '500 CRYPTOGRAPHIC_ERROR'],
  },
});
