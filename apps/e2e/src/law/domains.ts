import { is, text, time } from './notation.js';
import { law } from './row.js';
import { must, words } from './rules.js';

const domain = {
  domain: text,
  verification_method: is('dns_txt'),
  txt_name: text,
  txt_value: text,
  created_at: time,
  verified_at: time,
};

export const domains = law({
  'GET /v1/domains': { law: 'DOM-01 DOM-02 AMB-03', status: 200, data: { domains: [domain] } },
  'POST /v1/domains/challenge': {
    law: 'DOM-04 DOM-05 OPEN-02 OPEN-46 AMB-17',
    by: 'session',
    role: 'admin',
    status: 200,
    body: { domain: must(words) },
    data: { domain: text, txt_name: text, txt_value: text },
    errors: ['409 CONFLICT'], // already their own
  },
  'POST /v1/domains': {
    law: 'DOM-04 DOM-09 DOM-10 DOM-11 OPEN-02 OPEN-46',
    by: 'session',
    role: 'admin',
    status: 201,
    body: { domain: must(words) },
    data: { domain, message: text },
    errors: ['409 CONFLICT'],
  },
  'DELETE /v1/domains/{domain}': {
    law: 'DOM-04 DOM-12 OPEN-46',
    by: 'session',
    role: 'admin',
    status: 200,
    data: { deleted: is(true), domain: text },
  },
});
