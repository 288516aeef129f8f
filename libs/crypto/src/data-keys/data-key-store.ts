/** A row of `data_keys`: a key wrapped by KMS. */
export interface DataKeyRow {
  readonly purpose: string;
  readonly kid: string;
  readonly wrapped: Buffer;
  /** From then on it may no longer be used, and the row is deleted; null: never. */
  readonly destroyAfter: Date | null;
}

/** A row and the database's time at which it was read. */
export interface FoundDataKey {
  readonly row: DataKeyRow | undefined;
  readonly now: Date;
}

/** Where wrapped data keys are kept. Each service has its own table; `SqlDataKeyStore` is the implementation. */
export interface DataKeyStore {
  find(purpose: string, kid: string): Promise<FoundDataKey>;
  /** Keeps the row unless there is one of that purpose and kid; false when there is. Never replaces. */
  insertIfAbsent(row: DataKeyRow): Promise<boolean>;
  /** The database's time, which decides in which period we are. */
  now(): Promise<Date>;
}
