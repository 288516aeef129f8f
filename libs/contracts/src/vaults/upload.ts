import { Example } from '../core/example.js';
import { EpochSeconds, IdOf, Int, Name, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { FOLDER_PATH_MAX } from './folder.js';
import { INGOT_NAME_MAX, IngotName, IngotParams, ModifiedAt } from './ingot.js';
import { VaultParams, writeErrors } from './vault.js';

/** Largest content in bytes: 5 TiB (ING-02). */
export const INGOT_BYTES_MAX = 5_497_558_138_880;
/** The media type of content without a valid one. */
export const CONTENT_TYPE_DEFAULT = 'application/octet-stream';

const ContentBytes = () =>
  Int({ min: 1, max: INGOT_BYTES_MAX, description: 'Bytes of the content. A longer upload is refused.' });

const ContentType = () =>
  Name({
    max: 255,
    optional: true,
    description:
      'The Content-Type of downloads if it is a media type (RFC 9110); otherwise downloads are application/octet-stream.',
  });

/** The endpoint of a newly opened upload. */
@Example({ name: 'contract.pdf', content_type: 'application/pdf' })
export class IngotUpload {
  @IdOf('ing') ingot_id: string;
  @IngotName() name: string;
  @Int({ min: 1 }) size_bytes: number;
  @Text({ max: 255 }) content_type: string;
  @OneOf(['uploading']) status: 'uploading';
  @Text({
    max: 2_048,
    description:
      'A tus 1.0.0 endpoint for this upload. Chunks have 52,428,800 bytes. Anyone with this URL can upload; keep it secret.',
  })
  forge_url: string;
  @EpochSeconds({ description: 'The upload must start before this time.' }) expires_at: number;
}

/** Body of `createIngot`. */
@Example({ name: 'contract.pdf', content_type: 'application/pdf' })
export class NewIngot {
  @IngotName() name: string;
  @ContentBytes() size_bytes: number;
  @ContentType() content_type: string = CONTENT_TYPE_DEFAULT;
  @Name({ max: INGOT_NAME_MAX, optional: true, description: 'The file name of downloads.' })
  original_filename?: string;
  @ModifiedAt({ optional: true }) modified_at?: number | null;
  @IdOf('fld', { optional: true, nullable: true, description: 'null or absent: the root of the vault.' })
  folder_id?: string | null;
  @Text({
    min: 1,
    max: 1 + FOLDER_PATH_MAX,
    optional: true,
    description:
      'Instead of folder_id: folder names from the root, separated by /, which may come first as well. Missing folders are created.',
  })
  folder_path?: string;
}

/**
 * Opens an upload for a new ingot, or for the ingot of this name in this folder. Downloads return the previous content
 * until the upload is complete. A newer upload supersedes an incomplete one.
 */
export const createIngot = operation({
  name: 'vaults.create-ingot',
  summary: 'Opens an upload for a new ingot, or for new content of the ingot with this name.',
  http: { method: 'POST', path: '/v1/vaults/{vault_id}/ingots', status: 201 },
  idempotent: { id: 'ingot_id', secrets: ['forge_url'] },
  access: { credential: 'key', vat: 'write' },
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  billable: true,
  body: NewIngot,
  reply: IngotUpload,
  errors: [...writeErrors, 'FOLDER_NOT_FOUND', 'INGOT_MANAGED'],
  callers: ['integrations'],
});

/** Body of `replaceIngot`. */
export class IngotReplacement {
  @ContentBytes() size_bytes: number;
  @IngotName({ optional: true }) name?: string;
  @ContentType() content_type?: string;
  @ModifiedAt({ optional: true }) modified_at?: number | null;
  @EpochSeconds({
    optional: true,
    description: 'If updated_at of the ingot is another time, the request is refused with 412.',
  })
  expected_updated_at?: number;
}

/** Opens an upload of new content. A new name applies at once; type and size apply with the content (AMB-16). */
export const replaceIngot = operation({
  name: 'vaults.replace-ingot',
  summary:
    'Opens an upload for new content of an ingot. Downloads return the old content until it is complete.',
  http: { method: 'PUT', path: '/v1/vaults/{vault_id}/ingots/{ingot_id}', status: 200 },
  access: { credential: 'key', vat: 'write' },
  params: IngotParams,
  unknown: 'VAULT_NOT_FOUND',
  billable: true,
  body: IngotReplacement,
  reply: IngotUpload,
  errors: [
    ...writeErrors,
    'INGOT_NOT_FOUND',
    'INGOT_NAME_AMBIGUOUS',
    'INGOT_MANAGED',
    'INGOT_NAME_TAKEN',
    'INGOT_CHANGED',
  ],
});

/** Path parameters of `uploadThroughSource`. */
export class UploadSourceParams {
  @IdOf('vlt') vault_id: string;
  @OneOf(['portal', 'widget']) source: 'portal' | 'widget';
}

/** No vault has an upload portal or widget yet, so every call is answered UPLOAD_SOURCE_DISABLED (OPEN-24). */
export const uploadThroughSource = operation({
  name: 'vaults.upload-through-source',
  summary: 'Opens an upload through the portal or widget of a vault, if it is enabled.',
  http: { method: 'POST', path: '/v1/vaults/{vault_id}/upload-sources/{source}/ingots', status: 201 },
  access: { credential: 'key' },
  params: UploadSourceParams,
  reply: IngotUpload,
  // For an unknown source as well: malformed parameters must be answered like an unknown vault.
  unknown: 'VAULT_NOT_FOUND',
  errors: ['VAULT_NOT_FOUND', 'UPLOAD_SOURCE_DISABLED'],
});
