/** The result of an attempt that no provider refused. */
export type DeliveryResult =
  | { readonly kind: 'sent'; readonly providerId?: string | null }
  /** Nothing was sent, and nothing will be. `reason`: a code for the report. */
  | { readonly kind: 'obsolete'; readonly reason?: string }
  /** The recipient has no address for this channel. */
  | { readonly kind: 'unreachable'; readonly reason: string }
  /** The account has no endpoint for this channel. */
  | { readonly kind: 'unconfigured'; readonly reason: string }
  /** Quiet hours of the recipient, or a target that does not answer: all messages of the account to it wait then. */
  | { readonly kind: 'postponed'; readonly seconds: number; readonly isAccountWide?: boolean };

export const sent: DeliveryResult = { kind: 'sent' };
export const obsolete: DeliveryResult = { kind: 'obsolete' };
