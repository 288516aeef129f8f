import { Injectable } from '@nestjs/common';
import { DataKeyStore } from '@vaultsvc/crypto/data-keys';
import { KeysDatabase } from './epoch-keys.providers.js';

/**
 * Deletes the epoch keys of hours whose Sparks have all expired, which makes backups of their content unreadable. Those of
 * earlier releases are in the main database.
 */
@Injectable()
export class DestroyEpochKeys {
  readonly everySeconds = 60;

  constructor(
    private readonly keysDatabase: KeysDatabase,
    private readonly formerStore: DataKeyStore,
  ) {}

  async run(): Promise<void> {
    await this.keysDatabase.store.destroyExpired();
    await this.formerStore.destroyExpired();
  }
}
