import type { LinkMessage } from '@vaultsvc/contracts/sparks';

/** What the link leads to, in a word for people who know nothing of us. */
export function nounOf({ link_type: type }: LinkMessage): 'secret' | 'file' {
  return type === 'spark' ? 'secret' : 'file';
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
