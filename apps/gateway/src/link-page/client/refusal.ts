/** Why a link is over. */
export type EndState = 'consumed' | 'revoked' | 'expired' | 'suspended';
export type VerificationMethod = 'email' | 'sms';

/** The facts that refusals of links bring along (libs/contracts, open-link.ts). */
interface Details {
  readonly state?: EndState;
  /** Epoch seconds until which there are no more codes. */
  readonly resets_at?: number;
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
    super();
  }

  /** Of an answer that is a success without a content, the status is that of no answer. */
  static of(response: Response, answer: unknown): Refusal {
    const { error } = (answer ?? {}) as { error?: { details?: Details } };
    const { details = {} } = error ?? {};
    return new Refusal(response.ok ? 0 : response.status, details, waitOf(response, details));
  }

  /** Nothing was done, and in a second it may be: the limiter could not count, or its minute ends. */
  get isMomentary(): boolean {
    return this.status === 429 && this.retryAfterSeconds === 1;
  }

  /** The same, of a request that opens: whoever gave no clear answer may have opened. */
  afterOpening(): Refusal {
    const isUnclear = this.status === 0 || this.status >= 500;
    return new Refusal(this.status, this.details, this.retryAfterSeconds, isUnclear);
  }
}

/** Seconds until another try makes sense, where that is said. A visitor's clock may be wrong by any time. */
function waitOf({ headers }: Response, { resets_at: end = 0 }: Details): number | undefined {
  const seconds = Number(headers.get('Retry-After')) || end - Math.floor(Date.now() / 1_000);
  return seconds > 0 && seconds <= 3_600 ? seconds : undefined;
}
