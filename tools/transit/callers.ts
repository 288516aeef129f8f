import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { Grant } from '../kms/grants.ts';
import { permissionDenied, VaultError } from './vault-error.ts';

export interface Caller extends Grant {
  /** The secret id of AppRole, and what stands for a JWT of Kubernetes. */
  secret: string;
}

/** The tokens of callers, who log in by role and secret: `{ "<role>": { secret, keys, random } }` in a file of mode 0600. */
export class Callers {
  readonly #callers: ReadonlyMap<string, Caller>;
  readonly #tokens = new Map<string, string>();
  readonly #leaseSeconds: number;
  /** Since the start. */
  logins = 0;

  /** @throws when other users may read the file, or it is not JSON */
  constructor(file: string, leaseSeconds: number) {
    if ((statSync(file).mode & 0o077) !== 0)
      throw new Error(`${file} is readable by other users: chmod 600 it`);
    this.#callers = new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8'))));
    this.#leaseSeconds = leaseSeconds;
  }

  /**
   * @param role of AppRole or Kubernetes
   * @throws VaultError
   */
  logIn(role: unknown, secret: unknown) {
    const caller = typeof role === 'string' ? this.#callers.get(role) : undefined;
    if (!caller || typeof secret !== 'string' || !isEqual(caller.secret, secret))
      throw new VaultError(400, 'invalid role or secret ID');
    this.logins += 1;
    const token = `hvs.${randomBytes(24).toString('base64url')}`;
    this.#tokens.set(token, role as string);
    return { client_token: token, lease_duration: this.#leaseSeconds, renewable: true, policies: [role] };
  }

  /**
   * @param token of a login, or `<role>.<secret>`: one that does not end
   * @throws VaultError
   */
  of(token: unknown): Caller {
    const text = typeof token === 'string' ? token : '';
    const [role = '', secret = ''] = text.split('.');
    const given = this.#callers.get(role);
    const caller =
      given && isEqual(given.secret, secret) ? given : this.#callers.get(this.#tokens.get(text) ?? '');
    if (!caller) throw permissionDenied();
    return caller;
  }

  /** Ends the tokens of all logins. */
  revoke() {
    this.#tokens.clear();
  }
}

function isEqual(one: string, other: string) {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
