import { id, int, is, orNull, text, time, url } from './notation.js';
import { DRAWS, law } from './row.js';
import { length, may, must, range, refused, words } from './rules.js';

/** Calls of a provider's interface: API credentials do not open them (CRA-02, CRB-02). Their answers are enveloped (OPEN-37). */
const proxy = { by: 'provider', status: 200 } as const;

const record = {
  portal_id: refused(may(words)),
  org_id: refused(may(words)),
  object_type: must(words),
  record_id: must(words),
  user_id: refused(may(words)),
};
const key = {
  vmk: refused(may(words)),
  dvak_token: refused(may(words)),
  ttl_seconds: may(range(1, 86_400), 3_600),
};
const file = { ingot_id: must(words), vat: must(words) };

const folder = { vault_id: id('vlt'), folder_id: id('fld') };
const vat = { vat: id('vat'), expires_at: time };
const download = { download_url: url, expires_at: time };
const deleted = { deleted: is(true), ingot_id: id('ing') };
const files = {
  files: [
    {
      ingot_id: id('ing'),
      name: text,
      file_type: text,
      size_bytes: int,
      content_type: text,
      status: is('uploading', 'encrypting', 'active', 'failed'),
      folder_id: orNull(id('fld')),
      managed_by: orNull(text),
      upload_source: orNull(text),
      created_at: time,
      updated_at: time,
      modified_at: orNull(time),
      access_count: int,
      total_bandwidth_bytes: int,
    },
  ],
  count: int,
} as const;

const missing = '404 NOT_FOUND'; // no installation, or no such file
const wrongKey = ['401 UNAUTHORIZED', '403 FORBIDDEN', missing, '412 PRECONDITION_FAILED'] as const;
const ofDeletion = ['403 FORBIDDEN', missing] as const;
const ofFile = ['403 FORBIDDEN', missing, '409 CONFLICT'] as const;

const resolve = { ...proxy, body: record, data: { ...folder, panel_url: url }, errors: [missing] } as const;
const list = { ...proxy, body: record, data: files, errors: [missing] } as const;
const unseal = { ...proxy, body: { ...record, ...key }, data: vat, errors: wrongKey } as const;
const draws = [...DRAWS, ...ofFile] as const; // a download draws bandwidth, as every download does (APP-25)
const fetching = { ...proxy, body: { ...record, ...file }, data: download, errors: draws } as const;
const deletion = { ...proxy, body: { ...record, ...file }, data: deleted, errors: ofDeletion } as const;
const event = { ...proxy, data: { received: is(true) } } as const;

export const crm = law({
  'POST /v1/apps/crma/resolve': { law: 'CRA-01 CRA-02 CRA-04 OPEN-37 OPEN-66', ...resolve },
  'POST /v1/apps/crma/files': { law: 'CRA-01 CRA-05 OPEN-37', ...list },
  'POST /v1/apps/crma/unseal': { law: 'CRA-01 CRA-06 OPEN-37', ...unseal },
  'POST /v1/apps/crma/download': { law: 'CRA-01 CRA-07 CRA-08 OPEN-37', ...fetching },
  'POST /v1/apps/crma/delete-file': { law: 'CRA-01 CRA-08 CRA-09 OPEN-37', ...deletion },
  'POST /v1/apps/crma/webhooks': { law: 'CRA-11 APP-24 OPEN-38', ...event },
  'POST /v1/apps/crmb/resolve': { law: 'CRB-01 CRB-02 CRB-04 OPEN-37 OPEN-66', ...resolve },
  'POST /v1/apps/crmb/files': { law: 'CRB-01 CRB-04 OPEN-37', ...list },
  'POST /v1/apps/crmb/unseal': { law: 'CRB-01 CRB-04 OPEN-37', ...unseal },
  'POST /v1/apps/crmb/download': { law: 'CRB-01 CRB-05 OPEN-37', ...fetching },
  'POST /v1/apps/crmb/delete-file': { law: 'CRB-01 CRB-05 OPEN-37', ...deletion },
  'POST /v1/apps/crmb/upload-context': {
    law: 'CRB-01 CRB-03 OPEN-37',
    ...proxy,
    body: { ...record, ...key, vat: refused(may(words)) },
    data: { ...folder, vat: id('vat') },
    errors: wrongKey,
  },
  'POST /v1/apps/crmb/webhooks': { law: 'CRB-08 APP-24 OPEN-38', ...event },
});

/** With the bearer of one panel, which is bound to its record (OPEN-66). */
export const panels = law({
  'POST /v1/apps/{app_id}/panel/session': {
    law: 'OPEN-66',
    ...proxy,
    data: { token: text, expires_at: time, object_type: text, record_id: text },
  },
  'POST /v1/apps/{app_id}/panel/files': { law: 'OPEN-66 OPEN-37', ...proxy, data: files },
  'POST /v1/apps/{app_id}/panel/unseal': {
    law: 'OPEN-66 OPEN-37',
    ...proxy,
    body: { vmk: refused(may(words)), dvak_token: refused(may(words)) },
    data: vat,
    errors: wrongKey,
  },
  'POST /v1/apps/{app_id}/panel/upload': {
    law: 'OPEN-66 OPEN-02 ING-09',
    ...proxy,
    status: 201,
    body: {
      name: must(length(1, 255)),
      size_bytes: must(range(1, 5_497_558_138_880)),
      content_type: may(words, 'application/octet-stream'),
      vat: must(words),
    },
    data: {
      ingot_id: id('ing'),
      name: text,
      size_bytes: int,
      content_type: text,
      status: is('uploading'),
      forge_url: url,
      expires_at: time,
    },
    errors: [...DRAWS, '403 FORBIDDEN'],
  },
  'POST /v1/apps/{app_id}/panel/download': {
    law: 'OPEN-66 OPEN-37',
    ...proxy,
    body: file,
    data: download,
    errors: draws,
  },
  'POST /v1/apps/{app_id}/panel/delete-file': {
    law: 'OPEN-66 OPEN-37',
    ...proxy,
    body: file,
    data: deleted,
    errors: ofDeletion,
  },
  'POST /v1/apps/{app_id}/panel/share': {
    law: 'OPEN-66 OPEN-02 OPEN-21',
    ...proxy,
    status: 201,
    body: { ...file, expires_in_seconds: may(range(300, 86_400), 86_400) },
    data: { link_code: text, link_url: url, expires_at: time, created_at: time },
    errors: ofFile,
  },
});
