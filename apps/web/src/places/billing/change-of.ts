import type { Schema } from '@vaultsvc/client';

export type ChangedItem = 'plan' | 'seats' | 'storage_blocks' | 'bandwidth_blocks';

/** The most of each that the API sells. */
export const countMax = { seats: 10_000, storage_blocks: 1_000, bandwidth_blocks: 1_000 } as const;

const PLAN_NAME = /^[a-z][a-z0-9-]{0,39}$/;

/** The change that a typed text stands for; undefined for one that is no name of a plan, or no count. */
export function changeOf(item: ChangedItem, text: string): Schema<'Adjustment'> | undefined {
  const typed = text.trim();
  if (item === 'plan') return PLAN_NAME.test(typed) ? { plan: typed } : undefined;
  const count = /^\d{1,5}$/.test(typed) ? Number(typed) : undefined;
  return count === undefined || count > countMax[item] ? undefined : { [item]: count };
}
