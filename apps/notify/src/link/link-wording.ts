import type { LinkMessage } from '@vaultsvc/contracts/sparks';
import { richText, type RichText } from '../text/rich-text.js';

/** The content of the link, in a word that recipients understand. */
export function nounOf({ link_type: type }: LinkMessage): 'secret' | 'file' {
  return type === 'spark' ? 'secret' : 'file';
}

/** Names the sender and the content; `name` is the sanitized name of the organization, or empty. */
export function headlineOf(message: LinkMessage, name: string): RichText {
  const noun = nounOf(message);
  if (message.kind === 'delivery')
    return name === '' ? richText`A ${noun} was sent to you` : richText`${name} has sent you a ${noun}`;
  return name === ''
    ? richText`A ${noun} was shared with you`
    : richText`${name} has shared a ${noun} with you`;
}

/** `10 minutes`, rounded, so that a short delay in sending does not show. */
export function minutesLeft({ expires_at: expiresAt }: LinkMessage, now: Date): string {
  const minutes = Math.max(1, Math.round((required(expiresAt) - now.getTime() / 1_000) / 60));
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** @throws if a field is missing that messages of this kind always have */
export function required<T>(value: T | null): T {
  if (value === null) throw new Error('a message about a link lacks what its kind has');
  return value;
}
