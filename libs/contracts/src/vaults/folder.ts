import { ValidateBy } from 'class-validator';
import { EpochSeconds, IdOf, Name, Text } from '../core/fields.js';

export const FOLDER_NAME_MAX = 255;
/** A folder at the root of its vault is at level 1. */
export const FOLDER_LEVELS_MAX = 32;
/** Letters of the longest path: every name at its longest, and the slashes between them. */
export const FOLDER_PATH_MAX = FOLDER_LEVELS_MAX * (FOLDER_NAME_MAX + 1) - 1;

/**
 * A name of one folder: none that a path could take for two, for itself or for the folder above. The compatibility form
 * counts: U+FF0F becomes a slash on the way to many a file system.
 */
export function FolderName(options: { optional?: boolean } = {}): PropertyDecorator {
  const isOneName = ValidateBy({
    name: 'folderName',
    validator: {
      validate: (value) => typeof value === 'string' && !isPath(value.normalize('NFKC')),
      defaultMessage: () => '$property must not be . or .. and must not contain a slash or a backslash',
    },
  });
  const name = Name({
    ...options,
    max: FOLDER_NAME_MAX,
    description: 'Unique among the folders beside it, whatever its case. No slash, no backslash, not . or ..',
  });
  return (target, key) => {
    for (const decorate of [name, isOneName]) decorate(target, key);
  };
}

function isPath(name: string): boolean {
  return /[/\\]/.test(name) || ['.', '..'].includes(name.trim());
}

export class FolderParams {
  @IdOf('vlt') vault_id: string;
  // Of any shape: what cannot be an id answers as an id that nobody has, and `unknown` speaks of the vault.
  @Text({ max: 65_536, raw: true, description: 'The fld_ id of the folder.' }) folder_id: string;
}

export class Folder {
  @IdOf('fld') folder_id: string;
  @IdOf('vlt') vault_id: string;
  @IdOf('fld', { nullable: true, description: 'null: the root of the vault.' }) parent_id: string | null;
  @FolderName() name: string;
  @Text({ max: FOLDER_PATH_MAX, description: 'The names from the root to this folder, with / between them.' })
  path: string;
  @EpochSeconds() created_at: number;
  @EpochSeconds() updated_at: number;
}
