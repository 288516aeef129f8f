import { billingTexts as texts } from '../../texts/billing.js';

/** Leads to a page of the payment provider, which leads back. Our page never sees numbers of cards. */
export function leaveFor(url: string): void {
  if (new URL(url).protocol !== 'https:') throw new ProviderPageRefused(texts.badPage);
  location.assign(url);
}

export class ProviderPageRefused extends Error {}
