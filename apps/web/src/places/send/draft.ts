import { keep } from '../../api/kept.js';

export const kinds = ['text', 'link', 'file'] as const;
export type Kind = (typeof kinds)[number];
export const audiences = ['public', 'authenticated', 'invite_only'] as const;
export type Audience = (typeof audiences)[number];

/** Lifetimes of a Spark that are offered, in minutes; 24 hours are its maximum. */
export const lifetimes = ['1440', '240', '60', '15', '5'] as const;
export type Lifetime = (typeof lifetimes)[number];

/** The form as the person has filled it in; nothing is trimmed. */
export interface Draft {
  readonly kind: Kind;
  readonly text: string;
  readonly address: string;
  readonly file: File | undefined;
  readonly lifetime: Lifetime;
  readonly audience: Audience;
  readonly recipient: string;
  readonly boundIp: string;
  /** The link of the last secret that was sent, until another one is begun. */
  readonly result: SentLink | undefined;
}

/** A link that was created. */
export interface SentLink {
  readonly kind: Kind;
  readonly url: string;
  readonly expiresAt: number;
  /** The address that has received an invitation. */
  readonly recipient: string | undefined;
  /** Whether it was copied or shared, so that leaving the page loses nothing. */
  readonly isTaken: boolean;
}

const nothing = { text: '', address: '', file: undefined, recipient: '', boundIp: '' };

/** Kept while the session lasts: leaving the place, or an ended session, loses nothing. */
export const draftStore = keep<Draft>(
  { kind: 'text', lifetime: '1440', audience: 'public', result: undefined, ...nothing },
  { isUnsaved: ({ text, address, result }) => text !== '' || address !== '' || result?.isTaken === false },
);

/** Shows a link, and forgets the secret that it opens. */
export function showResult(result: SentLink): void {
  draftStore.update({ ...nothing, result });
}

/** Begins another secret, with the same choices. */
export function beginAnother(): void {
  draftStore.update({ ...nothing, result: undefined });
}
