import { keep } from '../../../api/kept.js';

/** What is being entered for a set of secrets, exactly as entered. It survives a lock of the vault. */
export interface SecretDraft {
  readonly mode: 'none' | 'set' | 'import';
  readonly ingotId: string;
  readonly key: string;
  readonly value: string;
  /** Whether the name is that of a secret that is changed. */
  readonly isChange: boolean;
}

export const noDraft: SecretDraft = { mode: 'none', ingotId: '', key: '', value: '', isChange: false };
export const secretDraft = keep<SecretDraft>(noDraft, { isUnsaved: ({ value }) => value !== '' });
export const closeDraft = (): void => secretDraft.set(noDraft);
