import { bool, id, int, is, orNull, page, text, time, url } from './notation.js';
import { DRAWS, law } from './row.js';
import { cursor, flag, length, may, must, oneOf, range, refused, words } from './rules.js';

const SIZE_MAX = 5_497_558_138_880;
const CATEGORIES = [
  ...['image', 'video', 'audio', 'document', 'spreadsheet', 'presentation', 'archive'],
  ...['code', 'design', 'cad', 'ebook', 'font', 'other'],
];
const status = is('uploading', 'encrypting', 'active', 'failed');

/** Ours: the time of the file's content, as its uploader says. */
const modified_at = orNull(time);

const metadata = {
  modified_at,
  ingot_id: id('ing'),
  name: text,
  size_bytes: int,
  content_type: text,
  status,
  managed_by: orNull(text),
  created_at: time,
  updated_at: time,
  access_count: int,
  total_bandwidth_bytes: int,
};

/** Ours: what a client compares the content with (F3). */
const version = { version_id: orNull(text), content_hash: orNull(text) };

const ingot = {
  ...metadata,
  file_type: is(...CATEGORIES),
  folder_id: orNull(id('fld')),
  upload_source: orNull(text),
};

const upload = {
  ingot_id: id('ing'),
  name: text,
  size_bytes: int,
  content_type: text,
  status: is('uploading'),
  forge_url: url,
  expires_at: time,
};

export const ingots = law({
  'POST /v1/vaults/{vault_id}/ingots': {
    law: 'ING-01 ING-02 ING-03 ING-05 ING-06 ING-07 ING-09 ING-38 OPEN-02 OPEN-03',
    vat: 'write',
    status: 201,
    billable: 'write',
    body: {
      name: must(length(1, 255)),
      size_bytes: must(range(1, SIZE_MAX)),
      content_type: may(words, 'application/octet-stream'),
      original_filename: may(words),
      modified_at: may(range(0)),
      folder_id: refused(may(words)),
      folder_path: refused(may(words)),
    },
    data: upload,
    errors: [...DRAWS, '403 FORBIDDEN', '404 NOT_FOUND'], // a managed name, AMB-15; an unknown folder
  },
  'GET /v1/vaults/{vault_id}/ingots': {
    law: 'ING-11 ING-12 ING-13 AMB-49 OPEN-18',
    vat: 'read',
    status: 200,
    query: {
      limit: may(range(1, 200), 100),
      sort_by: may(
        oneOf('name', 'size', 'content_type', 'created_at', 'access_count', 'bandwidth'),
        'created_at',
      ),
      sort_order: may(oneOf('asc', 'desc'), 'asc'),
    },
    data: { ingots: [ingot], count: int },
  },
  'GET /v1/vaults/{vault_id}/ingots/search': {
    law: 'ING-20 ING-22 ING-23 OPEN-18',
    vat: 'read',
    status: 200,
    query: {
      q: may(words),
      contains: may(words),
      folder_id: refused(may(words)), // a folder of the vault, or root
      sort_by: may(oneOf('created_at', 'name'), 'created_at'),
      file_type: may(oneOf(...CATEGORIES)),
      min_size: may(range(0)),
      max_size: may(range(0)),
      limit: may(range(1, 200), 50),
      cursor: may(cursor),
      sort_order: may(oneOf('asc', 'desc'), 'desc'),
    },
    data: {
      ...page('ingots', ingot),
      filters: {
        q: orNull(text),
        contains: orNull(text),
        folder_id: orNull(text),
        file_type: orNull(ingot.file_type),
        min_size: orNull(int),
        max_size: orNull(int),
      },
    },
    errors: ['404 NOT_FOUND'], // an unknown folder
  },
  'GET /v1/vaults/{vault_id}/ingots/{ingot_id}': {
    law: 'ING-24 ING-25 ING-26 ING-38',
    vat: 'read',
    status: 200,
    data: { ...metadata, ...version },
    errors: ['403 FORBIDDEN', '409 CONFLICT'],
  },
  'POST /v1/vaults/{vault_id}/ingots/{ingot_id}/download': {
    law: 'ING-28 ING-29 OPEN-02 OPEN-17 AMB-57',
    vat: 'read',
    status: 200,
    billable: 'write',
    body: { stream: may(flag, false) },
    data: {
      status: is('ready'),
      download_url: url,
      ingot_id: id('ing'),
      name: text,
      size_bytes: int,
      content_type: text,
      original_filename: orNull(text),
      ...version,
      version_id: text,
      modified_at,
      expires_at: time,
      stream: bool,
    },
    errors: [...DRAWS, '403 FORBIDDEN', '409 CONFLICT'],
  },
  'PUT /v1/vaults/{vault_id}/ingots/{ingot_id}': {
    law: 'ING-31 ING-32 ING-38 AMB-15',
    vat: 'write',
    status: 200,
    billable: 'write',
    body: {
      size_bytes: must(range(1, SIZE_MAX)),
      name: may(length(1, 255)),
      content_type: may(words),
      modified_at: may(range(0)),
      expected_updated_at: refused(may(range(0))),
    },
    data: upload,
    errors: [...DRAWS, '403 FORBIDDEN', '409 CONFLICT', '412 PRECONDITION_FAILED'],
  },
  'PATCH /v1/vaults/{vault_id}/ingots/{ingot_id}': {
    law: 'ING-34 ING-35 ING-38 AMB-15',
    vat: 'write',
    status: 200,
    body: { name: may(length(1, 255)), folder_id: refused(may(words)) },
    data: ingot,
    errors: ['403 FORBIDDEN', '409 CONFLICT'],
  },
  'DELETE /v1/vaults/{vault_id}/ingots/{ingot_id}': {
    law: 'ING-36 ING-37 ING-38',
    vat: 'write',
    status: 204,
    errors: ['403 FORBIDDEN', '409 CONFLICT'], // managed; an ambiguous name
  },
  'POST /v1/vaults/{vault_id}/upload-sources/{source}/ingots': {
    law: 'OPEN-24 ENV-31',
    status: 201,
    off: '404 UPLOAD_SOURCE_DISABLED',
    errors: ['404 UPLOAD_SOURCE_DISABLED'],
  },
});
