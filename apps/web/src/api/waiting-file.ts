import { keep } from './kept.js';

/** A file that its vault has stored, and whose link is next. */
export interface StoredFile {
  readonly kind: 'stored';
  readonly vaultId: string;
  readonly ingotId: string;
  /** In the vault, where it may have got a number. */
  readonly name: string;
  /** Of the content that was sent. */
  readonly contentHash: string;
  /** Whether the person was led to the link. */
  readonly isOffered: boolean;
}

/** How far a file is on its way into a vault and out by a link. */
export type WaitingStep =
  /** A vault must be chosen, created or opened. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'uploading' | 'failed'; readonly vaultId: string }
  | StoredFile;

export interface WaitingFile {
  /** Undefined: no file waits. */
  readonly file: File | undefined;
  readonly step: WaitingStep;
}

const none: WaitingFile = { file: undefined, step: { kind: 'waiting' } };

/** The file that Send is too small for, on its way through a vault. In memory of this tab alone. */
export const waitingFile = keep<WaitingFile>(none, {
  isUnsaved: ({ file, step }) => file !== undefined && step.kind !== 'stored',
});

/** Has a file wait for a vault, instead of the one that waits. */
export function letWait(file: File): void {
  waitingFile.set({ ...none, file });
}

/** The link was made, or the person does not send the file. */
export function forgetWaitingFile(): void {
  waitingFile.set(none);
}
