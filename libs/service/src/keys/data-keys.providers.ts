import { Injectable, type OnApplicationShutdown, type Provider, type Type } from '@nestjs/common';
import { DataKeys, DataKeyStore } from '@vaultsvc/crypto/data-keys';
import { Kms, type KmsConfig } from '@vaultsvc/crypto/kms';
import { Database } from '@vaultsvc/database';

/** Wipes the keys in memory when the service stops. */
@Injectable()
class DataKeysLifetime implements OnApplicationShutdown {
  constructor(
    private readonly keys: DataKeys,
    private readonly kms: Kms,
  ) {}

  onApplicationShutdown(): void {
    this.keys.close();
    this.kms.close();
  }
}

/** KMS, the service's own table of data keys, and the keys themselves: for a service that seals what it stores. */
export function dataKeysProviders(service: string, configClass: Type<KmsConfig>): Provider[] {
  return [
    { provide: Kms, useFactory: (config: KmsConfig) => new Kms(config.kms), inject: [configClass] },
    {
      provide: DataKeyStore,
      useFactory: ({ dataSource }: Database) =>
        new DataKeyStore((text, values) => dataSource.query(text, values)),
      inject: [Database],
    },
    {
      provide: DataKeys,
      useFactory: (kms: Kms, store: DataKeyStore) => new DataKeys({ service, kms, store }),
      inject: [Kms, DataKeyStore],
    },
    DataKeysLifetime,
  ];
}
