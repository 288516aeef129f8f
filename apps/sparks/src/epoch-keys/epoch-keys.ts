import { Injectable } from '@nestjs/common';
import { DataKeys, hourly, type Period, type UseKey } from '@vaultsvc/crypto/data-keys';

const PURPOSE = 'spark-epoch';

/** Builds before 0.1.0 named their hours without the letter. */
const hour: Period = { ...hourly, kidAt: (instant) => `k${hourly.kidAt(instant)}` };

/**
 * The epoch keys: one for all Sparks of an hour, destroyed a day after it. They are in a database of their own, so that a
 * copy of the database of Sparks opens none of them, even with key management (ADR 21).
 */
@Injectable()
export class EpochKeys {
  /** @param keys those of the keys database */
  constructor(private readonly keys: DataKeys) {}

  /** Passes the key of this hour to `use`. Throws as `DataKeys.current`. */
  current<T>(use: UseKey<T>): Promise<T> {
    return this.keys.current(PURPOSE, hour, use);
  }

  /** Passes the key with this kid to `use`. Throws as `DataKeys.byId`. */
  byId<T>(kid: string, use: UseKey<T>): Promise<T> {
    return this.keys.byId(PURPOSE, kid, use);
  }

  /** As `byId`, at once: undefined, without a call of `use`, while the key is not in memory. */
  inMemory<T>(kid: string, use: (key: Buffer) => T): T | undefined {
    return this.keys.inMemory(PURPOSE, kid, use);
  }
}
