import type { CallContext, Provider, ProviderContext, PublicOperation } from '@vaultsvc/contracts';

/** A request of a provider as received: nothing of it is verified. */
export interface ProviderRequest {
  readonly op: PublicOperation;
  /** The path parameters, valid by the contract. */
  readonly params: object | undefined;
  /** The body, byte for byte: signatures cover it. */
  readonly raw: Buffer;
  readonly context: ProviderContext;
}

/** A request that the handler carries out. */
export interface AdmittedRequest {
  /** What was verified, as `ContextOf` types it. */
  readonly context: CallContext;
  /** An instance of the body's class; undefined where the contract declares none. */
  readonly body?: object;
  /** Of a request that is accepted once: the record of it. */
  readonly delivery?: ProviderDelivery;
}

/** A request that is answered without its handler: it needs no action, or had its effect before. */
export interface Answered {
  readonly answer: object | undefined;
}

/** The record of a request that is accepted once. */
export interface ProviderDelivery {
  /** Its effect is complete, and it is accepted no more. @param reply what the provider is answered */
  finish(reply?: unknown): Promise<void>;
  /** It failed on our side: the provider may repeat it. */
  release(): Promise<void>;
}

/**
 * Verifies the requests of providers before any handler sees them: signature, time, single use, that parameters which identify
 * come once and from one place, connection and person; and counts each on its account. A service declares one as a provider of
 * its modules. It does not start while an operation has none (ADR 36).
 */
export abstract class ProviderGuard {
  abstract readonly providers: readonly Provider[];

  /**
   * @throws AppError AUTHENTICATION_ERROR for a request whose signature does not verify, which counts on its address;
   * VERIFIED_REQUEST_REFUSED for one that is refused although it does, which shows the same and does not (OPEN-10)
   */
  abstract admit(request: ProviderRequest): Promise<AdmittedRequest | Answered>;
}
