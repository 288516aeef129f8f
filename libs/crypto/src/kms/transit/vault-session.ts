import { readFile } from 'node:fs/promises';
import { codeOf, malformedAnswer, ProviderFailure } from '../provider/provider.js';
import type { TransitSettings } from '../provider/settings.js';
import { failureOf, VaultClient, VaultRefusal, type VaultAnswer } from './vault-client.js';

/** A token is used for two thirds of its life: time for several logins before it ends. */
const USED_OF_LIFETIME = 2 / 3;
/** An agent replaces the file of a token when it likes. */
const TOKEN_FILE_MS = 60_000;

interface Token {
  readonly value: string;
  /** On the monotonic clock. */
  readonly usedUntilMs: number;
}

/** The token of this service at Vault: given, or of a login by AppRole or by the service account of Kubernetes. */
export class VaultSession {
  #token: Token | undefined;
  #login: Promise<Token> | undefined;

  constructor(
    private readonly client: VaultClient,
    private readonly settings: TransitSettings,
  ) {}

  /** A token that is valid, as far as this process knows. Throws `ProviderFailure`. */
  async token(signal: AbortSignal): Promise<string> {
    const token = this.#token;
    if (token && performance.now() < token.usedUntilMs) return token.value;
    this.#login ??= this.#logIn(signal).finally(() => (this.#login = undefined));
    return (this.#token = await this.#login).value;
  }

  /** After the server has refused the token: it ended early, or was revoked. */
  forget(value: string): void {
    if (this.#token?.value === value) this.#token = undefined;
  }

  async #logIn(signal: AbortSignal): Promise<Token> {
    const secret = await this.#secret();
    if (this.settings.auth === 'token')
      return tokenFor(secret, this.settings.secretFile ? TOKEN_FILE_MS : Infinity);
    const { authMount, role } = this.settings;
    const body =
      this.settings.auth === 'approle' ? { role_id: role, secret_id: secret } : { role, jwt: secret };
    const answer = await this.client.post(`auth/${authMount}/login`, body, '', signal).catch(refuseLogin);
    return tokenOf(answer);
  }

  /** Read each time: Kubernetes and agents renew the file. */
  async #secret(): Promise<string> {
    const { secret, secretFile } = this.settings;
    if (!secretFile) return secret.reveal();
    try {
      return (await readFile(secretFile, 'utf8')).trim();
    } catch (error) {
      throw new ProviderFailure('transient', codeOf(error));
    }
  }
}

function tokenFor(value: string, lifetimeMs: number): Token {
  return { value, usedUntilMs: performance.now() + lifetimeMs };
}

function tokenOf({ auth }: VaultAnswer): Token {
  const { client_token: value, lease_duration: seconds } = auth ?? {};
  if (typeof value !== 'string' || value === '' || typeof seconds !== 'number') throw malformedAnswer();
  // Vault says 0 for a token that does not end.
  return tokenFor(value, seconds === 0 ? Infinity : seconds * 1_000 * USED_OF_LIFETIME);
}

/** A 400 or 403 of a login is a wrong role, secret id or JWT. */
function refuseLogin(error: unknown): never {
  if (!(error instanceof VaultRefusal)) throw error;
  const { kind } = failureOf(error);
  throw new ProviderFailure(kind, kind === 'final' ? 'LoginRefused' : `Http${error.status}`);
}
