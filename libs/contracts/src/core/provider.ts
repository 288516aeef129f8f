/** Those that send requests without a credential of this API. A `panel` is our page in a frame of a CRM. */
export type Provider = 'chatapp' | 'crma' | 'crmb' | 'panel' | 'stripe';

/** Every provider, with the headers, in lower case, that its signature is in or covers. */
export const providerHeaders: Readonly<Record<Provider, readonly string[]>> = {
  // Their own names are accepted, too (OPEN-38).
  chatapp: ['x-chat-signature', 'x-chat-request-timestamp', 'x-slack-signature', 'x-slack-request-timestamp'],
  crma: [
    'x-crma-signature-v3',
    'x-crma-request-timestamp',
    'x-hubspot-signature-v3',
    'x-hubspot-request-timestamp',
  ],
  /** The bearer is a session of the org (OPEN-38). */
  crmb: ['authorization'],
  /** The bearer is the ticket of its URL, then its token (OPEN-66). */
  panel: ['authorization'],
  stripe: ['stripe-signature'],
};
