import { bool, form, id, is, nothing, oneShape, orNull, text, time, url } from './notation.js';
import { law } from './row.js';
import { entries, flag, may, must, oneOf, range, refused, words } from './rules.js';

const invite_id = id('inv');
const type = is('email', 'phone');

const sharing = {
  ingot_id: id('ing'),
  shared: bool,
  visibility: orNull(is('public', 'authenticated', 'invite_only')), // null when not shared
  public_url: orNull(url),
  link_url: orNull(url), // ours: the other name (D6)
  link_code: orNull(text),
  updated_at: time,
  invites: [{ invite_id, identity: text, type }] as const,
};

/** Managed ingots are refused on all of these (AMB-56). */
const managed = '403 FORBIDDEN';

export const sharingOfIngots = law({
  'PUT /v1/vaults/{vault_id}/ingots/{ingot_id}/sharing': {
    law: 'SHR-01 SHR-02 SHR-03 SHR-04 SHR-05 SHR-06 OPEN-20 OPEN-21 AMB-37',
    vat: 'write',
    status: 200,
    body: {
      shared: may(flag),
      visibility: refused(may(oneOf('public', 'authenticated', 'invite_only'))),
      invites: refused(may(entries(100), [])),
    },
    data: sharing,
    errors: [managed, '409 CONFLICT'],
  },
  'GET /v1/vaults/{vault_id}/ingots/{ingot_id}/sharing': {
    law: 'SHR-08 OPEN-21',
    vat: 'read',
    status: 200,
    data: sharing,
    errors: [managed, '409 CONFLICT'],
  },
  'POST /v1/vaults/{vault_id}/ingots/{ingot_id}/sharing/invite': {
    law: 'SHR-09 OPEN-21 OPEN-02',
    vat: 'write',
    status: 201,
    body: { identity: must(words) },
    data: { invite_id, identity: text, type, created_at: time },
    errors: [managed, '409 CONFLICT'],
  },
  'DELETE /v1/vaults/{vault_id}/ingots/{ingot_id}/sharing/invite/{invite_id}': {
    law: 'SHR-10 OPEN-21',
    vat: 'write',
    status: 200,
    data: { invite_id, revoked: is(true) },
    errors: [managed, '409 CONFLICT'],
  },
  'POST /v1/vaults/{vault_id}/ingots/{ingot_id}/sharing/invite/{invite_id}/resend': {
    law: 'SHR-11 OPEN-21 OPEN-02',
    vat: 'write',
    status: 200,
    data: { invite_id, resent: is(true), sent_at: time },
    errors: [managed, '409 CONFLICT'],
  },
  'POST /v1/vaults/{vault_id}/ingots/{ingot_id}/sparklinks': {
    law: 'SHR-12 OPEN-21 OPEN-02',
    vat: 'write',
    status: 201,
    body: { expires_in_seconds: may(range(300, 86_400), 86_400) },
    data: { link_code: form(/^[\w-]+$/), link_url: url, expires_at: time, created_at: time },
    errors: [managed, '409 CONFLICT'],
  },
  'POST /v1/vaults/{vault_id}/ingots/{ingot_id}/sparklinks/{code}/deliver': {
    law: 'SHR-14 OPEN-21 OPEN-02',
    vat: 'write',
    status: 200,
    body: { identity: must(words) },
    data: oneShape(
      { link_code: text, identity: text, delivered: is(true), delivered_at: time },
      // Never silent (OPEN-35): no sender for this type of identity is configured.
      {
        link_code: text,
        identity: text,
        delivered: is(false),
        delivered_at: nothing,
        reason: is('unconfigured'),
      },
    ),
    errors: [managed, '409 CONFLICT'],
    unknown: 400, // as LNK-07
  },
});
