import type { LinkMessage } from '@vaultsvc/contracts/sparks';
import { prose, type Prose } from '../email/prose.js';

/** What the link leads to, in a word for people who know nothing of us. */
export function nounOf({ link_type: type }: LinkMessage): 'secret' | 'file' {
  return type === 'spark' ? 'secret' : 'file';
}

/** Who shares or sends what; `name` is that of the organization as it is shown, empty where there is nothing to show. */
export function headlineOf(message: LinkMessage, name: string): Prose {
  const noun = nounOf(message);
  if (message.kind === 'delivery')
    return name === '' ? prose`A ${noun} was sent to you` : prose`${name} has sent you a ${noun}`;
  return name === '' ? prose`A ${noun} was shared with you` : prose`${name} has shared a ${noun} with you`;
}

/** `10 minutes`; what is under way for a moment still reads as it was meant. */
export function minutesLeft({ expires_at: expiresAt }: LinkMessage, now: Date): string {
  const minutes = Math.max(1, Math.round((required(expiresAt) - now.getTime() / 1_000) / 60));
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** What messages of this kind always have. */
export function required<T>(value: T | null): T {
  if (value === null) throw new Error('a message about a link lacks what its kind has');
  return value;
}
