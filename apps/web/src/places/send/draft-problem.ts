import { sendTexts } from '../../texts/send.js';
import { addressOf } from '../../ui/typed-address.js';
import type { Draft } from './draft.js';
import { byteLength, FILE_BYTES_MAX, isTooLarge, SPARK_BYTES_MAX } from './limits.js';

/** The field that is wrong, and why. */
export interface DraftProblem {
  readonly field: 'text' | 'address' | 'file' | 'recipient';
  readonly text: string;
}

/** The reason why a draft cannot be sent; the API decides about everything else. */
export function problemOf(draft: Draft): DraftProblem | undefined {
  return contentProblem(draft) ?? recipientProblem(draft);
}

function contentProblem({ kind, text, address, file }: Draft): DraftProblem | undefined {
  if (kind === 'file') return fileProblem(file);
  if (kind === 'link')
    return isWebAddress(address) ? undefined : { field: 'address', text: sendTexts.addressInvalid };
  if (text === '') return { field: 'text', text: sendTexts.nothing };
  const over = byteLength(text) - SPARK_BYTES_MAX;
  return over > 0 ? { field: 'text', text: sendTexts.tooLong(over) } : undefined;
}

function fileProblem(file: File | undefined): DraftProblem | undefined {
  if (!file) return { field: 'file', text: sendTexts.noFile };
  if (!isTooLarge(file)) return undefined;
  return { field: 'file', text: sendTexts.fileTooLarge(file.size, FILE_BYTES_MAX) };
}

function recipientProblem({ audience, recipient }: Draft): DraftProblem | undefined {
  if (audience !== 'invite_only' || addressOf(recipient) !== undefined) return undefined;
  const text = recipient.trim() === '' ? sendTexts.noRecipient : sendTexts.recipientInvalid;
  return { field: 'recipient', text };
}

function isWebAddress(text: string): boolean {
  try {
    return /^https?:\/\//i.test(text) && new URL(text).host !== '';
  } catch {
    return false;
  }
}
