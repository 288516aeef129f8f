import { keep } from '../../api/kept.js';
import { ApiError, type Schema } from '@vaultsvc/client';

/** The record that a check has looked up, and the values that it found. */
export interface Finding {
  readonly lookedUp: string;
  readonly expected: string;
  readonly found: string;
}

interface Draft {
  readonly domain: string;
  /** The record to publish, once the domain was entered. */
  readonly record: Schema<'DomainChallenge'> | undefined;
  readonly finding: Finding | undefined;
}

const none: Draft = { domain: '', record: undefined, finding: undefined };

/** A claim that waits for its record, which people publish elsewhere in the meantime. */
export const claimStore = keep<Draft>(none, { isUnsaved: () => false });

export const forgetClaim = (): void => claimStore.set(none);

/** The values that a refused check has found; undefined for other refusals. */
export function findingOf(error: unknown): Finding | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { looked_up: lookedUp, expected, found } = error.details;
  if (typeof lookedUp !== 'string' || typeof expected !== 'string' || typeof found !== 'string')
    return undefined;
  return { lookedUp, expected, found };
}
