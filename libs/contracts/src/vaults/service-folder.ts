import { IdOf, ListOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { FOLDER_PATH_MAX, FolderName } from './folder.js';
import { Ingot } from './ingot.js';

/** Most files that one list of a folder has. */
export const FOLDER_FILES_MAX = 500;

/** Body of `openFolder`. */
export class FolderPlace {
  @IdOf('vlt') vault_id: string;
  @IdOf('fld', { optional: true, description: 'Used as long as it exists, wherever it was moved.' })
  folder_id?: string;
  @Text({ max: FOLDER_PATH_MAX, description: 'Found or created otherwise, with its missing parents.' })
  path: string;
}

/** A folder that exists. */
export class OpenedFolder {
  @IdOf('fld') folder_id: string;
}

/**
 * Finds or creates a folder by its path. Only integrations of the previous release call it, for records; it goes with the next
 * one, as `locateFile` does: a path names a folder of whoever made it, so that one portal found the folders of another.
 */
export const openFolder = operation({
  name: 'vaults.open-folder',
  summary: 'Finds or creates a folder.',
  access: 'internal',
  callers: ['integrations'],
  body: FolderPlace,
  reply: OpenedFolder,
  errors: ['VAULT_NOT_FOUND'],
});

/** Body of `openRecordFolder`. */
export class RecordFolder {
  @IdOf('vlt') vault_id: string;
  @IdOf('fld', { description: 'The id that the folder has, or gets.' }) folder_id: string;
  @FolderName() parent: string;
  @FolderName() name: string;
}

/**
 * Creates the folder of a record, with the id that the integration has given to it, unless it exists, wherever it was moved.
 * Concurrent calls create it once. A sibling that has the name is another folder: this one then gets a number, such as
 * `contact 51 (2)`. Names of folders are not sealed, so that no key is needed.
 */
export const openRecordFolder = operation({
  name: 'vaults.open-record-folder',
  summary: 'Creates the folder of a record of a CRM, unless it exists.',
  access: 'internal',
  callers: ['integrations'],
  body: RecordFolder,
  errors: ['VAULT_NOT_FOUND'],
  repeatable: true,
});

/** Body of `listFolderFiles`. */
export class FolderReference {
  @IdOf('vlt') vault_id: string;
  @IdOf('fld', { nullable: true, description: 'null: a folder that is not created yet, which has no files.' })
  folder_id: string | null;
}

/** The files of a folder. */
export class FolderFiles {
  @ListOf(() => Ingot, { max: FOLDER_FILES_MAX }) files: Ingot[];
}

/** Lists the first files of a folder by name, without those that a product manages. */
export const listFolderFiles = operation({
  name: 'vaults.list-folder-files',
  summary: 'Lists the files of a folder.',
  access: 'internal',
  callers: ['integrations'],
  body: FolderReference,
  reply: FolderFiles,
  errors: ['VAULT_NOT_FOUND'],
  repeatable: true,
});

/** Body of `locateFile`. */
export class FileReference {
  @IdOf('vlt') vault_id: string;
  @Text({ max: 65_536, raw: true, description: 'The id of the ingot, or a colon and its name.' })
  reference: string;
}

/** A file and its folder. */
export class LocatedFile {
  @IdOf('ing') ingot_id: string;
  @IdOf('fld', { nullable: true }) folder_id: string | null;
}

/** Finds the folder of a file: see `openFolder`. */
export const locateFile = operation({
  name: 'vaults.locate-file',
  summary: 'Finds the folder of a file.',
  access: 'internal',
  callers: ['integrations'],
  body: FileReference,
  reply: LocatedFile,
  errors: ['INGOT_NOT_FOUND', 'INGOT_NAME_AMBIGUOUS', 'INGOT_MANAGED'],
  repeatable: true,
});
