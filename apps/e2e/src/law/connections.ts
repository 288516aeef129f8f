import { bool, form, id, int, is, iso, map, oneShape, opt, orNull, text, time } from './notation.js';
import { law } from './row.js';
import { may, must, refused, words } from './rules.js';

const callback = { code: must(words), redirect_uri: must(words), state: refused(may(words)) };
const account_id = id('acc');

/** A call of a provider: its signature is checked, API credentials do not count (CHT-12). Answers are bare (OPEN-38). */
const webhook = { by: 'provider', status: 200, bare: true } as const;
const chatReply = {
  challenge: opt(text),
  response_type: opt(is('ephemeral')),
  text: opt(text),
  response_action: opt(is('errors')),
  errors: opt(map()),
};

const counts = { sparks_created: int, sparks_read: int };
const person = { slack_user_id: text, username: text, ...counts };
const date = form(/^\d{4}-\d{2}-\d{2}$/);

export const chat = law({
  'POST /v1/apps/chatapp/oauth/callback': {
    law: 'APP-18 APP-19 CHT-03 AMB-24 OPEN-02',
    by: 'session',
    role: 'admin',
    status: 200,
    body: callback,
    data: { installed: is(true), team_id: text, team_name: text, account_id },
    errors: ['401 UNAUTHORIZED', '409 CONFLICT'],
  },
  'DELETE /v1/apps/chatapp/uninstall': {
    law: 'APP-23 CHT-04 AMB-25',
    role: 'admin',
    status: 200,
    data: { uninstalled: is(true), account_id, team_id: orNull(text) }, // null: a bare installation has no team (APP-26)
    errors: ['404 NOT_FOUND', '409 CONFLICT'],
  },
  'GET /v1/apps/chatapp/analytics': {
    law: 'CHT-05 CHT-06 CHT-07 CHT-09 CHT-11 OPEN-40 AMB-35',
    status: 200,
    query: { start_date: may(words), end_date: may(words), date: may(words) },
    data: oneShape(
      {
        type: is('usage_records'),
        data: {
          records: [{ date, ...person }],
          truncated: bool,
          totals: counts,
          installation: { team_id: orNull(text), team_name: orNull(text), installed_at: iso },
        },
      },
      {
        type: is('daily_summary'),
        data: { date, total_sparks_created: int, total_sparks_read: int, users: [person] },
      },
    ),
  },
  'POST /v1/apps/chatapp/webhooks/commands': { law: 'CHT-12 CHT-13 OPEN-38', ...webhook, data: chatReply },
  'POST /v1/apps/chatapp/webhooks/interactions': {
    law: 'CHT-12 CHT-13 OPEN-38',
    ...webhook,
    data: chatReply,
  },
  'POST /v1/apps/chatapp/webhooks/events': {
    law: 'CHT-12 CHT-13 CHT-14 OPEN-38',
    ...webhook,
    data: chatReply,
  },
});

export const crmConnections = law({
  'POST /v1/apps/crma/oauth/callback': {
    law: 'APP-18 APP-19 APP-21 APP-22 AMB-24 AMB-53 OPEN-40',
    by: 'session',
    role: 'admin',
    status: 200,
    body: { ...callback, vault_id: must(words) },
    data: { installed: is(true), portal_id: text, account_id, vault_id: id('vlt') },
    errors: ['401 UNAUTHORIZED', '404 NOT_FOUND', '409 CONFLICT'],
  },
  'POST /v1/apps/crmb/oauth/callback': {
    law: 'APP-18 APP-19 APP-21 APP-22 AMB-24 OPEN-38 OPEN-40',
    by: 'session',
    role: 'admin',
    status: 200,
    body: { ...callback, vault_id: must(words) },
    data: {
      installed: is(true),
      org_id: text,
      account_id,
      vault_id: id('vlt'),
      session_secret: opt(text), // once
    },
    errors: ['401 UNAUTHORIZED', '404 NOT_FOUND', '409 CONFLICT'],
  },
  'DELETE /v1/apps/crma/uninstall': {
    law: 'APP-23 AMB-25 OPEN-40',
    role: 'admin',
    status: 200,
    data: { uninstalled: is(true), account_id, portal_id: orNull(text) },
    errors: ['404 NOT_FOUND', '409 CONFLICT'],
  },
  'DELETE /v1/apps/crmb/uninstall': {
    law: 'APP-23 AMB-25 OPEN-40',
    role: 'admin',
    status: 200,
    data: { uninstalled: is(true), account_id, org_id: orNull(text) },
    errors: ['404 NOT_FOUND', '409 CONFLICT'],
  },
  'POST /v1/apps/crmb/session-secret': {
    law: 'OPEN-38 OPEN-02',
    role: 'admin',
    status: 201,
    data: { org_id: text, session_secret: text, former_ends_at: time },
    errors: ['404 NOT_FOUND', '409 CONFLICT'],
  },
});
