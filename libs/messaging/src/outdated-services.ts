import { Logger } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';

/** Something of the wire on which callers rely, and which instances of an older release ignore. */
export type WireFeature = 'idempotency';

/** How long calls that rely on a feature are refused after an instance was found without it; then one is tried again. */
const REFUSED_FOR_MS = 30_000;

/** A called service has an instance of a release without a feature that the call relies on. The caller gets INTERNAL_ERROR. */
export class ServiceOutdated extends Error {
  override readonly name = 'ServiceOutdated';

  constructor(
    readonly service: string,
    readonly feature: WireFeature,
  ) {
    super(
      `service ${service} has an instance without ${feature}: deploy its release before that of its callers`,
    );
  }
}

/**
 * The services that were found without a feature, by their replies. A reply to a call with an Idempotency-Key has a mark; without
 * it, its instance has carried out the call and remembers no key. The caller gets this one reply, since the effect stands, and its
 * repetitions are refused instead of having the effect again.
 */
export class OutdatedServices {
  readonly #logger = new Logger('bus');
  /** Until when, by `performance.now()`; empty, but for mistakes of a rollout. */
  readonly #refusedUntilMs = new Map<string, number>();

  /** @throws AppError INTERNAL_ERROR caused by ServiceOutdated */
  assertHas(service: string, feature: WireFeature): void {
    if (this.#refusedUntilMs.size === 0) return;
    const until = this.#refusedUntilMs.get(keyOf(service, feature));
    if (until === undefined) return;
    if (performance.now() > until) return void this.#refusedUntilMs.delete(keyOf(service, feature));
    throw new AppError('INTERNAL_ERROR', undefined, { cause: new ServiceOutdated(service, feature) });
  }

  /** A reply came from an instance without the feature. */
  found(service: string, feature: WireFeature): void {
    this.#refusedUntilMs.set(keyOf(service, feature), performance.now() + REFUSED_FOR_MS);
    this.#logger.error({
      msg: new ServiceOutdated(service, feature).message,
      calledService: service,
      feature,
    });
  }
}

function keyOf(service: string, feature: WireFeature): string {
  return `${service} ${feature}`;
}
