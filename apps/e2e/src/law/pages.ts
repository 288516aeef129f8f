import { bool, int, is, map, oneShape, opt, orNull, text, time, url } from './notation.js';
import { law } from './row.js';
import { flag, length, may, must, object, oneOf, refused, words } from './rules.js';

/** What the script of a link's page posts. The code is the credential; answers have no envelope, errors have (OPEN-23). */
const visit = { origin: 'links', by: 'none', status: 200, bare: true } as const;
const ended = '403 FORBIDDEN'; // consumed, revoked or expired
const verified = { verification_token: text, expires_at: time };

const interaction = opt({
  interaction_token: text,
  actions: [text],
  action_hash: text,
  is_requested: bool,
  expires_at: time,
});
const shared_by = opt(text);

export const pages = law({
  'POST /{link_code}/burn': {
    law: 'LNK-12 LNK-13 LNK-14 OPEN-22 OPEN-23 OPEN-25 OPEN-64',
    ...visit,
    by: 'optional',
    body: {
      describe: may(flag, false),
      confirmed: may(flag, false),
      resume: may(flag),
      verification_token: refused(may(words)),
    },
    data: oneShape(
      { type: is('redirect'), url },
      { type: is('warning'), url, reason: text },
      {
        type: is('content'),
        payload: text,
        content_type: text,
        filename: orNull(text),
        shared_by,
        interaction,
      },
      {
        type: is('file'),
        download_url: url,
        name: text,
        size_bytes: int,
        content_type: text,
        expires_at: opt(time),
        version_id: opt(text),
        content_hash: opt(orNull(text)),
        once: opt(bool),
        modified_at: opt(orNull(time)),
        shared_by,
        interaction,
      },
      { type: is('confirm'), shared_by },
    ),
    errors: [ended, '409 CONFLICT'],
  },
  'POST /{link_code}/verify/start': {
    law: 'OPEN-25',
    ...visit,
    body: { identity: must(words) },
    data: { sent: is(true), expires_at: time },
    errors: [ended],
  },
  'POST /{link_code}/verify/confirm': {
    law: 'OPEN-25',
    ...visit,
    body: { identity: must(words), code: must(words) },
    data: verified,
    errors: ['401 UNAUTHORIZED', ended],
  },
  'POST /{link_code}/passkey/options': {
    law: 'OPEN-64',
    ...visit,
    body: { verification_token: may(words) },
    data: { type: is('authentication', 'registration'), options: map(), expires_at: time },
    errors: [ended, '409 CONFLICT'],
  },
  'POST /{link_code}/passkey/verify': {
    law: 'OPEN-64',
    ...visit,
    body: { response: must(object) },
    data: verified,
    errors: ['401 UNAUTHORIZED', ended, '409 CONFLICT'],
  },
  'POST /{link_code}/interact': {
    law: 'NTF-46 OPEN-36 OPEN-64',
    ...visit,
    body: {
      interaction_token: must(words),
      action: refused(must(oneOf('view', 'acknowledge', 'sign', 'approve', 'deny', 'reply'))),
      action_hash: refused(may(words)),
      reply: refused(may(length(1, 10_000))),
    },
    data: { action: is('view', 'acknowledge', 'sign', 'approve', 'deny', 'reply'), at: time, jws: text },
    errors: ['401 UNAUTHORIZED', ended, '409 CONFLICT'],
  },
});

const names = (...of: string[]) => Object.fromEntries(of.map((name) => [name, int]));

export const deployment = law({
  'GET /v1/health': { law: 'OPEN-33 OPEN-56', by: 'none', status: 200, data: { status: is('ok') } },
  'GET /v1/config': {
    law: 'OPEN-33',
    by: 'none',
    status: 200,
    data: {
      api_version: text,
      origins: { api: url, forge: url, links: url, files: url },
      limits: names(
        ...['calls_per_minute', 'calls_per_minute_without_account', 'body_bytes', 'structured_body_bytes'],
        ...['spark_payload_bytes', 'spark_ttl_minutes', 'vat_ttl_seconds', 'page_size', 'page_size_max'],
        ...['vault_name_characters', 'ingot_name_characters', 'folder_name_characters', 'folder_levels'],
        ...['ingot_size_bytes', 'chunk_size_bytes', 'structured_keys', 'structured_key_characters'],
        ...['structured_value_bytes', 'retrieved_keys', 'recipients'],
      ),
      sign_in: orNull({
        issuer: url,
        authorization_endpoint: url,
        client_id: text,
        redirect_uri: url,
        scopes: [text],
        code_challenge_method: text,
      }),
      features: { sign_in: bool, live_feed: bool, transparency_log: bool, upload_sources: bool },
    },
  },
});

/** What the page of a durable share shows and opens, for a caller with a credential (OPEN-33). */
export const sharedFiles = law({
  'GET /v1/files/{code}': {
    law: 'OPEN-33 OPEN-22 MISC-04',
    status: 200,
    data: { name: text, size_bytes: int, shared_by },
    errors: [ended],
  },
  'POST /v1/files/{code}/open': {
    law: 'OPEN-33 OPEN-22 MISC-04',
    status: 200,
    body: { confirmed: may(flag, false), resume: may(flag), verification_token: refused(may(words)) },
    data: oneShape(
      {
        type: is('file'),
        download_url: url,
        name: text,
        size_bytes: int,
        content_type: text,
        expires_at: opt(time),
        version_id: opt(text),
        content_hash: opt(orNull(text)),
        modified_at: opt(orNull(time)),
      },
      { type: is('confirm') },
    ),
    errors: [ended],
  },
});
