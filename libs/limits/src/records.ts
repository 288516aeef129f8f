import type { Role, Seat } from '@vaultsvc/contracts';

/**
 * What Redis remembers of a credential under `cred:<key>`, where key is `k:` + hex of `lookupHash('apikey', bytes)`, or
 * `s:` + session family. Auth writes it, the admission script reads it; it can be lost and made again (OPEN-52).
 */
export interface CredentialRecord {
  /** Grows with every change of the credential in PostgreSQL. A write with a lower one loses. */
  readonly version: number;
  readonly status: 'active' | 'revoked';
  readonly kind: 'api_key' | 'session' | 'identity';
  /** null for an identity-only session: it has no account yet. */
  readonly accountId: string | null;
  /** null for an API key; the identity's id (`idn_…`) for an identity-only session. */
  readonly userId: string | null;
  /** `key_…` id or session family. */
  readonly credentialId: string;
  readonly role: Role;
  readonly seat: Seat;
  /** Epoch seconds by Redis' clock; null: does not expire by itself. */
  readonly expiresAt: number | null;
}

export interface PoolRecord {
  /** Bytes, or seats for identity. */
  readonly used: number;
  readonly limit: number;
}

/**
 * Plan and pools of an account at one moment, in Redis under `funds:<account>`. Reporting writes it, the gateway and auth
 * read it; a lost one is loaded again (OPEN-58).
 */
export interface PoolSnapshot {
  readonly version: number;
  readonly plan: 'active' | 'none';
  readonly storage: PoolRecord;
  /** `cycle_resets_at` in epoch seconds (ENV-12). */
  readonly bandwidth: PoolRecord & { readonly cycle_resets_at: number };
  readonly identity: PoolRecord;
}
