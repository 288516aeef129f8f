import { Injectable, type OnApplicationShutdown, type Provider, type Type } from '@nestjs/common';
import { DataKeys, DataKeyStore } from '@vaultsvc/crypto/data-keys';
import { Kms, type KmsConfig } from '@vaultsvc/crypto/kms';
import { Database } from '@vaultsvc/database';
import { StartConditions } from '@vaultsvc/messaging';

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

/**
 * KMS of a service, which does not accept calls before KMS has once made a data key for it and opened it again: an instance with a wrong
 * endpoint, role or grant would fail its share of the calls.
 */
export function kmsProvider(service: string, configClass: Type<KmsConfig>): Provider {
  return {
    provide: Kms,
    useFactory: (config: KmsConfig, conditions: StartConditions) => {
      const kms = new Kms(config.kms);
      conditions.add('kms', () => tryKms(kms, service));
      return kms;
    },
    inject: [configClass, StartConditions],
  };
}

/** Makes a data key and opens it again; what is wrong is thrown as KmsUnavailable. */
export async function tryKms(kms: Kms, service: string): Promise<void> {
  const context = { svc: service, purpose: 'start' };
  const { plaintext, wrapped } = await kms.generateDataKey(context);
  const opened = await kms.decrypt(wrapped, context);
  for (const secret of [plaintext, opened]) secret.fill(0);
}

/** KMS, the service's own table of data keys, and the keys themselves: for a service that seals what it stores. */
export function dataKeysProviders(service: string, configClass: Type<KmsConfig>): Provider[] {
  return [
    kmsProvider(service, configClass),
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
