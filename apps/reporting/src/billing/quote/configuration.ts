import type { BilledItem } from '@vaultsvc/contracts/reporting';
import type { Plan } from '../../pool/plans.js';
import type { PlanLimits } from '../../settings/plan-table.js';

/** What an account subscribes to. */
export interface Configuration {
  readonly plan: string;
  /** Seats in addition to those of the plan. */
  readonly seats: number;
  readonly storageBlocks: number;
  readonly bandwidthBlocks: number;
}

/** An item of a configuration that costs something. */
export interface PricedItem {
  readonly item: BilledItem;
  readonly plan: string;
  readonly quantity: number;
  /** Minor units for one, for a whole period. */
  readonly unitAmount: number;
}

/** Looks up a configured plan. */
export type PlanLookup = (name: string) => Plan;

/** The items of a configuration, in the order of an invoice, without those that are free. */
export function itemsOf(configuration: Configuration, planNamed: PlanLookup): PricedItem[] {
  const { plan, seats, storageBlocks, bandwidthBlocks } = configuration;
  const { prices } = planNamed(plan);
  const items: PricedItem[] = [
    { item: 'plan', plan, quantity: 1, unitAmount: prices.plan },
    { item: 'seat', plan, quantity: seats, unitAmount: prices.seat },
    { item: 'storage_block', plan, quantity: storageBlocks, unitAmount: prices.storageBlock },
    { item: 'bandwidth_block', plan, quantity: bandwidthBlocks, unitAmount: prices.bandwidthBlock },
  ];
  return items.filter(({ quantity, unitAmount }) => quantity * unitAmount > 0);
}

/** The price of a configuration for a whole period, in minor units. */
export function priceOf(configuration: Configuration, planNamed: PlanLookup): number {
  return itemsOf(configuration, planNamed).reduce(
    (sum, { quantity, unitAmount }) => sum + quantity * unitAmount,
    0,
  );
}

/** The limits of the pools that a configuration gives. */
export function allowanceOf(configuration: Configuration, planNamed: PlanLookup): PlanLimits {
  const { storageBytes, bandwidthBytes, identitySeats, blocks } = planNamed(configuration.plan);
  return {
    storageBytes: storageBytes + configuration.storageBlocks * blocks.storageBlockBytes,
    bandwidthBytes: bandwidthBytes + configuration.bandwidthBlocks * blocks.bandwidthBlockBytes,
    identitySeats: identitySeats + configuration.seats,
  };
}
