import { EpochSeconds, IdOf, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { writeErrors } from './vault.js';

/**
 * A file of a record of a CRM, and the Vault Access Token with which it is used. Each operation checks the token for the vault
 * and the level, and then finds the file in the record's folder alone: files of other folders do not exist for it (CRA-08).
 */
export class RecordFileAccess {
  @IdOf('vlt') vault_id: string;
  @Text({ max: 200, description: 'The Vault Access Token as the person sent it.' }) vat: string;
  @IdOf('fld', { nullable: true, description: 'The folder of the record; null: it has none yet.' })
  folder_id: string | null;
  @Text({ max: 65_536, raw: true, description: 'The id of the ingot, or a colon and its name.' })
  reference: string;
}

/** Body of `locateRecordFile`. */
export class RecordFileLocation extends RecordFileAccess {
  @OneOf(['read', 'write'], { description: 'The level that the next operation needs.' })
  level: 'read' | 'write';
}

/** A file of the record, and the rights of the token. */
export class LocatedRecordFile {
  @IdOf('ing') ingot_id: string;
  @OneOf(['read', 'read_write']) access_level: 'read' | 'read_write';
}

/** The file that is deleted. */
export class RemovedRecordFile {
  @IdOf('ing') ingot_id: string;
}

/** A download URL of Forge, which works once. */
export class RecordFileDownload {
  @Text({ max: 2_048 }) download_url: string;
  @EpochSeconds() expires_at: number;
}

const errors = [...writeErrors, 'INGOT_NOT_FOUND', 'INGOT_MANAGED'] as const;
const access = { access: 'internal', callers: ['integrations'], body: RecordFileAccess } as const;

/** Checks a token and finds a file of a record, for an operation of vaults that follows. */
export const locateRecordFile = operation({
  ...access,
  name: 'vaults.locate-record-file',
  summary: 'Finds a file of a record of a CRM.',
  body: RecordFileLocation,
  reply: LocatedRecordFile,
  errors,
  repeatable: true,
});

/** Issues a single-use download URL for a file of a record. The caller has put the account's pools into the context. */
export const downloadRecordFile = operation({
  ...access,
  name: 'vaults.download-record-file',
  summary: 'Issues a download URL for a file of a record of a CRM.',
  reply: RecordFileDownload,
  errors: [...errors, 'INGOT_NOT_READY'],
});

/** Deletes a file of a record (ING-36, ING-37). */
export const deleteRecordFile = operation({
  ...access,
  name: 'vaults.delete-record-file',
  summary: 'Deletes a file of a record of a CRM.',
  reply: RemovedRecordFile,
  errors: [...errors, 'INGOT_UPLOADING'],
});
