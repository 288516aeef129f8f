import { event } from '../core/event.js';
import { Example } from '../core/example.js';
import {
  Cursor,
  EpochSeconds,
  Flag,
  IdOf,
  Int,
  ListOf,
  Name,
  Nested,
  OneOf,
  Pattern,
  Text,
} from '../core/fields.js';
import { idPattern } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { readErrors, VaultAction, VaultParams, writeErrors } from './vault.js';

const EXAMPLE_VERSION = 'ver_2NkqP8cY0wZtB5sVh1RmXe';
const EXAMPLE_HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** Code points of an ingot's name. */
export const INGOT_NAME_MAX = 255;

/** File types, derived from the extension of the name (ING-14). */
export const fileTypes = [
  'image',
  'video',
  'audio',
  'document',
  'spreadsheet',
  'presentation',
  'archive',
  'code',
  'design',
  'cad',
  'ebook',
  'font',
  'other',
] as const;
export type FileType = (typeof fileTypes)[number];

/** An ingot is `uploading` until its first upload is complete; a replacement leaves it `active` (AMB-16). */
export const ingotStatuses = ['uploading', 'encrypting', 'active', 'failed'] as const;
export type IngotStatus = (typeof ingotStatuses)[number];

/** Path parameters of operations on one ingot. */
export class IngotParams {
  @IdOf('vlt') vault_id: string;
  // Any text passes here: a malformed id is answered like an unknown ingot, whereas `unknown` names the vault.
  @Text({
    max: 65_536,
    raw: true,
    description:
      'The ing_ id of the ingot, or a colon and its name without regard to case, for example `:report.pdf`.',
  })
  ingot_id: string;
}

/** The name of an ingot. Unlike a folder's name it may contain slashes, because no path contains it. */
export const IngotName = (options: { optional?: boolean } = {}) =>
  Name({ ...options, max: INGOT_NAME_MAX, description: 'Unique in its folder, without regard to case.' });

const CONTENT_HASH = /^[0-9a-f]{64}$/;

/** The hash of a content (ADR 44). Older instances of vaults do not send it to other services. */
export const ContentHashField = (options: { optional?: boolean } = {}) =>
  Pattern(CONTENT_HASH, {
    ...options,
    max: 64,
    nullable: true,
    says: '64 lower-case hexadecimal digits',
    description:
      'SHA-256 over the SHA-256 of each 52,428,800 bytes of the content, in order; of a content that is not longer, simply its ' +
      'SHA-256. null: it was uploaded before hashes were kept.',
  });

/**
 * The modification time of a file, which its owner sends with the content and each reader gets with it (ING-43). Whole seconds;
 * like every `*_at` from 1970 on and below 100,000,000,000, so that milliseconds are refused (ENV-08).
 */
export const ModifiedAt = (options: { optional?: boolean } = {}) =>
  EpochSeconds({
    ...options,
    nullable: true,
    description: 'When the file was last modified where it came from, in epoch seconds. null: unknown.',
  });

/** The id of a version in replies; that of an upload is internal until it is complete. */
export const VersionId = (options: { nullable?: boolean } = {}) =>
  Text({ ...options, max: 40, description: 'Changes with every new content.' });

/** The metadata of one ingot (ING-24). */
@Example({
  name: 'contract.pdf',
  content_type: 'application/pdf',
  status: 'active',
  managed_by: null,
  total_bandwidth_bytes: 5_931_612,
})
export class IngotMetadata {
  @IdOf('ing') ingot_id: string;
  @IngotName() name: string;
  @Int({ min: 0 }) size_bytes: number;
  @Text({ max: 255 }) content_type: string;
  @OneOf(ingotStatuses) status: IngotStatus;
  @Text({ max: 64, nullable: true, description: 'The product that manages the ingot; null: none.' })
  managed_by: string | null;
  @EpochSeconds() created_at: number;
  @EpochSeconds() updated_at: number;
  @ModifiedAt() modified_at: number | null;
  @Int({ min: 0, description: 'Number of downloads.' }) access_count: number;
  @Int({ min: 0, description: 'Bytes transferred by uploads and downloads.' }) total_bandwidth_bytes: number;
}

