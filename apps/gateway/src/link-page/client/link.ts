import type { LinkContent, LinkOpening, VerificationStarted, Verified } from '@vaultsvc/contracts/sparks';
import { Refusal } from './refusal.js';

const PATIENCE_MS = 30_000;
const TRIES_MAX = 5;

/** The link of this page. What proves the visitor lives here and dies with the page. */
export class Link {
  #verificationToken: string | undefined;
  readonly #path = location.pathname;

  /** Says what is behind the link; opens nothing. */
  describe(): Promise<LinkContent> {
    return this.#open({ describe: true });
  }

  /** Opens, and with it may use the link up: a failure that says nothing leaves it unclear whether it did. */
  async open(confirmed: boolean): Promise<LinkContent> {
    try {
      return await this.#open({ confirmed });
    } catch (error) {
      throw error instanceof Refusal ? error.afterOpening() : error;
    }
  }

  sendCode(identity: string): Promise<VerificationStarted> {
    return this.#post('verify/start', { identity });
  }

  /** Takes the code of an identity; from then on the link opens for it, for ten minutes. */
  async confirmCode(identity: string, code: string): Promise<void> {
    const { verification_token } = await this.#post<Verified>('verify/confirm', { identity, code });
    this.#verificationToken = verification_token;
  }

  #open(opening: Partial<LinkOpening>): Promise<LinkContent> {
    return this.#post('open', { ...opening, verification_token: this.#verificationToken });
  }

  async #post<T>(operation: string, body: object, tries = 1): Promise<T> {
    const response = await fetch(`${this.#path}/${operation}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch(() => Promise.reject(new Refusal(0)));
    // An answer that breaks off is no answer.
    const answer: unknown = await response.json().catch(() => undefined);
    if (response.ok && answer !== undefined) return answer as T;
    const refusal = Refusal.of(response, answer);
    if (!refusal.isMomentary || tries === TRIES_MAX) throw refusal;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return this.#post(operation, body, tries + 1);
  }
}
