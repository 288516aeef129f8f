import { EpochSeconds, IdOf, Int, Name, OneOf, Text } from '../core/fields.js';

export const INGOT_NAME_MAX = 255;
/** 5 TiB (ING-02). */
export const INGOT_BYTES_MAX = 5_497_558_138_880;
export const CONTENT_TYPE_DEFAULT = 'application/octet-stream';

/** What the extension of a name says of a file (ING-14). */
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

/** An ingot is `uploading` until a first content is whole; a replacement leaves it `active` (AMB-16). */
export const ingotStatuses = ['uploading', 'encrypting', 'active', 'failed'] as const;
export type IngotStatus = (typeof ingotStatuses)[number];

export class IngotParams {
  @IdOf('vlt') vault_id: string;
  // Of any shape: what cannot be an id answers as an id that nobody has, and `unknown` speaks of the vault.
  @Text({
    max: 65_536,
    raw: true,
    description: 'The ing_ id of the ingot, or a colon and its name, whatever the case: `:report.pdf`.',
  })
  ingot_id: string;
}

/** Unlike a folder's name an ingot's may hold slashes: nothing takes it for a path. */
export const IngotName = (options: { optional?: boolean } = {}) =>
  Name({ ...options, max: INGOT_NAME_MAX, description: 'Unique in its folder, whatever its case.' });

export const IngotBytes = () =>
  Int({ min: 1, max: INGOT_BYTES_MAX, description: 'Bytes of the content; no upload may be longer.' });

export const ContentTypeField = () =>
  Name({
    max: 255,
    optional: true,
    description: 'Told to whoever downloads it, if it is a media type (RFC 9110); else octet-stream is.',
  });

/** What `GET` of one ingot shows (ING-24). */
export class IngotMetadata {
  @IdOf('ing') ingot_id: string;
  @IngotName() name: string;
  @Int({ min: 0 }) size_bytes: number;
  @Text({ max: 255 }) content_type: string;
  @OneOf(ingotStatuses) status: IngotStatus;
  @Text({ max: 64, nullable: true, description: 'The product that manages it; null: nobody but its users.' })
  managed_by: string | null;
  @EpochSeconds() created_at: number;
  @EpochSeconds() updated_at: number;
  @Int({ min: 0, description: 'Downloads.' }) access_count: number;
  @Int({ min: 0, description: 'Bytes moved by its uploads and downloads.' }) total_bandwidth_bytes: number;
}

/** An ingot as lists show it (ING-13). */
export class Ingot extends IngotMetadata {
  @OneOf(fileTypes) file_type: FileType;
  @IdOf('fld', { nullable: true, description: 'null: the root of the vault.' }) folder_id: string | null;
  @Text({ max: 320, nullable: true, description: 'Who uploaded it: an address, or the name of an API key.' })
  upload_source: string | null;
}

/** Where to send the content of an ingot. */
export class IngotUpload {
  @IdOf('ing') ingot_id: string;
  @IngotName() name: string;
  @Int({ min: 1 }) size_bytes: number;
  @Text({ max: 255 }) content_type: string;
  @OneOf(['uploading']) status: 'uploading';
  @Text({
    max: 2_048,
    description:
      'A tus 1.0.0 endpoint for one upload, in chunks of 52,428,800 bytes; give it to nobody else.',
  })
  forge_url: string;
  @EpochSeconds({ description: 'Until when the upload may begin.' }) expires_at: number;
}
