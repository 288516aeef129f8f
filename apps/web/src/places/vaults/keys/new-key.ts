import { keep } from '../../../api/kept.js';

/** A delegated key that was created and is not known to be kept. */
export interface CreatedKey {
  readonly vaultId: string;
  readonly name: string;
  readonly key: string;
}

/** What is entered for a new key; the master key is not kept. */
export interface NewKey {
  /** Of the vault for which the form is open. */
  readonly vaultId: string | undefined;
  readonly type: 'user' | 'nhi';
  readonly userId: string;
  readonly description: string;
  readonly level: 'read' | 'read_write';
  readonly created: CreatedKey | undefined;
}

export const noKey: NewKey = {
  vaultId: undefined,
  type: 'user',
  userId: '',
  description: '',
  level: 'read',
  created: undefined,
};

/** The browser asks before the page with the only copy of a key is closed. */
export const newKey = keep<NewKey>(noKey, { isUnsaved: ({ created }) => created !== undefined });