/** An ingot as lists show it (ING-13). */
@Example({ file_type: 'document', folder_id: null, upload_source: 'Backup job' })
export class Ingot extends IngotMetadata {
  @OneOf(fileTypes) file_type: FileType;
  @IdOf('fld', { nullable: true, description: 'null: the root of the vault.' }) folder_id: string | null;
  @Text({
    max: 320,
    nullable: true,
    description:
      'The uploader: the e-mail address of a user, the name of an API key, or an integration with the id of its person.',
  })
  upload_source: string | null;
}

/** Sort keys of `listIngots`. */
export const ingotSorts = [
  'name',
  'size',
  'content_type',
  'created_at',
  'access_count',
  'bandwidth',
] as const;
export type IngotSort = (typeof ingotSorts)[number];

/** Query of `listIngots`. */
export class IngotListQuery {
  @Int({ min: 1, max: 200, optional: true }) limit = 100;
  @OneOf(ingotSorts, { optional: true }) sort_by: IngotSort = 'created_at';
  @OneOf(['asc', 'desc'], { optional: true }) sort_order: 'asc' | 'desc' = 'asc';
}

/** A list of ingots. */
export class IngotList {
  @ListOf(() => Ingot) ingots: Ingot[];
  @Int({ min: 0, description: 'Ingots in this reply.' }) count: number;
}

/** Lists ingots. The list has no cursor (AMB-49); `searchIngots` pages through larger vaults. */
export const listIngots = operation({
  name: 'vaults.list-ingots',
  summary: 'Lists at most 200 ingots of a vault, from all folders and including managed ones.',
  http: { method: 'GET', path: '/v1/vaults/{vault_id}/ingots', status: 200 },
  access: { credential: 'key', vat: 'read' },
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  query: IngotListQuery,
  reply: IngotList,
  errors: ['VAULT_NOT_FOUND'],
  repeatable: true,
});

const bytesFilter = { min: 0, max: Number.MAX_SAFE_INTEGER, description: 'Bytes.' };

const SEARCHED_FOLDER = new RegExp(`^root$|${idPattern('fld').source}`);

/** Characters: in the order of names a cursor has the name of the last ingot, beside the filters. */
const SEARCH_CURSOR_MAX = 8_192;

/** Sort keys of `searchIngots`: those that an index has in each folder. */
export const ingotSearchSorts = ['created_at', 'name'] as const;
export type IngotSearchSort = (typeof ingotSearchSorts)[number];

/** Query of `searchIngots`. */
@Example({ q: 'contract' })
export class IngotSearchQuery {
  @Text({ max: INGOT_NAME_MAX, optional: true, description: 'Prefix of the name, without regard to case.' })
  q?: string;
  @Text({
    max: INGOT_NAME_MAX,
    optional: true,
    description: 'A part of the name, without regard to case.',
  })
  contains?: string;
  @Pattern(SEARCHED_FOLDER, {
    optional: true,
    max: 64,
    says: 'a fld_ id or root',
    description: 'Only ingots directly in this folder; `root`: those in no folder.',
  })
  folder_id?: string;
  @OneOf(fileTypes, { optional: true }) file_type?: FileType;
  @Int({ ...bytesFilter, optional: true }) min_size?: number;
  @Int({ ...bytesFilter, optional: true }) max_size?: number;
  @Int({ min: 1, max: 200, optional: true }) limit = 50;
  @Cursor({ max: SEARCH_CURSOR_MAX }) cursor?: string;
  @OneOf(ingotSearchSorts, { optional: true }) sort_by: IngotSearchSort = 'created_at';
  @OneOf(['asc', 'desc'], { optional: true, description: 'Order of the sort key.' })
  sort_order: 'asc' | 'desc' = 'desc';
}

