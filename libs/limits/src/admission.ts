import type { CredentialRecord } from './credential-cache.js';
import type { FixedWindow } from './fixed-window.js';
import type { PoolSnapshot } from './pool-snapshot-cache.js';

/** Calls per minute. */
export interface RateLimits {
  /** Of one account. */
  readonly perAccount: number;
  /** Of one network address, where no account is identified (OPEN-10). */
  readonly perAddress: number;
}

export interface AdmissionRequest {
  /** The credential's key (`k:…`, `s:…`) without the prefix `cred:`; null on routes that need no credential. */
  readonly key: string | null;
  /** Auth has just resolved the credential: if its record is missing again, the call is not counted again. */
  readonly isResolved?: boolean;
  /** Whether the operation draws on pools, so that the account's pool snapshot is read too. */
  readonly billable: boolean;
  readonly clientIp: string;
  readonly limits: RateLimits;
}

/**
 * How a call was counted:
 * - `account`: the record is active; the call is counted on its account.
 * - `identity`: the record is active, but has no account yet; the call is counted on its address.
 * - `address`: the route needs no credential; the call is counted on its address.
 * - `not_cached`: Redis has no record of the credential with a valid MAC; the call is counted on its address, unless
 *   already resolved (`isResolved`).
 * - `refused`: the credential is revoked or expired; the call is counted on its address as one of `not_cached` is (AMB-38).
 */
export type Admission =
  | {
      readonly outcome: 'account';
      readonly record: CredentialRecord & { accountId: string };
      readonly window: FixedWindow;
      readonly snapshot: PoolSnapshot | null;
    }
  | { readonly outcome: 'identity'; readonly record: CredentialRecord; readonly window: FixedWindow }
  | { readonly outcome: 'address' | 'not_cached' | 'refused'; readonly window: FixedWindow };
