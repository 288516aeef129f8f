import { membersOf, sendOutbound } from '@vaultsvc/http';
import { importPKCS8, SignJWT } from 'jose';
import type { ServiceAccount } from '../../settings/service-account.js';

const SCOPE = 'https://www.googleapis.com/auth/androidpublisher';
const ASSERTION_SECONDS = 300;
/** Before the token expires: a request still has time. */
const MARGIN_MS = 60_000;

/** Access tokens of a service account (RFC 7523). One is used until it expires; concurrent callers request it once. */
export class GoogleAccess {
  #token: Promise<string> | undefined;
  #usableUntilMs = 0;

  constructor(
    private readonly account: ServiceAccount,
    private readonly tokenUrl: string,
    private readonly timeoutMs: number,
  ) {}

  token(): Promise<string> {
    if (!this.#token || Date.now() > this.#usableUntilMs) {
      this.#usableUntilMs = Infinity;
      this.#token = this.#request().catch((error: unknown) => {
        this.#token = undefined;
        throw error;
      });
    }
    return this.#token;
  }

  async #request(): Promise<string> {
    const assertion = await this.#assertion();
    const reply = await sendOutbound({
      url: new URL(this.tokenUrl),
      form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion },
      timeoutMs: this.timeoutMs,
    });
    if (reply.status !== 200) throw new Error(`Google answered ${reply.status} to the request for a token`);
    const { access_token: token, expires_in: seconds } = membersOf(reply);
    if (typeof token !== 'string' || typeof seconds !== 'number')
      throw new Error('the response of Google has no token');
    this.#usableUntilMs = Date.now() + seconds * 1_000 - MARGIN_MS;
    return token;
  }

  async #assertion(): Promise<string> {
    const key = await importPKCS8(this.account.private_key, 'RS256');
    return new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(this.account.client_email)
      .setAudience(this.tokenUrl)
      .setIssuedAt()
      .setExpirationTime(`${ASSERTION_SECONDS}s`)
      .sign(key);
  }
}
