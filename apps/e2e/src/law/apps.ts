import { bool, is, map, orNull, text, time, url } from './notation.js';
import { law } from './row.js';
import { length, may, must, object, words } from './rules.js';

const app_id = is('chatapp', 'crma', 'crmb');

/** The installation, merged over the entry of the catalog (APP-09). */
const app = {
  app_id,
  installed: bool,
  status: is('active', 'suspended', 'not_installed'),
  installed_at: orNull(time),
  settings: map(),
  remote_id: orNull(text),
  name: text,
  description: text,
  category: is('integrations'),
  features: [text] as const,
  pricing: { operations: map({ price: text, description: text }), description: text },
  oauth_required: is(true),
  account: { organization_name: text, logo_url_light: orNull(url), logo_url_dark: orNull(url) },
};

const installation = { settings: may(object, {}), remote_id: may(length(1, 128)) };

export const apps = law({
  'GET /v1/apps': {
    law: 'APP-01 APP-02 AMB-03',
    status: 200,
    data: {
      installed: [{ app_id, status: is('active', 'suspended'), installed_at: time, settings: map() }],
      available: [app_id],
    },
  },
  'GET /v1/apps/{app_id}': { law: 'APP-03 APP-04 APP-05 APP-06 AMB-23', status: 200, data: app },
  'POST /v1/apps/{app_id}': {
    law: 'APP-07 APP-08 APP-09 APP-11',
    role: 'admin',
    status: 201,
    body: installation,
    data: app,
    errors: ['409 CONFLICT'],
  },
  'PUT /v1/apps/{app_id}': {
    law: 'APP-13 APP-14 APP-27',
    role: 'admin',
    status: 200,
    body: { ...installation, settings: must(object) },
    data: app,
    errors: ['409 CONFLICT'],
  },
  'DELETE /v1/apps/{app_id}': {
    law: 'APP-14 APP-15 APP-16 AMB-53',
    role: 'admin',
    status: 204,
    errors: ['409 CONFLICT'], // another integration depends on it
  },
  // Ours: docs/integrations.md. It makes the `state` that is bound to the session (P17).
  'POST /v1/apps/{app_id}/oauth/start': {
    law: 'AMB-24',
    by: 'session',
    role: 'admin',
    status: 200,
    body: { redirect_uri: must(words) },
    data: { authorize_url: url, state: text, expires_at: time },
    errors: ['409 CONFLICT'],
  },
});
