import { claimsOf } from './accounts.mjs';

/** Who signed in on the page since this process began; the provider asks again when it issues tokens. */
export class People {
  /** @type {Map<string, import('./accounts.mjs').Claims>} */
  #bySubject = new Map();

  /**
   * @param {Record<string, unknown>} typed
   * @returns {string} the subject
   * @throws {import('./accounts.mjs').BadAccount}
   */
  remember(typed) {
    const claims = claimsOf(typed);
    this.#bySubject.set(claims.sub, claims);
    return claims.sub;
  }

  /** @param {string} sub */
  claims(sub) {
    return this.#bySubject.get(sub);
  }
}
