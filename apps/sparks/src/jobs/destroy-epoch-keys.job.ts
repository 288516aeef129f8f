import { Injectable } from '@nestjs/common';
import { SqlDataKeyStore } from '@vaultsvc/crypto/data-keys';

/** Deletes the keys of hours whose Sparks have all expired: what they sealed is gone, from backups too. */
@Injectable()
export class DestroyEpochKeys {
  readonly everySeconds = 60;

  constructor(private readonly store: SqlDataKeyStore) {}

  async run(): Promise<void> {
    await this.store.destroyExpired();
  }
}
