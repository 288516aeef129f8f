import { Injectable } from '@nestjs/common';
import type { BlockSizes, PlanLimits, Prices } from '../settings/plan-table.js';
import { ReportingConfig } from '../config.js';

/** A plan: its limits, and what it and its additions cost. */
export interface Plan extends PlanLimits {
  readonly prices: Prices;
  readonly blocks: BlockSizes;
}

/** The plan table (OPEN-04). A new account has the default plan. */
@Injectable()
export class Plans {
  readonly #plans: ReadonlyMap<string, Plan>;

  constructor(config: ReportingConfig) {
    const ofDefault: PlanLimits = {
      storageBytes: config.STORAGE_POOL_BYTES,
      bandwidthBytes: config.BANDWIDTH_POOL_BYTES,
      identitySeats: config.IDENTITY_POOL_SEATS,
    };
    this.#plans = new Map(
      [...config.PLANS].map(([name, { limits = ofDefault, prices, blocks }]) => [
        name,
        { ...limits, prices, blocks },
      ]),
    );
  }

  /** Bytes of storage by the name of the plan, for a statement that compares with the plan of its row. */
  storageBytes(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#plans].map(([name, { storageBytes }]) => [name, storageBytes]));
  }

  /** Undefined when the plan is not configured. */
  find(name: string): Plan | undefined {
    return this.#plans.get(name);
  }

  /** @throws when the plan is not configured */
  named(name: string): Plan {
    const plan = this.#plans.get(name);
    if (!plan) throw new Error(`there is no plan "${name}" in the configuration`);
    return plan;
  }
}
