/** What a line of the usage ledger counts. */
export type Resource = 'storage' | 'bandwidth' | 'operation';

/**
 * One line of the usage ledger (OPEN-29). The sum of an account's storage lines is what it stores now, so what
 * releases storage has a negative quantity.
 */
export interface Entry {
  readonly accountId: string;
  /** What happened, for example `spark_create`. */
  readonly type: string;
  readonly resource: Resource;
  /** Bytes of storage or bandwidth; a number of operations otherwise. */
  readonly quantity: number;
  /** The Spark, ingot or other thing that it was about. */
  readonly referenceId: string | null;
  readonly vaultId: string | null;
  /** `user` or `api_key`; `system` for what no caller did. */
  readonly actorType: string;
  readonly eventId: string;
  readonly occurredAtMs: number;
}
