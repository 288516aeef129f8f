import type { Schema } from '@vaultsvc/client';
import { keep } from '../../../api/kept.js';
import type { Step } from '../shared/step.js';

export type Policy = Required<NonNullable<Schema<'NewSend'>['policy']>>;

/** Somebody who gets the notification; colleagues are shown by name. */
export interface Recipient {
  readonly address: string;
  readonly name: string | undefined;
}

export interface Draft {
  readonly recipients: readonly Recipient[];
  /** In the field, not added yet. */
  readonly typed: string;
  readonly title: string;
  readonly content: string;
  readonly lifetime: string;
  readonly level: Policy['verification_level'];
  readonly interaction: Policy['interaction'];
  readonly category: string;
  /** Whether channels and steps are those of the configuration. */
  readonly isByDefault: boolean;
  readonly steps: readonly Step[];
  readonly isPreviewed: boolean;
  /** The idempotency key: the same until the draft is edited, so that a second press sends nothing twice. */
  readonly sendId: string;
}

const newSendId = () => `web-${crypto.randomUUID()}`;

const none: Draft = {
  recipients: [],
  typed: '',
  title: '',
  content: '',
  lifetime: '1440',
  level: 'none',
  interaction: 'view',
  category: '',
  isByDefault: true,
  steps: [{ channel: 'email', after: '3600' }],
  isPreviewed: false,
  sendId: '',
};

/** Kept while the session lasts, in memory alone. */
export const draftStore = keep<Draft>(none, {
  isUnsaved: ({ content, title, recipients }) => content !== '' || title !== '' || recipients.length > 0,
});

/** A change of what is sent: the next press sends another notification. */
export function edit(change: Partial<Omit<Draft, 'sendId' | 'isPreviewed'>>): void {
  draftStore.update({ ...change, sendId: newSendId() });
}

export const showPreview = (isPreviewed: boolean): void => draftStore.update({ isPreviewed });

export const forgetDraft = (): void => draftStore.set(none);
