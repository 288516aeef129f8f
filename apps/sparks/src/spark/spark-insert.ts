import type { MintedLink } from '../link/link-sealer.js';
import type { SparkIdentity } from './sealing/spark-key.js';
import type { SealedSpark } from './sealing/spark-sealer.js';

export interface SparkInsert extends SparkIdentity, SealedSpark {
  readonly filename: string | null;
  /** Plain text. */
  readonly label: string | null;
  readonly sizeBytes: number;
  readonly ttlMinutes: number;
  /** Whether to create the group `kindling`. */
  readonly startsKindling: boolean;
  /** Whether the group `kindling` must exist in this database. One of another shard was asked before (`KindlingJoiner`). */
  readonly joinsKindling: boolean;
  readonly link: (MintedLink & { readonly boundIp: string | null }) | null;
}

/** Epoch seconds of the database's clock. */
export interface SparkTimes {
  readonly created_at: number;
  readonly expires_at: number;
}
