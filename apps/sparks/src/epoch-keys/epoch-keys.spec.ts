import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '@vaultsvc/config';
import { accountContext, reasonOf } from '@vaultsvc/testing/harness';
import { wireSettings } from '@vaultsvc/testing/wire';
import { keysDatabaseOf, SparksConfig } from '../config.js';
import { usePlatform } from '../testing/platform.js';
import { KeysDatabase } from './epoch-keys.providers.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
const caller = accountContext();

describe('the epoch keys', () => {
  it('SPK-50: are stored in the keys database only', async () => {
    await platform.create({ payload: 'x' }, caller);
    expect(await platform.sql(`SELECT kid FROM data_keys WHERE purpose = 'spark-epoch'`)).toEqual([]);
    expect(await platform.keysSql(`SELECT purpose, kid FROM data_keys`)).toEqual([
      { purpose: 'spark-epoch', kid: expect.stringMatching(/^k20\d{8}$/) },
    ]);
  });

  it('SPK-32 ENT-17: are cached, so that Sparks are served for some minutes without the keys database', async () => {
    const { spark_id } = await platform.create({ payload: 'kept' }, caller);
    const { dataSource } = platform.service.context.get(KeysDatabase).database;
    await dataSource.destroy();
    try {
      expect(await platform.read(spark_id, caller)).toMatchObject({ payload: 'kept' });
      const { spark_id: unread } = await platform.create({ payload: 'later' }, caller);
      platform.service.context.get(KeysDatabase).keys.close(); // empties the cache, as time does
      expect(await reasonOf(platform.read(unread, caller))).toBe('INTERNAL_ERROR');
      await dataSource.initialize();
      expect(await platform.read(unread, caller)).toMatchObject({ payload: 'later' });
    } finally {
      if (!dataSource.isInitialized) await dataSource.initialize();
    }
  });
});

describe('KEYS_DATABASE_URL', () => {
  const configOf = (given: Record<string, string>) =>
    loadConfig(SparksConfig, {
      NATS_URL: 'nats://127.0.0.1:4222',
      PROFILE: 'local',
      ...wireSettings('sparks'),
      KMS_REGION: 'us-east-1',
      LINK_ORIGIN: 'https://link.example',
      FILES_ORIGIN: 'https://files.example',
      DATABASE_SCHEMA: 'sparks',
      ...given,
    });
  const main = 'postgres://sparks:pw@db.example/vaultsvc?sslmode=verify-full';
  const urlOf = (KEYS_DATABASE_URL: string) =>
    keysDatabaseOf(configOf({ DATABASE_URL: main, KEYS_DATABASE_URL })).DATABASE_URL.reveal();

  it('SPK-50: is by default a database beside that of the service, on the same server', () => {
    expect(urlOf('')).toBe('postgres://sparks:pw@db.example/vaultsvc_keys?sslmode=verify-full');
    expect(urlOf('postgres://sparks:pw@keys.example/vaultsvc')).toBe(
      'postgres://sparks:pw@keys.example/vaultsvc',
    );
  });

  it.each(['postgres://sparks:pw@db.example/vaultsvc', 'postgres://other:pw@db.example:5432/vaultsvc'])(
    'SPK-50: refuses the database of the service, %s',
    (url) => expect(() => urlOf(url)).toThrow('KEYS_DATABASE_URL must name another database'),
  );
});
