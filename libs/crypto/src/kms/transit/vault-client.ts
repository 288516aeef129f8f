import { malformedAnswer, ProviderFailure, type FailureKind } from '../provider/provider.js';

/** An answer of the API: its data, the token of a login, and the id by which the audit log of the server identifies it. */
export interface VaultAnswer {
  readonly request_id?: unknown;
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly auth?: { readonly client_token?: unknown; readonly lease_duration?: unknown } | null;
}

/** The server answered with an error. */
export class VaultRefusal extends Error {
  override readonly name = 'VaultRefusal';

  /** `messages`: of the server; they are compared with known ones and never shown. */
  constructor(
    readonly status: number,
    readonly messages: readonly string[],
  ) {
    super(`Vault answered ${status}`);
  }
}

/** 412: a replica is behind; 429: a quota, or a standby; 5xx: sealed, in maintenance, or broken. */
const TRANSIENT = new Set([412, 429, 472, 473, 500, 502, 503, 504]);

/** The failure that a refusal is, unless the caller knows better. */
export function failureOf({ status }: VaultRefusal): ProviderFailure {
  const kind: FailureKind = TRANSIENT.has(status) ? 'transient' : 'final';
  return new ProviderFailure(kind, `Http${status}`);
}

/** The HTTP API of Vault and OpenBao, version 1. */
export class VaultClient {
  readonly #headers: Readonly<Record<string, string>>;

  /** @param namespace empty: none */
  constructor(
    private readonly url: string,
    namespace: string,
  ) {
    // Vault asks clients for X-Vault-Request, against forged requests of browsers.
    this.#headers = {
      'content-type': 'application/json',
      'x-vault-request': 'true',
      ...(namespace && { 'x-vault-namespace': namespace }),
    };
  }

  /**
   * Throws `VaultRefusal` for an answer of the server, and the error of fetch without one.
   * @param token empty for a login
   */
  async post(path: string, body: object, token: string, signal: AbortSignal): Promise<VaultAnswer> {
    const response = await fetch(`${this.url}/v1/${path}`, {
      method: 'POST',
      headers: { ...this.#headers, ...(token && { 'x-vault-token': token }) },
      body: JSON.stringify(body),
      redirect: 'error', // a token is not sent to another server
      signal,
    });
    const answer = parse(await response.text());
    if (!response.ok) throw new VaultRefusal(response.status, messagesOf(answer));
    if (!answer) throw malformedAnswer();
    return answer;
  }
}

function parse(text: string): VaultAnswer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined; // a proxy in between answers HTML
  }
}

function messagesOf(answer: VaultAnswer | undefined): readonly string[] {
  const { errors } = (answer ?? {}) as { errors?: unknown };
  return Array.isArray(errors) ? errors.map(String) : [];
}