/** The filters that a search applied; null for each that was not given. */
@Example({ q: 'contract', contains: null, folder_id: null, file_type: null, min_size: null, max_size: null })
export class IngotFilters {
  @Text({ max: INGOT_NAME_MAX, nullable: true }) q: string | null;
  @Text({ max: INGOT_NAME_MAX, nullable: true }) contains: string | null;
  @Text({ max: 64, nullable: true }) folder_id: string | null;
  @OneOf(fileTypes, { nullable: true }) file_type: FileType | null;
  @Int({ ...bytesFilter, nullable: true }) min_size: number | null;
  @Int({ ...bytesFilter, nullable: true }) max_size: number | null;
}

/** A page of ingots that match a search. */
export class IngotPage {
  @ListOf(() => Ingot) ingots: Ingot[];
  @Int({ min: 0, description: 'Ingots on this page.' }) count: number;
  @Flag({
    description:
      'Whether to go on with next_cursor, also after a page with fewer ingots than limit, or none.',
  })
  has_more: boolean;
  @Text({ max: SEARCH_CURSOR_MAX, optional: true }) next_cursor?: string;
  @Nested(() => IngotFilters) filters: IngotFilters;
}

/** Searches the ingots of a vault. */
export const searchIngots = operation({
  name: 'vaults.search-ingots',
  summary:
    'Searches the ingots of a vault, or lists a folder, by name, file type and size. A page with filters reads 10,000 ingots at most.',
  http: { method: 'GET', path: '/v1/vaults/{vault_id}/ingots/search', status: 200 },
  access: { credential: 'key', vat: 'read' },
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  query: IngotSearchQuery,
  reply: IngotPage,
  errors: ['VAULT_NOT_FOUND', 'FOLDER_NOT_FOUND'],
  cursor: 'next_cursor',
  repeatable: true,
});

/** An ingot with the version and the hash of its content. */
@Example({ version_id: EXAMPLE_VERSION, content_hash: EXAMPLE_HASH })
export class IngotDetails extends IngotMetadata {
  @VersionId({ nullable: true }) version_id: string | null;
  @ContentHashField() content_hash: string | null;
}

/** Reads the metadata of an ingot. */
export const readIngot = operation({
  name: 'vaults.read-ingot',
  summary: 'Reads the metadata of an ingot.',
  http: { method: 'GET', path: '/v1/vaults/{vault_id}/ingots/{ingot_id}', status: 200 },
  access: { credential: 'key', vat: 'read' },
  params: IngotParams,
  unknown: 'VAULT_NOT_FOUND',
  reply: IngotDetails,
  errors: [...readErrors, 'INGOT_NOT_FOUND', 'INGOT_NAME_AMBIGUOUS', 'INGOT_MANAGED'],
  repeatable: true,
});

/** Body of `downloadIngot`. */
export class DownloadRequest {
  @Flag({
    optional: true,
    description: 'Whether the URL may be used repeatedly, for players that seek. Otherwise it works once.',
  })
  stream: boolean = false;
}

/** A download URL. */
@Example({
  name: 'contract.pdf',
  content_type: 'application/pdf',
  stream: false,
  version_id: EXAMPLE_VERSION,
  content_hash: EXAMPLE_HASH,
})
export class IngotDownload {
  @OneOf(['ready']) status: 'ready';
  @Text({ max: 2_048, description: 'Anyone with this URL can read the content. Keep it secret.' })
  download_url: string;
  @IdOf('ing') ingot_id: string;
  @IngotName() name: string;
  @Int({ min: 1 }) size_bytes: number;
  @Text({ max: 255 }) content_type: string;
  @Text({ max: 255, nullable: true }) original_filename: string | null;
  @VersionId() version_id: string;
  @ContentHashField() content_hash: string | null;
  @ModifiedAt() modified_at: number | null;
  @EpochSeconds({ description: 'Each use of a streaming URL extends it.' })
  expires_at: number;
  @Flag() stream: boolean;
}

/** Issues a download URL. Sent bytes draw bandwidth, so an exhausted pool is only refused here, before the transfer. */
export const downloadIngot = operation({
  name: 'vaults.download-ingot',
  summary: 'Issues a download URL for the content of an ingot: single-use, or reusable for streaming.',
  http: { method: 'POST', path: '/v1/vaults/{vault_id}/ingots/{ingot_id}/download', status: 200 },
  access: { credential: 'key', vat: 'read' },
  callers: ['integrations'],
  params: IngotParams,
  unknown: 'VAULT_NOT_FOUND',
  billable: true,
  body: DownloadRequest,
  reply: IngotDownload,
  errors: [...readErrors, 'INGOT_NOT_FOUND', 'INGOT_NAME_AMBIGUOUS', 'INGOT_MANAGED', 'INGOT_NOT_READY'],
});

