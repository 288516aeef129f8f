import type { InteractionReceipt } from '@vaultsvc/contracts/notify';
import type {
  InteractionAction,
  InteractionOffer,
  LinkContent,
  LinkOpening,
  PasskeyOptions,
  VerificationStarted,
  Verified,
} from '@vaultsvc/contracts/sparks';

const TIMEOUT_MS = 30_000;
const ATTEMPTS_MAX = 5;

/** The operations of this page's link. The verification token exists in memory only. */
export class LinkApi {
  #verificationToken: string | undefined;
  readonly #path = linkPathOf(location.pathname);

  /** Describes the content; opens nothing. */
  describe(): Promise<LinkContent> {
    return this.#open({ describe: true });
  }

  /** Opens the link, which may consume it. After an error without a clear response the outcome is unknown. */
  async open(confirmed: boolean): Promise<LinkContent> {
    try {
      return await this.#open({ confirmed });
    } catch (error) {
      throw error instanceof LinkError ? error.afterOpening() : error;
    }
  }

  sendCode(identity: string): Promise<VerificationStarted> {
    return this.#post('verify/start', { identity });
  }

  /** Verifies an identity by its code; for ten minutes the link then opens for it. */
  async confirmCode(identity: string, code: string): Promise<void> {
    const { verification_token } = await this.#post<Verified>('verify/confirm', { identity, code });
    this.#verificationToken = verification_token;
  }

  /** Options for a passkey; after a code, to enroll one if there is none. */
  startPasskey(isEnrolling: boolean): Promise<PasskeyOptions> {
    return this.#post('passkey/options', isEnrolling ? { verification_token: this.#verificationToken } : {});
  }

  /** Verifies the visitor by a passkey; for ten minutes the link then opens. */
  async verifyPasskey(response: object): Promise<void> {
    const { verification_token } = await this.#post<Verified>('passkey/verify', { response });
    this.#verificationToken = verification_token;
  }

  /** Records an action of the recipient; a repetition returns the first receipt. */
  interact(offer: InteractionOffer, action: InteractionAction, reply: string): Promise<InteractionReceipt> {
    const { interaction_token, action_hash } = offer;
    const extra = action === 'reply' ? { reply } : { action_hash };
    return this.#post('interact', { interaction_token, action, ...extra });
  }

  #open(opening: Partial<LinkOpening>): Promise<LinkContent> {
    return this.#post('open', { ...opening, verification_token: this.#verificationToken });
  }

  async #post<T>(operation: string, body: object, attempt = 1): Promise<T> {
    const response = await fetch(`${this.#path}/${operation}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => Promise.reject(new LinkError(0)));
    // A response that breaks off counts as none.
    const answer: unknown = await response.json().catch(() => undefined);
    if (response.ok && answer !== undefined) return answer as T;
    const error = LinkError.of(response, answer);
    if (!error.isRetryable || attempt === ATTEMPTS_MAX) throw error;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return this.#post(operation, body, attempt + 1);
  }
}

/** Without a trailing slash, and without the punctuation that mail programs append to links; codes are letters and digits. */
function linkPathOf(path: string): string {
  return path.replace(/(%..|[^0-9a-z])+$/i, '');
}

/** Why a link no longer opens. */
export type EndState = 'consumed' | 'revoked' | 'expired' | 'suspended';
export type CodeMethod = 'email' | 'sms';
/** The ways to verify an identity: codes, or a passkey that can be enrolled after a code. */
export type Verification =
  | { readonly methods: readonly CodeMethod[]; readonly enrollment?: undefined }
  | { readonly methods: readonly ['passkey']; readonly enrollment: readonly CodeMethod[] };

/** Details of the errors of links (libs/contracts, link-opening.ts). */
interface Details {
  readonly state?: EndState;
  /** Epoch seconds until which no more codes are sent. */
  readonly resets_at?: number;
  readonly verification?: Verification;
  /** Distinguishes errors of the same status. */
  readonly code?: 'LINK_SECOND_PERSON_REQUIRED';
}

/** An error response, or no response. */
export class LinkError extends Error {
  constructor(
    /** The HTTP status; 0 without a response, -1 where a proxy or a network's sign-in page answered. */
    readonly status: number,
    readonly details: Details = {},
    readonly retryAfterSeconds?: number,
    /** Whether the link may have been opened nonetheless. */
    readonly mayHaveOpened = false,
  ) {
    super();
  }

  /** Of a response; a success without content counts as no response. */
  static of(response: Response, answer: unknown): LinkError {
    const { error } = (answer ?? {}) as { error?: { details?: Details } };
    const { details = {} } = error ?? {};
    const isForeign =
      response.status < 500 &&
      !error &&
      (answer !== undefined || !response.headers.get('Content-Type')?.includes('json'));
    const status = isForeign ? -1 : response.ok ? 0 : response.status;
    return new LinkError(status, details, retryAfterOf(response, details));
  }

  /** Whether to retry after a second: the limiter could not count, or its minute is about to end. */
  get isRetryable(): boolean {
    return this.status === 429 && this.retryAfterSeconds === 1;
  }

  /**
   * The same error of a request to open the link: without a clear response the link may have been opened. A proxy may have
   * refused the response only.
   */
  afterOpening(): LinkError {
    const isUnclear = this.status <= 0 || this.status >= 500;
    return new LinkError(this.status, this.details, this.retryAfterSeconds, isUnclear);
  }
}

/** Seconds until a retry makes sense, at most an hour. The visitor's clock may be wrong, so other values are ignored. */
function retryAfterOf({ headers }: Response, { resets_at: end = 0 }: Details): number | undefined {
  const seconds = Number(headers.get('Retry-After')) || end - Math.floor(Date.now() / 1_000);
  return seconds > 0 && seconds <= 3_600 ? seconds : undefined;
}
