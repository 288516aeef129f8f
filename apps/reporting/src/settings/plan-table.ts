import type { Parser } from '@vaultsvc/config';
import { PLAN_NAME } from '@vaultsvc/contracts/reporting';

const GIB = 1024 ** 3;

/** The plan of new accounts. Its limits are the settings STORAGE_POOL_BYTES, BANDWIDTH_POOL_BYTES and IDENTITY_POOL_SEATS. */
export const DEFAULT_PLAN = 'default';

/** Prices in minor units of the currency, for a period of 30 days. */
export interface Prices {
  readonly plan: number;
  readonly seat: number;
  readonly storageBlock: number;
  readonly bandwidthBlock: number;
}

/** Bytes of one block. */
export interface BlockSizes {
  readonly storageBlockBytes: number;
  readonly bandwidthBlockBytes: number;
}

/** The limits of a plan. Bandwidth is per cycle of 30 days; the identity pool counts users (MISC-06). */
export interface PlanLimits {
  readonly storageBytes: number;
  readonly bandwidthBytes: number;
  readonly identitySeats: number;
}

/** A plan of the table; the default plan has its limits elsewhere. */
export interface PlanEntry {
  readonly prices: Prices;
  readonly blocks: BlockSizes;
  readonly limits: PlanLimits | undefined;
}

/** Plans by name. */
export type PlanTable = ReadonlyMap<string, PlanEntry>;

const blocks: BlockSizes = { storageBlockBytes: 100 * GIB, bandwidthBlockBytes: 100 * GIB };

export const defaultPlans: PlanTable = new Map<string, PlanEntry>([
  [
    DEFAULT_PLAN,
    { prices: { plan: 0, seat: 500, storageBlock: 1_000, bandwidthBlock: 1_000 }, blocks, limits: undefined },
  ],
  [
    'team',
    {
      prices: { plan: 4_900, seat: 400, storageBlock: 800, bandwidthBlock: 800 },
      blocks,
      limits: { storageBytes: 1_024 * GIB, bandwidthBytes: 2_048 * GIB, identitySeats: 15 },
    },
  ],
  [
    'business',
    {
      prices: { plan: 19_900, seat: 300, storageBlock: 600, bandwidthBlock: 600 },
      blocks,
      limits: { storageBytes: 10_240 * GIB, bandwidthBytes: 20_480 * GIB, identitySeats: 75 },
    },
  ],
]);

/** Keeps sums of 1,000 blocks and prices of 10,000 seats within the safe integers. */
const PRICE_MAX = 100_000_000;
const BLOCK_BYTES_MAX = 1_024 * GIB;
const LIMIT_BYTES_MAX = 1_024 ** 5;
const SEATS_OF_PLAN_MAX = 1_000_000;

/** Parses the setting PLANS: a JSON object with an entry per plan, `default` among them. */
export const planTable: Parser<PlanTable> = (text) => {
  const table = new Map(
    Object.entries(recordOf(parse(text))).map(([name, entry]) => [name, readEntry(name, entry)]),
  );
  if (!table.has(DEFAULT_PLAN)) throw new Error('must have an entry "default"');
  return table;
};

function readEntry(name: string, value: unknown): PlanEntry {
  if (!PLAN_NAME.test(name))
    throw new Error('must have names of at most 40 lower-case letters, digits and -');
  const entry = recordOf(value);
  const has = new Set(Object.keys(entry));
  const read = (field: string, max: number) => {
    has.delete(field);
    return integerOf(entry[field], `${name}.${field}`, max);
  };
  const plan: PlanEntry = {
    prices: {
      plan: read('price', PRICE_MAX),
      seat: read('seat_price', PRICE_MAX),
      storageBlock: read('storage_block_price', PRICE_MAX),
      bandwidthBlock: read('bandwidth_block_price', PRICE_MAX),
    },
    blocks: {
      storageBlockBytes: read('storage_block_bytes', BLOCK_BYTES_MAX),
      bandwidthBlockBytes: read('bandwidth_block_bytes', BLOCK_BYTES_MAX),
    },
    limits:
      name === DEFAULT_PLAN
        ? undefined
        : {
            storageBytes: read('storage_bytes', LIMIT_BYTES_MAX),
            bandwidthBytes: read('bandwidth_bytes', LIMIT_BYTES_MAX),
            identitySeats: read('seats', SEATS_OF_PLAN_MAX),
          },
  };
  if (has.size > 0) throw new Error(`must not have ${name}.${[...has].join(`, ${name}.`)}`);
  return plan;
}

function integerOf(value: unknown, field: string, max: number): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= max)
    return value as number;
  throw new Error(`must have an integer from 0 to ${max} in ${field}`);
}

function recordOf(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new Error('must be a JSON object with an object for each plan');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('must be JSON');
  }
}
