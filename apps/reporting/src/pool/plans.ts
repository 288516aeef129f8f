import { Injectable } from '@nestjs/common';
import { ReportingConfig } from '../config.js';

/** The limits of a plan. Bandwidth is per cycle of 30 days; the identity pool counts users (MISC-06). */
export interface Plan {
  readonly storageBytes: number;
  readonly bandwidthBytes: number;
  readonly identitySeats: number;
}

/** The plan table (OPEN-04). A new account has the default plan. */
@Injectable()
export class Plans {
  readonly #plans: ReadonlyMap<string, Plan>;

  constructor(config: ReportingConfig) {
    const standard: Plan = {
      storageBytes: config.STORAGE_POOL_BYTES,
      bandwidthBytes: config.BANDWIDTH_POOL_BYTES,
      identitySeats: config.IDENTITY_POOL_SEATS,
    };
    this.#plans = new Map([['default', standard]]);
  }

  /** Bytes of storage by the name of the plan, for a statement that compares with the plan of its row. */
  storageBytes(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#plans].map(([name, { storageBytes }]) => [name, storageBytes]));
  }

  /** @throws when the plan is not configured */
  named(name: string): Plan {
    const plan = this.#plans.get(name);
    if (!plan) throw new Error(`there is no plan "${name}" in the configuration`);
    return plan;
  }
}
