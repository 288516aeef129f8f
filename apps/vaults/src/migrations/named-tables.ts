import type { TableIndex } from '@vaultsvc/database';

/** A table whose rows have names that are unique in a scope. */
export interface NamedTable {
  readonly name: string;
  readonly primaryKey: readonly string[];
  /** The columns within which a name is unique; they may be null. */
  readonly scope: readonly string[];
  /** Of the rows whose names are unique. */
  readonly condition: string;
  readonly indexes: readonly TableIndex[];
}

/** As they are since `FoldNames1770000000004`. */
export const namedTables: readonly NamedTable[] = [
  {
    name: 'vaults',
    primaryKey: ['id'],
    scope: ['account_id'],
    condition: `status = 'active'`,
    indexes: [
      {
        name: 'vaults_folded_name',
        unique: true,
        definition: `(account_id, folded_name) WHERE status = 'active'`,
      },
    ],
  },
  {
    name: 'folders',
    primaryKey: ['vault_id', 'id'],
    scope: ['vault_id', 'parent_id'],
    condition: 'true',
    indexes: [
      {
        name: 'folders_folded_name',
        unique: true,
        definition: '(vault_id, parent_id, folded_name) NULLS NOT DISTINCT',
      },
      { name: 'folders_of_vault_by_name', definition: '(vault_id, (left(folded_name, 64)), id)' },
      { name: 'folders_of_folder_by_name', definition: '(vault_id, parent_id, (left(folded_name, 64)), id)' },
    ],
  },
  {
    name: 'ingots',
    primaryKey: ['id'],
    scope: ['vault_id', 'folder_id'],
    condition: 'true',
    indexes: [
      {
        name: 'ingots_folded_name',
        unique: true,
        definition: '(vault_id, folder_id, folded_name) NULLS NOT DISTINCT',
      },
      { name: 'ingots_by_folded_name', definition: '(vault_id, folded_name, id)' },
    ],
  },
];
