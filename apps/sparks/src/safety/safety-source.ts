import type { WarningReason } from '@vaultsvc/contracts/sparks';
import type { Destination } from './destination.js';

/** Somebody who may know something against a destination. */
export interface SafetySource {
  /** Undefined: nothing is known against it; `unchecked`: cannot say. Ends by itself when `signal` does. */
  check(destination: Destination, signal: AbortSignal): Promise<WarningReason | undefined>;
}
