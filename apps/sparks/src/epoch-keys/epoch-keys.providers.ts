import { Injectable, type OnApplicationShutdown, type Provider } from '@nestjs/common';
import { DataKeys, DataKeyStore } from '@vaultsvc/crypto/data-keys';
import { Kms } from '@vaultsvc/crypto/kms';
import { connectDatabase, type Database, statement } from '@vaultsvc/database';
import { ReadinessChecks } from '@vaultsvc/service';
import { keysDatabaseOf, SparksConfig } from '../config.js';
import { keysDatabase } from '../storage.js';
import { EpochKeys } from './epoch-keys.js';

/** The connection to the keys database, and the keys in memory, until the service stops. */
@Injectable()
export class KeysDatabase implements OnApplicationShutdown {
  /** The wrapped epoch keys. */
  readonly store: DataKeyStore;
  readonly keys: DataKeys;

  private constructor(
    readonly database: Database,
    kms: Kms,
  ) {
    this.store = new DataKeyStore((text, values) => database.dataSource.query(text, values));
    this.keys = new DataKeys({ service: 'sparks', kms, store: this.store });
  }

  /** Throws while a migration of the keys database is pending. */
  static async connect(config: SparksConfig, kms: Kms, checks: ReadinessChecks): Promise<KeysDatabase> {
    const database = await connectDatabase(keysDatabaseOf(config), keysDatabase.storage);
    checks.add('keys-database', async () => void (await database.query(ping)));
    return new KeysDatabase(database, kms);
  }

  async onApplicationShutdown(): Promise<void> {
    this.keys.close();
    await this.database.dataSource.destroy();
  }
}

const ping = statement('keys.ping', 'SELECT 1');

/** The keys database and the epoch keys in it. */
export const epochKeysProviders: Provider[] = [
  {
    provide: KeysDatabase,
    useFactory: (config: SparksConfig, kms: Kms, checks: ReadinessChecks) =>
      KeysDatabase.connect(config, kms, checks),
    inject: [SparksConfig, Kms, ReadinessChecks],
  },
  {
    provide: EpochKeys,
    useFactory: ({ keys }: KeysDatabase) => new EpochKeys(keys),
    inject: [KeysDatabase],
  },
];
