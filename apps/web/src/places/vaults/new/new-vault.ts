import { keep } from '../../../api/kept.js';

/** A vault that was created and whose key is not known to be kept. */
export interface NewKey {
  readonly vaultId: string;
  readonly vault: string;
  readonly key: string;
  readonly createdAt: number;
}

interface NewVault {
  readonly name: string;
  readonly created: NewKey | undefined;
}

/** The browser asks before the page with the only copy of a key is closed; other places may be looked at. */
export const newVault = keep<NewVault>(
  { name: '', created: undefined },
  { isUnsaved: ({ name, created }) => name !== '' || created !== undefined },
);
