import { Inject, Injectable, type OnApplicationShutdown, type Provider } from '@nestjs/common';
import { DataKeys, SqlDataKeyStore } from '@vaultsvc/crypto/data-keys';
import { Kms } from '@vaultsvc/crypto/kms';
import { Database } from '@vaultsvc/database';
import { AuthConfig } from '../config.js';

/** Wipes the keys in memory when the service stops. */
@Injectable()
class DataKeysLifetime implements OnApplicationShutdown {
  constructor(
    @Inject(DataKeys) private readonly keys: DataKeys,
    @Inject(Kms) private readonly kms: Kms,
  ) {}

  onApplicationShutdown(): void {
    this.keys.close();
    this.kms.close();
  }
}

/** KMS, this service's table of data keys, and the keys themselves. */
export const dataKeysProviders: Provider[] = [
  { provide: Kms, useFactory: (config: AuthConfig) => new Kms(config.kms), inject: [AuthConfig] },
  {
    provide: SqlDataKeyStore,
    useFactory: ({ dataSource }: Database) =>
      new SqlDataKeyStore((text, values) => dataSource.query(text, values)),
    inject: [Database],
  },
  {
    provide: DataKeys,
    useFactory: (kms: Kms, store: SqlDataKeyStore) => new DataKeys({ service: 'auth', kms, store }),
    inject: [Kms, SqlDataKeyStore],
  },
  DataKeysLifetime,
];
