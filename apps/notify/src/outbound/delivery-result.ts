/** The result of an attempt that no provider refused. */
export type DeliveryResult =
  | { readonly kind: 'sent'; readonly providerId?: string | null }
  /** Nothing was sent, and nothing will be. `reason`: a code for the report. */
  | { readonly kind: 'obsolete'; readonly reason?: string }
  /** The recipient has no address for this channel. */
  | { readonly kind: 'unreachable'; readonly reason: string }
  /** The account has no endpoint for this channel. */
  | { readonly kind: 'unconfigured'; readonly reason: string }
  /** Quiet hours of the recipient. */
  | { readonly kind: 'postponed'; readonly seconds: number };

export const sent: DeliveryResult = { kind: 'sent' };
export const obsolete: DeliveryResult = { kind: 'obsolete' };
