import type { MailPreferences } from './mail-link.js';

/** Sends a change, and shows what the server stored. False if it did not get through. */
export type Save = (change: () => Promise<MailPreferences>, done: string) => Promise<boolean>;

/** A part of the page that shows the preferences, again after each change: the focus stays where it is. */
export interface PreferencesPart {
  readonly element: HTMLElement;
  update(preferences: MailPreferences): void;
}
