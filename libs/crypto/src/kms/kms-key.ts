import { CircuitBreaker } from './circuit-breaker.js';
import { providerOf } from './provider/ciphertext-form.js';
import { loadProvider } from './load-provider.js';
import { ProviderFailure, type KmsProvider } from './provider/provider.js';
import { retryTransient } from './retry.js';
import type { KeySettings } from './provider/settings.js';

/** A single attempt. */
type Attempt<T> = (provider: KmsProvider, signal: AbortSignal) => Promise<T>;

/** A key of a provider, with timeouts, retries and a circuit breaker. */
export class KmsKey {
  #provider: Promise<KmsProvider> | undefined;
  readonly #breaker = new CircuitBreaker();

  constructor(
    private readonly settings: KeySettings,
    private readonly timeoutMs: number,
  ) {}

  /** Whether a ciphertext has the form of this provider. Another key of the same provider has it, too. */
  recognizes(wrapped: Buffer): boolean {
    return providerOf(wrapped) === this.settings.provider;
  }

  /** Throws `KmsUnavailable` or `Tampered`. */
  call<T>(attempt: Attempt<T>): Promise<T> {
    return retryTransient(this.#breaker, () => this.#attempt(attempt));
  }

  /** A later call opens it again. */
  close(): void {
    const provider = this.#provider;
    this.#provider = undefined;
    void provider?.then((loaded) => loaded.close());
  }

  async #attempt<T>(attempt: Attempt<T>): Promise<T> {
    const provider = await (this.#provider ??= loadProvider(this.settings));
    const signal = AbortSignal.timeout(this.timeoutMs);
    try {
      return await attempt(provider, signal);
    } catch (error) {
      // Clients name an aborted attempt in different ways.
      const isTimeout = signal.aborted && !(error instanceof ProviderFailure);
      throw isTimeout ? new ProviderFailure('transient', 'TimeoutError') : error;
    }
  }
}
