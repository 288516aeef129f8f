import { setTimeout as delay } from 'node:timers/promises';
import { Tampered, type Kms } from '@vaultsvc/crypto/kms';
import type { WrappedKey, WrappedTable } from './wrapped-table.js';

/** How a table is moved. */
export interface RewrapPace {
  /** Rows of one read, after which the progress is reported. */
  readonly batch: number;
  /** Most keys that are moved in a second: the quota of key management is that of the running services, too. */
  readonly perSecond: number;
}

/** The state of a table. */
export interface RewrapReport {
  readonly table: string;
  /** Keys that were examined in the last pass. */
  readonly keys: number;
  /** Keys that were wrapped again. */
  readonly moved: number;
  /** Keys that still need the former key, or an older version. */
  readonly left: number;
  /** Ids of keys that neither key opens. They are among those left. */
  readonly unreadable: readonly string[];
}

type KeyState = 'current' | 'moved' | 'left' | 'unreadable';

const CONCURRENCY = 8;

/**
 * Wraps all keys of a table with the key of this service, pass by pass until one finds nothing to move: instances that were not
 * restarted yet may have wrapped some with the former key meanwhile. Each row is one statement, so the program can be stopped and
 * started at any time, twice at once, too. Running services notice nothing: they read both.
 * @param onBatch the progress within a pass
 * @throws KmsUnavailable; what was moved stays moved
 */
export async function rewrapTable(
  table: WrappedTable,
  kms: Kms,
  pace: RewrapPace,
  onBatch: (examined: number, moved: number) => void = () => undefined,
): Promise<RewrapReport> {
  let moved = 0;
  for (;;) {
    const pass = await passOver(table, pace, (key) => moveKey(table, kms, key), onBatch);
    moved += pass.moved;
    if (pass.moved === 0) return { ...pass, moved };
  }
}

/** Counts what a move would have to do, and changes nothing. */
export function examineTable(table: WrappedTable, kms: Kms, pace: RewrapPace): Promise<RewrapReport> {
  return passOver(table, pace, async ({ wrapped, context }) =>
    (await kms.isCurrent(wrapped, context)) ? 'current' : 'left',
  );
}

async function moveKey(table: WrappedTable, kms: Kms, key: WrappedKey): Promise<KeyState> {
  const rewrapped = await kms.rewrap(key.wrapped, key.context);
  if (!rewrapped) return 'current';
  // A row that somebody else has changed is examined by the next pass.
  await table.replace(key, rewrapped);
  return 'moved';
}

async function passOver(
  table: WrappedTable,
  { batch, perSecond }: RewrapPace,
  examine: (key: WrappedKey) => Promise<KeyState>,
  onBatch: (examined: number, moved: number) => void = () => undefined,
): Promise<RewrapReport> {
  const counts = { current: 0, moved: 0, left: 0, unreadable: 0 };
  const unreadable: string[] = [];
  let keys = 0;
  let last: readonly string[] | undefined;
  for (;;) {
    const rows = await table.readAfter(last, batch);
    for (let at = 0; at < rows.length; at += CONCURRENCY) {
      const slice = rows.slice(at, at + CONCURRENCY);
      const states = await Promise.all(slice.map((key) => stateOf(key, examine)));
      for (const [index, state] of states.entries()) {
        counts[state] += 1;
        if (state === 'unreadable') unreadable.push(slice[index]?.id.join('/') ?? '');
      }
      if (states.includes('moved')) await delay((slice.length * 1_000) / perSecond);
    }
    keys += rows.length;
    last = rows.at(-1)?.id;
    onBatch(keys, counts.moved);
    if (rows.length < batch)
      return {
        table: table.name,
        keys,
        moved: counts.moved,
        left: counts.left + counts.unreadable,
        unreadable,
      };
  }
}

async function stateOf(key: WrappedKey, examine: (key: WrappedKey) => Promise<KeyState>): Promise<KeyState> {
  try {
    return await examine(key);
  } catch (error) {
    if (error instanceof Tampered) return 'unreadable';
    throw error;
  }
}
