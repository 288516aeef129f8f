import { Injectable } from '@nestjs/common';
import { DataKeys, hourly, type Period, type UseKey } from '@vaultsvc/crypto/data-keys';

const PURPOSE = 'spark-epoch';

/** Hours in the keys database. Earlier releases named their hours without the letter, and kept them in the main database. */
const KID_IN_KEYS_DATABASE = /^k\d{10}$/;
const hour: Period = { ...hourly, kidAt: (instant) => `k${hourly.kidAt(instant)}` };

/**
 * The epoch keys: one for all Sparks of an hour, destroyed a day after it. They are in a database of their own, so that a
 * copy of the database of Sparks opens none of them, even with key management (ADR 21).
 */
@Injectable()
export class EpochKeys {
  /**
   * @param keys those of the keys database
   * @param formerKeys those of the main database
   */
  constructor(
    private readonly keys: DataKeys,
    private readonly formerKeys: DataKeys,
  ) {}

  /** Passes the key of this hour to `use`. Throws as `DataKeys.current`. */
  current<T>(use: UseKey<T>): Promise<T> {
    return this.keys.current(PURPOSE, hour, use);
  }

  /** Passes the key with this kid to `use`. Throws as `DataKeys.byId`. */
  byId<T>(kid: string, use: UseKey<T>): Promise<T> {
    return this.#keysOf(kid).byId(PURPOSE, kid, use);
  }

  /** As `byId`, at once: undefined, without a call of `use`, while the key is not in memory. */
  inMemory<T>(kid: string, use: (key: Buffer) => T): T | undefined {
    return this.#keysOf(kid).inMemory(PURPOSE, kid, use);
  }

  #keysOf(kid: string): DataKeys {
    // TODO(0.2.0): delete `formerKeys`. A day after the upgrade to 0.1.0 no Spark needs them.
    return KID_IN_KEYS_DATABASE.test(kid) ? this.keys : this.formerKeys;
  }
}