/** Body of `updateIngot`: at least one field. */
@Example({ name: 'contract.pdf' })
export class IngotChange {
  @IngotName({ optional: true }) name?: string;
  @IdOf('fld', {
    optional: true,
    nullable: true,
    description: 'The new folder; null: the root of the vault.',
  })
  folder_id?: string | null;
}

/** Renames or moves an ingot. */
export const updateIngot = operation({
  name: 'vaults.update-ingot',
  summary: 'Renames an ingot, moves it, or both; at least one field is required.',
  http: { method: 'PATCH', path: '/v1/vaults/{vault_id}/ingots/{ingot_id}', status: 200 },
  access: { credential: 'key', vat: 'write' },
  params: IngotParams,
  unknown: 'VAULT_NOT_FOUND',
  body: IngotChange,
  reply: Ingot,
  errors: [
    ...writeErrors,
    'INGOT_NOT_FOUND',
    'INGOT_NAME_AMBIGUOUS',
    'INGOT_MANAGED',
    'INGOT_NAME_TAKEN',
    'FOLDER_NOT_FOUND',
  ],
});

/** Deletes an ingot: unreadable when the reply arrives; its bytes are removed soon after (ING-36, ING-37). */
export const deleteIngot = operation({
  name: 'vaults.delete-ingot',
  summary:
    'Deletes an ingot with its content. An ingot whose first upload started within the last hour is not deleted.',
  http: { method: 'DELETE', path: '/v1/vaults/{vault_id}/ingots/{ingot_id}', status: 204 },
  access: { credential: 'key', vat: 'write' },
  callers: ['integrations'],
  params: IngotParams,
  unknown: 'VAULT_NOT_FOUND',
  errors: [...writeErrors, 'INGOT_NOT_FOUND', 'INGOT_NAME_AMBIGUOUS', 'INGOT_MANAGED', 'INGOT_UPLOADING'],
});

/** Body of `identifyIngot`. */
export class IngotReference {
  @IdOf('acc') account_id: string;
  @IdOf('vlt') vault_id: string;
  @Text({ max: 65_536, raw: true, description: 'The id of the ingot, or a colon and its name.' })
  reference: string;
}

/** The ingot that a reference names. */
export class IdentifiedIngot {
  @IdOf('ing') ingot_id: string;
}

/** Finds the id of an ingot, managed or not, for its audit log. */
export const identifyIngot = operation({
  name: 'vaults.identify-ingot',
  summary: 'Finds the id of the ingot that a reference names.',
  access: 'internal',
  callers: ['reporting'],
  body: IngotReference,
  reply: IdentifiedIngot,
  errors: ['INGOT_NOT_FOUND', 'INGOT_NAME_AMBIGUOUS'],
  repeatable: true,
});

/** Payload of ingot events. */
export class IngotAction extends VaultAction {
  @IdOf('ing') ingot_id: string;
}

/** An upload for a new ingot was opened. */
export const ingotCreated = event({
  name: 'vaults.ingot-created',
  payload: IngotAction,
  consumers: ['reporting'],
});
/** An upload of new content was opened. */
export const ingotReplaced = event({
  name: 'vaults.ingot-replaced',
  payload: IngotAction,
  consumers: ['reporting'],
});
/** The ingot was renamed, moved, or both. */
export const ingotUpdated = event({
  name: 'vaults.ingot-updated',
  payload: IngotAction,
  consumers: ['reporting'],
});
export const ingotDeleted = event({
  name: 'vaults.ingot-deleted',
  payload: IngotAction,
  consumers: ['forge', 'sparks', 'reporting'],
});
/** A download URL was issued. */
export const ingotDownloaded = event({
  name: 'vaults.ingot-downloaded',
  payload: IngotAction,
  consumers: ['reporting'],
});
