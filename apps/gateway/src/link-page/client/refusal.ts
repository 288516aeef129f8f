/** Why a link is over. */
export type EndState = 'consumed' | 'revoked' | 'expired' | 'suspended';
export type VerificationMethod = 'email' | 'sms';

/** The facts that refusals of links bring along (libs/contracts, open-link.ts). */
interface Details {
  readonly state?: EndState;
  readonly verification?: { readonly methods?: readonly VerificationMethod[] };
}

/** An answer that is not what was asked for, or none. */
export class Refusal extends Error {
  constructor(
    /** Of HTTP; 0 where there was no answer. */
    readonly status: number,
    readonly details: Details = {},
    readonly retryAfterSeconds?: number,
    /** Whether the link may have been opened nonetheless. */
    readonly mayHaveOpened = false,
  ) {
    super(`refused with ${status}`);
  }

  /** Of an answer that is a success without a content, the status is that of no answer. */
  static of(response: Response, answer: unknown): Refusal {
    const { error } = (answer ?? {}) as { error?: { details?: Details } };
    const retryAfter = Number(response.headers.get('Retry-After') ?? NaN);
    return new Refusal(response.ok ? 0 : response.status, error?.details ?? {}, retryAfter || undefined);
  }

  /** The same, of a request that opens: whoever gave no clear answer may have opened. */
  afterOpening(): Refusal {
    const isUnclear = this.status === 0 || this.status >= 500;
    return new Refusal(this.status, this.details, this.retryAfterSeconds, isUnclear);
  }
}
