import { composeTexts as texts } from '../../../texts/notify-compose.js';
import type { Draft } from './draft.js';
import { RECIPIENTS_MAX } from './recipient-text.js';

export interface DraftProblem {
  readonly field: 'recipients' | 'content';
  readonly text: string;
}

export const CONTENT_BYTES_MAX = 256_000;

export const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** The first reason why a draft cannot be sent. */
export function problemOf({ recipients, content }: Draft): DraftProblem | undefined {
  if (recipients.length === 0) return { field: 'recipients', text: texts.noRecipients };
  if (recipients.length > RECIPIENTS_MAX) return { field: 'recipients', text: texts.tooMany };
  if (content === '') return { field: 'content', text: texts.noContent };
  if (bytesOf(content) > CONTENT_BYTES_MAX) return { field: 'content', text: texts.tooLong };
  return undefined;
}
